"""A plan as one statement of SQL, for every engine that runs one."""
