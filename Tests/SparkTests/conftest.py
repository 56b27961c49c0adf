# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""One Spark for all tests, with two cores, which tries a failed task again; and `audit` beside it."""
import os
import pathlib
import subprocess
import sys
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIREMETER = ROOT / os.environ.get("FIREMETER_BIN", ".build/debug") / "firemeter"
sys.path.insert(0, str(ROOT / "tools/spark"))
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
# Java that starts fast: a test is over before better machine code pays.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
os.environ["PYSPARK_SUBMIT_ARGS"] = f'--driver-java-options "{JAVA}" pyspark-shell'
# Plans are made once and interpreted: rows are too few for statistics, and for code that is generated and compiled.
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
}
# The commands keep answers between runs: those of tests go with the tests.
CACHE = tempfile.TemporaryDirectory(prefix="firemeter-cache-")
os.environ["XDG_CACHE_HOME"] = CACHE.name
# A link to the program answers as `audit`.
AUDIT = pathlib.Path(CACHE.name) / "audit"
AUDIT.symlink_to(FIREMETER)

import firemeter_job
from pyspark.sql import SparkSession

from usage_logs import usage_rows, write_usage

# How a test's files are handed out: as lines, whole, or whole and as those of another machine.
SPLIT, WHOLE, REMOTE = {}, {"whole": 1 << 20}, {"whole": 1 << 20, "remote": True}


@pytest.fixture(scope="session")
def spark():
    builder = SparkSession.builder.master("local[2,4]").config(map=SETTINGS)
    # Small splits of small files, so that a test has several.
    builder = builder.config("spark.sql.files.maxPartitionBytes", "100k").config("spark.sql.files.openCostInBytes", "1")
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("FATAL")
    yield spark
    spark.stop()


@pytest.fixture
def job(spark, monkeypatch):
    """Runs the job: `job("totals", log, merge=[...])` returns its exit code. Files of up to `whole` bytes are not split; `remote`
    ones are taken for those of another machine, and not opened by `audit`."""

    def run(name, *words, merge=(), audit=AUDIT, whole=0, remote=False):
        monkeypatch.setattr(firemeter_job, "WHOLE_FILE", whole)
        monkeypatch.setattr(firemeter_job, "LOCAL", "none:" if remote else "file:")
        words = [name, *map(str, words), "--", *map(str, merge)]
        return firemeter_job.run(spark, ["--audit", str(audit), *words])

    return run


@pytest.fixture(scope="module")
def usage(tmp_path_factory):
    """Three hours of usage logs, the last one as gzip: rows at the end of one are at the beginning of the next, too."""
    folder = tmp_path_factory.mktemp("usage")
    hours = [list(usage_rows(1_000, seed)) for seed in (1, 2, 3)]
    hours[1][:0] = hours[0][-150:]
    hours[2][:0] = hours[1][-20:] + hours[0][:5]
    return [write_usage(folder / name, rows) for name, rows in zip(("00.csv", "01.csv", "02.csv.gz"), hours)]


def audit(*words, **options):
    """Runs `audit` in one process."""
    return subprocess.run([FIREMETER, "audit", *map(str, words)], capture_output=True, text=True, **options)
