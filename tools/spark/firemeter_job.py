#!/usr/bin/env python3
# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""Logs that are too many for one machine, on Apache Spark: the totals or the report that `audit` gives on all of them at once.

    spark-submit --files audit tools/spark/firemeter_job.py totals 'gs://logs/usage_2026_11_*' --by hour
    spark-submit --files audit,feed.json tools/spark/firemeter_job.py replay gs://logs/session.log --seed feed.json \\
        -- --format html --output report.html

What follows `--` goes to `audit merge`, which writes the report. Spark reads, splits and sorts; `audit` does the rest, a process
for each split. Paths are those of any Hadoop file system, with globs; gzip is read, and so are all files below a directory.
"""
import argparse
import contextlib
import functools
import os
import struct
import subprocess
import sys
import tempfile

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import SparkFiles, TaskContext
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

# The rows between the stages: what data is of, and the data.
ROWS = "kind int, data binary"
ROWS_OF_BATCH = 500
# Kinds from 0 on are classes of ids (`audit totals --ids`), those below are reports, which are shared out likewise.
REFUSAL = -1 << 31
# Exit codes of `audit` that another attempt would end with, too: wrong usage, unreadable data.
REFUSALS = (64, 65)
HEAD_OF_SESSION, VIEW = b'{"type":"header"', '{"type":"view"'
# Files of up to this many bytes are handed to `audit` as they are, gzip or not; the lines of larger ones in splits.
WHOLE_FILE = 64 << 20
# The scheme of a local file's path; a task for each such file, up to ten thousand.
LOCAL, LOCAL_TASKS = "file:", 10_000
USER = r'"client":"((?:[^"\\]|\\.)*)"'


class Audit:
    """A run of `audit` on a file, or on what is written to it."""

    def __init__(self, name, arguments, folder, file=subprocess.PIPE):
        self.name = arguments[0]
        self.output = open(os.path.join(folder, "output"), "w+b")
        self.errors = open(os.path.join(folder, "errors"), "w+b")
        self.process = subprocess.Popen(
            [SparkFiles.get(name), *found(arguments)],
            stdin=file,
            stdout=self.output,
            stderr=self.errors,
            bufsize=0,
            pipesize=1 << 20,
        )

    def write(self, data):
        # A process that ended early says why when it is asked.
        with contextlib.suppress(BrokenPipeError):
            view = memoryview(data)
            while len(view):
                view = view[self.process.stdin.write(view) :]

    def finish(self):
        """The output, or `None` and the reason of a refusal; other failures are errors, for Spark to try again."""
        if self.process.stdin:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()
        status = self.process.wait()
        self.output.seek(0)
        self.errors.seek(0)
        errors = self.errors.read()
        if status in REFUSALS:
            return None, bytes([status]) + errors
        if status != 0:
            raise RuntimeError(f"audit {self.name} ended with {status}: {errors.decode(errors='replace')}")
        return self.output.read(), None


def found(arguments):
    """Arguments with the paths that files have here; a file that travels with the job is named `@name`."""
    return [SparkFiles.get(argument[1:]) if argument.startswith("@") else argument for argument in arguments]


def text_of(lines):
    """Lines as they are in a file."""
    whole = pa.ListArray.from_arrays(pa.array([0, len(lines)], pa.int32()), lines.cast(pa.binary()))
    return pc.binary_join(whole, b"\n")[0].as_buffer()


def rows(*pairs):
    kinds, data = zip(*pairs)
    return pa.RecordBatch.from_arrays([pa.array(kinds, pa.int32()), pa.array(data, pa.binary())], names=["kind", "data"])


def audited_files(audit, arguments, reducers):
    """A stage: has each file audited as it is, and hands on its report and the ids of its requests.

    A file of this machine is opened by `audit`; the contents of others come with their paths.
    """

    def stage(batches):
        for batch in batches:
            for path, *content in zip(batch.column("path").to_pylist(), *batch.columns[1:]):
                with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as opened:
                    ids = os.path.join(folder, "ids")
                    file = subprocess.PIPE if content else opened.enter_context(open(path.removeprefix(LOCAL), "rb"))
                    process = Audit(audit, [*arguments, "--ids", ids], folder, file)
                    if content:
                        process.write(content[0].as_buffer())
                    yield from results(process, reducers, ids, path)

    return stage


def audited_lines(audit, arguments, head, reducers, has_ids=False):
    """A stage: has the lines of each split audited, behind those of the head."""

    def stage(batches):
        with tempfile.TemporaryDirectory() as folder:
            process, ids = None, os.path.join(folder, "ids") if has_ids else None
            known = pa.array(head, pa.binary())
            for batch in batches:
                lines = batch.column(0)
                lines = lines.filter(pc.invert(pc.is_in(lines.cast(pa.binary()), known)))
                if len(lines) == 0:
                    continue
                if process is None:
                    process = Audit(audit, [*arguments, *(["--ids", ids] if ids else [])], folder)
                    for line in head:
                        process.write(line + b"\n")
                process.write(text_of(lines))
                process.write(b"\n")
            if process is not None:
                yield from results(process, reducers, ids)

    return stage


def results(process, reducers, ids=None, name="a split"):
    """The report of a process, and a row for each frame of ids that it noted."""
    report, refusal = process.finish()
    if refusal:
        yield rows((REFUSAL, refusal.replace(b"standard input", name.removeprefix(LOCAL).encode())))
        return
    found = [(-1 - TaskContext.get().partitionId() % reducers, report)]
    if ids:
        with open(ids, "rb") as file:
            while head := file.read(8):
                kind, words, count = struct.unpack("<HHI", head)
                found.append((kind, head + file.read(8 * count * words)))
                if len(found) == ROWS_OF_BATCH:
                    yield rows(*found)
                    found = []
    if found:
        yield rows(*found)


def merged(audit, duplicates):
    """A stage: merges the reports that come to it, and finds the requests that are in several splits."""

    def stage(batches):
        with tempfile.TemporaryDirectory() as folder:
            merge = find = None
            for batch in batches:
                for kind, data in zip(batch.column(0).to_pylist(), batch.column(1)):
                    if kind == REFUSAL:
                        yield rows((REFUSAL, data.as_py()))
                    elif kind < 0:
                        merge = merge or Audit(audit, ["merge", "-", "--partial"], made(folder, "merge"))
                        merge.write(data.as_buffer())
                    else:
                        find = find or Audit(audit, duplicates, made(folder, "find"))
                        find.write(data.as_buffer())
            for process in filter(None, (merge, find)):
                report, refusal = process.finish()
                yield rows((REFUSAL, refusal) if refusal else (-1, report))

    return stage


def made(folder, name):
    path = os.path.join(folder, name)
    os.mkdir(path)
    return path


def totals(spark, arguments):
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(arguments.logs)
    command = ["totals", "-", "--partial", *option("by", arguments)]
    command += ["--skip-bad-lines"] if arguments.skip_bad_lines else []
    reducers = arguments.reducers or spark.sparkContext.defaultParallelism
    whole = audited_files(arguments.audit, [*command, *option("log_format", arguments)], reducers)
    local, small, large = shared_out(files)
    parts = []
    if local:
        tasks = spark.sparkContext.parallelize([(path,) for path in local], min(len(local), LOCAL_TASKS))
        parts.append(tasks.toDF("path string").mapInArrow(whole, ROWS))
    if small:
        here = files.path.startswith(LOCAL)
        parts.append(files.where((files.length <= WHOLE_FILE) & ~here).select("path", "content").mapInArrow(whole, ROWS))
    if large:
        lines = text(spark, large)
        head, found = beginning_of(lines)
        # Not found by each split, which may begin with a line that is not of the format.
        command += ["--log-format", arguments.log_format or found] if arguments.log_format or found else []
        parts.append(lines.mapInArrow(audited_lines(arguments.audit, command, head, reducers, has_ids=True), ROWS))
    if not parts:
        return None, command
    duplicates = ["duplicates", "-", *option("by", arguments)]
    found = functools.reduce(DataFrame.union, parts)
    return found.repartition(reducers, "kind").mapInArrow(merged(arguments.audit, duplicates), ROWS), command


def shared_out(files):
    """Paths of files: those that a process opens, those whose contents are handed to it, and those that are split into lines."""
    local, small, large = [], [], []
    for path, length in files.select("path", "length").collect():
        is_small = length <= WHOLE_FILE
        if path.startswith(LOCAL) and (is_small or path.endswith(".gz")):
            local.append(path)
        else:
            (small if is_small else large).append(path)
    return local, small, large


def beginning_of(lines):
    """The lines that each split needs before its own, and the format that these have."""
    first = bytes(lines.select(F.encode("value", "utf-8").alias("data")).first().data)
    if b"time_micros" in first:
        return [first], "usage-csv"
    if first.startswith(HEAD_OF_SESSION):
        return [first], "session"
    return [], "combined" if b'] "' in first else "cloud-logging" if first.startswith(b"{") else None


def replay(spark, arguments):
    lines = text(spark, arguments.logs, "value", "_metadata.file_path", "_metadata.file_block_start")
    is_view = lines.value.startswith(VIEW)
    # Requests say nothing that a simulation needs, and are most of a log.
    others = lines.where(~is_view & ~lines.value.rlike(r'^\{"type":"(request|part|retraction|document|object)"'))
    head = sorted((row.value.encode() for row in others.collect()), key=lambda line: not line.startswith(HEAD_OF_SESSION))
    command = ["replay", "-", "--partial", "--curves", *(["--seed", "@" + arguments.seed] if arguments.seed else [])]
    command += [part for strategy in arguments.strategy for part in ("--strategy", strategy)]
    groups = arguments.groups or 4 * spark.sparkContext.defaultParallelism
    reducers = arguments.reducers or spark.sparkContext.defaultParallelism
    views = (
        lines.where(is_view)
        .withColumn("user", F.regexp_extract("value", USER, 1))
        .withColumn("line", F.monotonically_increasing_id())
        # Each user's views are in one group, in the order of the log.
        .repartition(groups, "user")
        .sortWithinPartitions("file_path", "file_block_start", "line")
        .select("value")
    )
    parts = views.mapInArrow(audited_lines(arguments.audit, command, head, reducers), ROWS)
    return parts.repartition(reducers, "kind").mapInArrow(merged(arguments.audit, []), ROWS), command


def text(spark, logs, *columns):
    reader = spark.read.option("lineSep", "\n").option("recursiveFileLookup", "true")
    return reader.text(logs).select(*(columns or ["value"]))


def option(name, arguments):
    value = getattr(arguments, name)
    return [] if value is None else ["--" + name.replace("_", "-"), value]


def shipped(spark, path):
    """The name by which workers have a file: it travels with the job, unless `--files` brought it already."""
    if path and os.path.exists(path):
        spark.sparkContext.addFile(os.path.abspath(path))
    return path and os.path.basename(path)


def write_report(audit, parts, command, merge):
    """Merges the last reports and writes what was asked for; returns the exit code of `audit`."""
    with tempfile.TemporaryFile() as reports:
        refusals = []
        for row in parts.toLocalIterator() if parts else ():
            if row.kind == REFUSAL:
                refusals.append(bytes(row.data))
            else:
                reports.write(row.data)
        if refusals:
            # Whichever split came first, this one is named.
            first = min(refusals)
            sys.stderr.buffer.write(first[1:])
            return first[0]
        if reports.tell() == 0:
            # Nothing is refused as one process refuses it.
            return subprocess.run([audit, *found(command)], stdin=subprocess.DEVNULL).returncode
        reports.seek(0)
        return subprocess.run([audit, "merge", "-", *merge], stdin=reports).returncode


def parsed(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--audit", default="audit", help="the program; by default that of --files")
    parser.add_argument("--reducers", type=int, help="tasks that merge; by default one for each core")
    jobs = parser.add_subparsers(dest="job", required=True)
    totals, replay = jobs.add_parser("totals"), jobs.add_parser("replay")
    for job in (totals, replay):
        job.add_argument("logs", nargs="+", help="paths of logs, with globs")
    totals.add_argument("--by", help="object, user, hour or operation")
    totals.add_argument("--log-format", help="as of `audit totals`")
    totals.add_argument("--skip-bad-lines", action="store_true", help="as of `audit totals`")
    replay.add_argument("--seed", help="the data set; an imported session needs none")
    replay.add_argument("--strategy", action="append", default=[], help="as of `audit replay`")
    replay.add_argument("--groups", type=int, help="groups of users; by default four for each core")
    end = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:end])
    arguments.merge = words[end + 1 :]
    return arguments


def run(spark, words):
    """Runs a job; returns its exit code, which is that of `audit`."""
    arguments = parsed(words)
    program = os.path.abspath(arguments.audit) if os.path.exists(arguments.audit) else SparkFiles.get(arguments.audit)
    arguments.audit = shipped(spark, arguments.audit)
    if arguments.job == "replay":
        arguments.seed = shipped(spark, arguments.seed)
    try:
        parts, command = {"totals": totals, "replay": replay}[arguments.job](spark, arguments)
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        print(f"audit: cannot read {', '.join(arguments.logs)}: no such file", file=sys.stderr)
        return 65
    return write_report(program, parts, command, arguments.merge)


def main():
    spark = SparkSession.builder.appName("firemeter").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    sys.exit(run(spark, sys.argv[1:]))


if __name__ == "__main__":
    main()
