# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""The job on executors that are processes of their own, of which one is killed when it holds what later steps need."""
import os
import pathlib
import subprocess
import sys

from conftest import AUDIT, JAVA, ROOT, SETTINGS, audit
from usage_logs import usage_rows, write_usage


def test_an_executor_that_is_killed(tmp_path):
    hours = [list(usage_rows(1_500, seed)) for seed in (1, 2, 3)]
    hours[1][:0] = hours[0][-50:]
    logs = [write_usage(tmp_path / f"{number}.csv", rows) for number, rows in enumerate(hours)]
    # The requests of all splits are read, shuffled and kept by the executors by then.
    program = tmp_path / "audit"
    program.write_text(
        f"""#!/bin/sh
case "$*" in
*import-part\\ view*)
  if mkdir {tmp_path}/once 2>/dev/null; then
    executor=$PPID
    until grep -q CoarseGrainedExecutorBackend /proc/$executor/cmdline; do executor=$(cut -d ' ' -f 4 /proc/$executor/stat); done
    kill -9 $executor
  fi ;;
esac
exec {AUDIT} "$@"
"""
    )
    program.chmod(0o755)
    environment = os.environ | {"PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
    submit = ["spark-submit", "--master", "local-cluster[2,1,512]", "--conf", "spark.executor.memory=512m"]
    submit += ["--driver-java-options", JAVA, "--conf", f"spark.executor.extraJavaOptions={JAVA}"]
    # Spark would wait a quarter of a minute for the executor that is gone.
    settings = SETTINGS | {"spark.shuffle.io.retryWait": "200ms", "spark.local.dir": tmp_path}
    submit += [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    job = [ROOT / "tools/spark/firemeter_job.py", "--audit", program, "import", *logs, "--groups", 2, "--output", tmp_path / "many.log"]
    ended = subprocess.run([*submit, *map(str, job)], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert (tmp_path / "once").exists()
    assert audit("import", *logs, "--output", tmp_path / "one.log").returncode == 0
    assert (tmp_path / "one.log").read_bytes() == (tmp_path / "many.log").read_bytes()
