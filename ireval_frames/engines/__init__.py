"""The engines: the only code that knows one."""
