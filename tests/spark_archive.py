"""Makes the archive of Spark's classes: `python -m tests.spark_archive`, once per version of PySpark.

Where there is no Spark it does nothing, and where no archive can be made Spark starts without one.
"""

from __future__ import annotations

import sys
from typing import Any

from tests import spark, spark_home


def make() -> None:
    """A session whose Java writes the archive as it ends: what it loads to run one query is most of what it ever loads.

    Raises:
        FileNotFoundError: Java wrote none.
    """
    archive = spark_home.archive().with_suffix(".part")
    archive.unlink(missing_ok=True)
    spark.CONF[spark.JAVA] += f" -XX:ArchiveClassesAtExit={archive} {spark_home.SILENT}"
    session = spark.session()
    session.range(1).collect()
    gateway: Any = session.sparkContext._gateway
    session.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()
    archive.replace(spark_home.archive())


if __name__ == "__main__" and not spark.missing() and not spark_home.archive().exists():
    try:
        make()
    except Exception as error:  # noqa: BLE001 - the tests need no archive
        sys.stdout.write(f"No archive of Spark's classes: {error}\n")
