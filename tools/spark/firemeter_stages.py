# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""The work of the job's workers: each of these functions makes a stage, in which `audit` reads rows and Spark gets others."""
import bisect
import contextlib
import os
import struct
import subprocess
import tempfile

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import SparkFiles, TaskContext

# The rows between the stages: what data is of, from which split, and its place among the rows of the split.
ROWS = "kind int, split long, place int, data binary"
ROWS_OF_BATCH = 500
# Kinds from 0 on are classes of ids or users, those below are reports, which are shared out likewise.
REFUSAL, VIEWS = -1 << 31, 1000
# Exit codes of `audit` that another attempt would end with, too: wrong usage, unreadable data.
REFUSALS = (64, 65)
# The scheme of a local file's path.
LOCAL = "file:"


class Audit:
    """A run of `audit` on a file, or on what is written to it."""

    def __init__(self, name, arguments, folder, file=subprocess.PIPE):
        self.name = arguments[0]
        self.output = open(os.path.join(folder, "output"), "w+b")
        self.errors = open(os.path.join(folder, "errors"), "w+b")
        self.process = subprocess.Popen(
            [*audit_in(SparkFiles.get(name)), *found(arguments)],
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


def audit_in(program):
    """The words that call `audit` in a program: `firemeter` has it as a command. Links do not keep their names with Spark."""
    return [program, "audit"] if os.path.basename(program) == "firemeter" else [program]


def found(arguments):
    """Arguments with the paths that files have here; a file that travels with the job is named `@name`."""
    return [SparkFiles.get(argument[1:]) if argument.startswith("@") else argument for argument in arguments]


def text_of(lines):
    """Lines as they are in a file."""
    whole = pa.ListArray.from_arrays(pa.array([0, len(lines)], pa.int32()), lines.cast(pa.binary()))
    return pc.binary_join(whole, b"\n")[0].as_buffer()


def rows(*pairs, split=0, place=0):
    kinds, data = zip(*pairs)
    columns = [
        pa.array(kinds, pa.int32()),
        pa.array([split] * len(kinds), pa.int64()),
        pa.array(range(place, place + len(kinds)), pa.int32()),
        pa.array(data, pa.binary()),
    ]
    return pa.RecordBatch.from_arrays(columns, names=["kind", "split", "place", "data"])


def line_rows(kind, text):
    lines = pc.list_flatten(pc.split_pattern(pa.array([text.removesuffix(b"\n")], pa.binary()), pattern=b"\n"))
    kinds, zeros = (pa.repeat(pa.scalar(number, pa.int32()), len(lines)) for number in (kind, 0))
    return pa.RecordBatch.from_arrays([kinds, zeros.cast(pa.int64()), zeros, lines], names=["kind", "split", "place", "data"])


class Reading:
    """How each split is read: by which command, which also writes a file of records that are shared out by their classes."""

    def __init__(self, audit, command, records, reducers, is_numbered=False):
        self.audit, self.command, self.records, self.reducers = audit, command, records, reducers
        self.is_numbered = is_numbered

    def begin(self, folder, more=(), split=0, file=subprocess.PIPE):
        number = ["--number", str(split)] if self.is_numbered else []
        path = os.path.join(folder, "records")
        return Audit(self.audit, [*self.command, *more, *number, self.records, path], folder, file)

    def finish(self, process, folder, split=0, name="a split"):
        yield from results(process, self.reducers, os.path.join(folder, "records"), name, split)


def audited_files(reading, more, splits):
    """A stage: has each file audited as it is, and hands on its report and the records of its requests.

    A file of this machine is opened by `audit`; the contents of others come with their paths.
    """

    def stage(batches):
        for batch in batches:
            for path, *content in zip(batch.column("path").to_pylist(), *batch.columns[1:]):
                with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as opened:
                    file = subprocess.PIPE if content else opened.enter_context(open(path.removeprefix(LOCAL), "rb"))
                    process = reading.begin(folder, more, splits[path], file)
                    if content:
                        process.write(content[0].as_buffer())
                    yield from reading.finish(process, folder, splits[path], path)

    return stage


def audited_splits(reading, more, head, splits):
    """A stage: has the lines of each split of a file audited, behind those of the head."""

    def stage(batches):
        with contextlib.ExitStack() as ended:
            former = process = folder = None
            for batch in batches:
                for (path, start), lines in runs(batch):
                    split = splits[path] + start
                    if split != former:
                        if process:
                            yield from reading.finish(process, folder, former)
                        folder = ended.enter_context(tempfile.TemporaryDirectory())
                        former, process = split, reading.begin(folder, more, split)
                        for line in head:
                            process.write(line + b"\n")
                    write_lines(process, lines, head)
            if process:
                yield from reading.finish(process, folder, former)

    return stage


def runs(batch):
    """The lines of each split in a batch, which follow each other, behind path and start of the split."""
    lines, paths, starts = batch.columns
    begin = 0
    while begin < len(lines):
        key = (paths[begin].as_py(), starts[begin].as_py())
        rest = range(begin, len(lines))
        count = bisect.bisect_left(rest, True, key=lambda line: (paths[line].as_py(), starts[line].as_py()) != key)
        yield key, lines[begin : begin + count]
        begin += count


def write_lines(process, lines, head):
    lines = lines.filter(pc.invert(pc.is_in(lines.cast(pa.binary()), pa.array(head, pa.binary()))))
    if len(lines):
        process.write(text_of(lines))
        process.write(b"\n")


def audited_users(audit, arguments, reducers, head=(), has_views=False):
    """A stage: has the requests of some users audited, or their views behind the lines of the head; hands on its report, and the
    lines of views that it wrote."""

    def stage(batches):
        with tempfile.TemporaryDirectory() as folder:
            views, process = os.path.join(folder, "views"), None
            for batch in batches:
                if process is None:
                    process = Audit(audit, [*arguments, *(["--views", views] if has_views else [])], folder)
                    for line in head:
                        process.write(line + b"\n")
                if batch.schema.names == ["value"]:
                    write_lines(process, batch.column(0), head)
                else:
                    for data in batch.column("data"):
                        process.write(data.as_buffer())
            if process is not None:
                yield from results(process, reducers)
            if os.path.exists(views):
                with open(views, "rb") as file:
                    while text := file.read(1 << 20) + file.readline():
                        yield line_rows(VIEWS, text)

    return stage


def results(process, reducers, records=None, name="a split", split=0):
    """The report of a process, and a row for each frame of records that it wrote."""
    report, refusal = process.finish()
    if refusal:
        yield rows((REFUSAL, refusal.replace(b"standard input", name.removeprefix(LOCAL).encode())))
        return
    found, place = [(-1 - TaskContext.get().partitionId() % reducers, report)], 0
    if records:
        with open(records, "rb") as file:
            while head := file.read(8):
                kind, words, count = struct.unpack("<HHI", head)
                found.append((kind, head + file.read(8 * count * words)))
                if len(found) == ROWS_OF_BATCH:
                    yield rows(*found, split=split, place=place)
                    found, place = [], place + len(found)
    if found:
        yield rows(*found, split=split, place=place)


def merged(audit, merge_command, duplicates=None):
    """A stage: merges the reports that come to it, and finds the requests that are in several splits."""

    def stage(batches):
        with tempfile.TemporaryDirectory() as folder:
            merge = find = None
            for batch in batches:
                for kind, data in zip(batch.column("kind").to_pylist(), batch.column("data")):
                    if kind == REFUSAL:
                        yield rows((REFUSAL, data.as_py()))
                    elif kind < 0:
                        merge = merge or Audit(audit, merge_command, made(folder, "merge"))
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
