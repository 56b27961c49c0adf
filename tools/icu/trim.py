#!/usr/bin/env python3
"""Leaves out of ICU's data what Firemeter never asks for: `trim.py icudt.dat small.dat`.

Foundation, linked in, brings 34 MB of locales, code pages and dictionaries; Firemeter formats and compares in the root
locale, and its texts are UTF-8. Kept are the root and English locales, time zones, normalization and what belongs to no
locale: ICU falls back to the root for every other one.

The format is that of ICU's `pkgdata --mode common` (unicode-org/icu 76, `source/tools/toolutil/package.cpp`): a header,
then a table of contents of names and offsets in the order of the names, then the items at multiples of 16 bytes.
"""
import re
import struct
import sys

HEADER_MAGIC = b"\xda\x27"
ALIGNMENT = 16
LOCALE = re.compile(r"^[a-z]{2,3}(_\w+)?$")
LOCALES_KEPT = {"root", "en", "en_001", "en_US", "en_US_POSIX"}
# Code pages, dictionaries of word breaks, string preparation, confusable characters.
KINDS_LEFT_OUT = {"cnv", "dict", "spp", "cfu"}


def is_kept(path):
    stem, _, kind = path.rsplit("/", 1)[-1].rpartition(".")
    if kind in KINDS_LEFT_OUT or stem == "unames" or "/translit/" in path:
        return False
    return kind != "res" or not LOCALE.match(stem) or stem in LOCALES_KEPT


def read_items(data):
    """The header and the items, each a path and its bytes."""
    header_size = struct.unpack_from("<H", data)[0]
    if data[2:4] != HEADER_MAGIC:
        raise ValueError("these are not ICU's data")
    contents = data[header_size:]
    count = struct.unpack_from("<I", contents)[0]
    entries = [struct.unpack_from("<II", contents, 4 + 8 * index) for index in range(count)]
    ends = [start for _, start in entries[1:]] + [len(contents)]
    items = []
    for (name, start), end in zip(entries, ends):
        items.append((contents[name : contents.index(b"\0", name)], contents[start:end]))
    return data[:header_size], items


def padded(data):
    return data + b"\0" * (-len(data) % ALIGNMENT)


def write_items(header, items):
    names = b"".join(path + b"\0" for path, _ in items)
    table_size = 4 + 8 * len(items)
    name_at, item_at = table_size, table_size + len(names)
    item_at += -item_at % ALIGNMENT
    table, bodies = struct.pack("<I", len(items)), b""
    for path, item in items:
        table += struct.pack("<II", name_at, item_at + len(bodies))
        name_at += len(path) + 1
        bodies += padded(item)
    return header + padded(table + names) + bodies


def main():
    with open(sys.argv[1], "rb") as file:
        header, items = read_items(file.read())
    with open(sys.argv[2], "wb") as file:
        file.write(write_items(header, [(path, item) for path, item in items if is_kept(path.decode())]))


if __name__ == "__main__":
    main()
