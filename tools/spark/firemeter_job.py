#!/usr/bin/env python3
# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""Logs that are too many for one machine, on Apache Spark: the totals, session or report that `audit` makes of all at once.

    spark-submit --files firemeter tools/spark/firemeter_job.py totals 'gs://logs/usage_2026_11_*' --by hour
    spark-submit --files firemeter tools/spark/firemeter_job.py import 'gs://logs/usage_2026_11_*' --output session.log
    spark-submit --files firemeter,feed.json tools/spark/firemeter_job.py replay gs://logs/session.log --seed feed.json \\
        -- --format html --output report.html

What follows `--` goes to `firemeter audit merge`, which writes the report, or says how views are inferred. Spark reads, splits and sorts;
`audit` does the rest, a process for each split (`firemeter_stages.py`). Paths are those of any Hadoop file system, with globs; gzip is read, and so are all
files below a directory.
"""
import argparse
import contextlib
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import uuid

from pyspark import SparkFiles, StorageLevel
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import firemeter_stages
from firemeter_stages import LOCAL, REFUSAL, ROWS, VIEWS, Reading, found, merged
from firemeter_stages import audit_in, audited_files, audited_splits, audited_users

HEAD_OF_SESSION, VIEW = b'{"type":"header"', '{"type":"view"'
# Files of up to this many bytes are handed to `audit` as they are, gzip or not; the lines of larger ones in splits.
WHOLE_FILE = 64 << 20
USER = r'"client":"((?:[^"\\]|\\.)*)"'


class Refused(Exception):
    """A refusal of `audit`, which another attempt would end with, too."""

    def __init__(self, status, message):
        self.status, self.message = status, message


class NothingRead(Exception):
    """No log has a line; one process reads nothing with this command."""

    def __init__(self, command):
        self.command = command


def checked(command, **files):
    """Runs `audit` here."""
    ended = subprocess.run(command, stderr=subprocess.PIPE, **files)
    if ended.returncode:
        raise Refused(ended.returncode, ended.stderr)


def totals(spark, arguments):
    command = ["totals", "-", "--partial", *option("by", arguments)]
    reading = Reading(arguments.audit, command, "--ids", reducers(spark, arguments))
    parts = read(spark, arguments, reading)
    duplicates = ["duplicates", "-", *option("by", arguments)]
    merge = ["merge", "-", "--partial"]
    stage = merged(arguments.audit, merge, duplicates)
    parts = parts.repartition(reading.reducers, "kind").mapInArrow(stage, ROWS)
    with tempfile.TemporaryFile() as file:
        write_merged(parts, merged(arguments.audit, merge), file)
        if file.tell() == 0:
            raise NothingRead(command)
        file.seek(0)
        return subprocess.run([*arguments.program, "merge", "-", *names(arguments), *arguments.merge], stdin=file).returncode


def read(spark, arguments, reading):
    """Reads all logs: the reports on their splits, and the records of their requests."""
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(arguments.logs)
    reading.command += ["--skip-bad-lines"] if arguments.skip_bad_lines else []
    is_local, is_small = files.path.startswith(LOCAL), files.length <= WHOLE_FILE
    is_opened = is_local & (is_small | files.path.endswith(".gz"))
    columns = ["path", F.col("_metadata.file_path").alias("uri"), is_opened.alias("is_opened"), is_small.alias("is_small")]
    listed = sorted(files.select(*columns).collect())
    archive = next((row.path for row in listed if row.path.endswith((".har", ".zhar"))), None)
    if archive:
        message = f"audit: {archive.removeprefix(LOCAL)} is a HAR, whose client has no name but the file's: one process reads it\n"
        raise Refused(64, message.encode())
    # The numbers of the splits are in the order of the logs; behind a file's are the bytes before a split of it.
    splits = {name: number << 40 for number, row in enumerate(listed) for name in (row.path, row.uri)}
    whole = audited_files(reading, option("log_format", arguments), splits)
    # Without the column of contents, Spark does not read the files.
    parts = [files.where(is_opened).select("path").mapInArrow(whole, ROWS)]
    if any(not row.is_opened and row.is_small for row in listed):
        parts.append(files.where(is_small & ~is_local).select("path", "content").mapInArrow(whole, ROWS))
    large = [row.path for row in listed if not row.is_opened and not row.is_small]
    if large:
        lines = text(spark, large)
        head, found = beginning_of(lines)
        # Not found by each split, which may begin with a line that is not of the format.
        more = ["--log-format", arguments.log_format or found] if arguments.log_format or found else []
        parts.append(lines.mapInArrow(audited_splits(reading, more, head, splits), ROWS))
    return functools.reduce(DataFrame.union, parts)


def beginning_of(lines):
    """The lines that each split needs before its own, and the format that these have."""
    first = bytes(lines.select(F.encode("value", "utf-8").alias("data")).first().data)
    if b"time_micros" in first:
        return [first], "usage-csv"
    if first.startswith(HEAD_OF_SESSION):
        return [first], "session"
    return [], "combined" if b'] "' in first else "cloud-logging" if first.startswith(b"{") else None


def replay(spark, arguments):
    lines = text(spark, arguments.logs)
    is_view = lines.value.startswith(VIEW)
    # Requests say nothing that a simulation needs, and are most of a log.
    others = lines.where(~is_view & ~lines.value.rlike(r'^\{"type":"(request|part|retraction|document|object)"'))
    head = sorted((row.value.encode() for row in others.collect()), key=lambda line: not line.startswith(HEAD_OF_SESSION))
    command = ["replay", "-", "--partial", *(["--seed", "@" + arguments.seed] if arguments.seed else [])]
    command += [part for strategy in arguments.strategy for part in ("--strategy", strategy)]
    groups = arguments.groups or 4 * spark.sparkContext.defaultParallelism
    views = (
        lines.where(is_view)
        .withColumn("user", F.regexp_extract("value", USER, 1))
        .withColumn("line", F.monotonically_increasing_id())
        # Each user's views are in one group, in the order of the log.
        .repartition(groups, "user")
        .sortWithinPartitions("file_path", "file_block_start", "line")
        .select("value")
    )
    with tempfile.TemporaryDirectory() as folder, persisted(views):

        def run(name, *options):
            """Simulates all groups, and writes a file of their merged reports."""
            parts = views.mapInArrow(audited_users(arguments.audit, [*command, *options], count, head), ROWS)
            stage = merged(arguments.audit, ["merge", "-", "--partial"])
            with open(os.path.join(folder, name), "w+b") as file:
                write_merged(parts.repartition(count, "kind").mapInArrow(stage, ROWS), stage, file)
                if file.tell() == 0:
                    raise NothingRead([*command, *options])
            return file.name

        count = reducers(spark, arguments)
        merge = [*arguments.program, "merge", run("figures", "--no-remedies")]
        # The remedies that the whole log needs are known then, and no group tries more.
        needed = os.path.join(folder, f"needed-{uuid.uuid4()}.json")
        with open(needed, "wb") as file:
            checked([*merge, "--needed"], stdout=file)
        spark.sparkContext.addFile(needed)
        remedies = run("remedies", "--curves", "--remedies", "@" + os.path.basename(needed))
        return subprocess.run([*merge, "--remedies", remedies, *names(arguments), *arguments.merge]).returncode


@contextlib.contextmanager
def persisted(rows):
    """Keeps rows on the workers' disks; of some kilobytes each, so that fewer are taken at a time than Spark would."""
    rows.sparkSession.conf.set("spark.sql.inMemoryColumnarStorage.batchSize", 200)
    rows.persist(StorageLevel.DISK_ONLY)
    try:
        yield rows
    finally:
        rows.unpersist()


def import_session(spark, arguments):
    if os.path.exists(arguments.output):
        # Refused now, and not when all is done.
        raise NothingRead(["import", "-", "--output", arguments.output])
    groups = arguments.groups or 4 * spark.sparkContext.defaultParallelism
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as kept:
        shared_folder = scratch(spark, arguments, kept)
        import_part = [*arguments.program, "import-part"]
        merge = merged(arguments.audit, ["import-part", "merge", "-"])
        step = functools.partial(merge_step, spark, import_part, folder, merge)
        # First the names of all splits, then the requests of all users, then their views: each step needs all of the former.
        parts = read(spark, arguments, Reading(arguments.audit, ["import-part", "read", "-"], "--requests", groups, True))
        shared = parts.repartition(groups, "kind").sortWithinPartitions("kind", "split", "place")
        requests = kept.enter_context(persisted(shared))
        read_names = step("names", requests.where("kind < 0").mapInArrow(merge, ROWS))
        users = requests.where("kind >= 0")
        inference = [*(["--sizes", "@" + arguments.sizes] if arguments.sizes else []), *arguments.merge]
        count = audited_users(arguments.audit, ["import-part", "count", "-", "--part", "@" + read_names, *inference], groups)
        counted = step("counted", users.mapInArrow(count, ROWS), read_names)
        command = ["import-part", "view", "-", "--part", "@" + counted, *inference]
        view = audited_users(arguments.audit, command, groups, has_views=True)
        viewed = kept.enter_context(persisted(users.mapInArrow(view, ROWS)))
        whole = step("whole", viewed.where("kind < 0"), counted)
        lines = viewed.where(viewed.kind == VIEWS).orderBy("data").select(F.col("data").cast("string").alias("value"))
        views = local_files(spark, lines, folder, shared_folder)
        command = [*import_part, "join", *views, "--part", os.path.join(folder, whole), "--output", arguments.output]
        return subprocess.run([*command, "--log", named(arguments), *found(inference)]).returncode


def scratch(spark, arguments, kept):
    """A folder on a file system that all workers have, for the views while they are sorted, and that file system."""
    hadoop = spark._jvm.org.apache.hadoop.fs
    parent = hadoop.Path(arguments.scratch or "/tmp")
    files = parent.getFileSystem(spark._jsc.hadoopConfiguration())
    if not arguments.scratch and files.getScheme() == "file" and not spark.sparkContext.master.startswith("local"):
        raise Refused(64, b"audit: the workers share no file system by default; name a folder of one with --scratch\n")
    folder = hadoop.Path(files.makeQualified(parent), f"firemeter-{uuid.uuid4()}")
    files.mkdirs(folder, hadoop.permission.FsPermission("700"))
    kept.callback(files.delete, folder, True)
    return files, folder


def local_files(spark, lines, folder, scratch):
    """Brings sorted lines to this machine, in files in their order."""
    (files, written), hadoop = scratch, spark._jvm.org.apache.hadoop.fs
    lines.write.text(hadoop.Path(written, "views").toString())
    paths = []
    for number, status in enumerate(files.globStatus(hadoop.Path(written, "views/part-*")) or []):
        paths.append(os.path.join(folder, f"views-{number}"))
        files.copyToLocalFile(True, status.getPath(), hadoop.Path("file:" + paths[-1]), True)
    return paths


def merge_step(spark, import_part, folder, merge, name, parts, former=None):
    """Merges what a step wrote with what those before it did, and sends it to the workers; returns the name that it has there."""
    with open(os.path.join(folder, name + ".parts"), "w+b") as file:
        write_merged(parts, merge, file)
        if former:
            with open(os.path.join(folder, former), "rb") as known:
                shutil.copyfileobj(known, file)
        if file.tell() == 0:
            raise NothingRead(["import", "-", "--output", os.path.join(folder, "nothing")])
        file.seek(0)
        name = f"{name}-{uuid.uuid4()}.json"
        with open(os.path.join(folder, name), "wb") as merged:
            checked([*import_part, "merge", "-"], stdin=file, stdout=merged)
    spark.sparkContext.addFile(os.path.join(folder, name))
    return name


def text(spark, logs):
    """Lines with the path and the start of the split that they are of."""
    reader = spark.read.option("lineSep", "\n").option("recursiveFileLookup", "true")
    return reader.text(logs).select("value", "_metadata.file_path", "_metadata.file_block_start")


def option(name, arguments):
    value = getattr(arguments, name)
    return [] if value is None else ["--" + name.replace("_", "-"), value]


def shipped(spark, path):
    """The name by which workers have a file: it travels with the job, unless `--files` brought it already."""
    if path and os.path.exists(path):
        path = os.path.realpath(path)
        spark.sparkContext.addFile(path)
    return path and os.path.basename(path)


def reducers(spark, arguments):
    return arguments.reducers or spark.sparkContext.defaultParallelism


def named(arguments):
    return ", ".join(arguments.logs)


def names(arguments):
    """The logs as they were named, for a report that is given no names."""
    return [] if "--log" in arguments.merge else [word for log in arguments.logs for word in ("--log", log)]


def write_merged(parts, merge, file):
    """Writes the sum of reports; the first refusal in an order that does not depend on chance is an error."""
    refusals = []
    # One worker adds up what all have made: rows would be fetched from one worker after the other.
    for row in parts.repartition(1).mapInArrow(merge, ROWS).toLocalIterator():
        if row.kind == REFUSAL:
            refusals.append(bytes(row.data))
        else:
            file.write(row.data)
    if refusals:
        first = min(refusals)
        raise Refused(first[0], first[1:])


def parsed(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--audit", default="firemeter", help="the program; by default that of --files")
    parser.add_argument("--reducers", type=int, help="tasks that merge; by default one for each core")
    jobs = parser.add_subparsers(dest="job", required=True)
    totals, importing, replay = (jobs.add_parser(name) for name in ("totals", "import", "replay"))
    for job in (totals, importing, replay):
        job.add_argument("logs", nargs="+", help="paths of logs, with globs")
    for job in (totals, importing):
        job.add_argument("--log-format", help="as of `firemeter audit totals`")
        job.add_argument("--skip-bad-lines", action="store_true", help="as of `firemeter audit totals`")
    for job in (importing, replay):
        job.add_argument("--groups", type=int, help="groups of users; by default four for each core")
    totals.add_argument("--by", help="object, user, hour or operation")
    importing.add_argument("--output", required=True, help="the session to write, on this machine")
    importing.add_argument("--scratch", help="a folder that all workers have; by default /tmp of the cluster's file system")
    importing.add_argument("--sizes", help="a listing of the objects, as of `firemeter audit import`")
    replay.add_argument("--seed", help="the data set; an imported session needs none")
    replay.add_argument("--strategy", action="append", default=[], help="as of `firemeter audit replay`")
    end = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:end])
    arguments.merge = words[end + 1 :]
    return arguments


def run(spark, words):
    """Runs a job; returns its exit code, which is that of `audit`."""
    arguments = parsed(words)
    is_here = os.path.exists(arguments.audit)
    spark.sparkContext.addPyFile(firemeter_stages.__file__)
    arguments.program = audit_in(os.path.realpath(arguments.audit) if is_here else SparkFiles.get(arguments.audit))
    for name in {"audit", "seed", "sizes"} & vars(arguments).keys():
        setattr(arguments, name, shipped(spark, getattr(arguments, name)))
    try:
        return {"totals": totals, "import": import_session, "replay": replay}[arguments.job](spark, arguments)
    except Refused as refusal:
        sys.stderr.buffer.write(refusal.message)
        return refusal.status
    except NothingRead as nothing:
        # Refused as one process refuses it.
        return subprocess.run([*arguments.program, *found(nothing.command)], stdin=subprocess.DEVNULL).returncode
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        print(f"audit: cannot read {named(arguments)}: no such file", file=sys.stderr)
        return 65


def main():
    spark = SparkSession.builder.appName("firemeter").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    sys.exit(run(spark, sys.argv[1:]))


if __name__ == "__main__":
    main()
