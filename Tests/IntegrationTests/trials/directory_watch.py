# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Linux' inotify: what happens to the names in a directory, as it happens."""

import ctypes
import os
import select
import struct

MODIFY, MOVED_FROM, MOVED_TO, CREATE = 0x02, 0x40, 0x80, 0x100
# Watch descriptor, mask, cookie, length of the name.
_EVENT = struct.Struct("iIII")


class DirectoryWatch:
    """Waits for events in a directory that exists."""

    def __init__(self, path, mask):
        library = ctypes.CDLL(None, use_errno=True)
        self._descriptor = library.inotify_init1(os.O_CLOEXEC)
        if self._descriptor < 0 or library.inotify_add_watch(self._descriptor, os.fsencode(path), mask) < 0:
            raise OSError(ctypes.get_errno(), "inotify", str(path))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._descriptor)

    def events(self, seconds):
        """The next events as (mask, name); none when nothing happens for this long."""
        readable, _, _ = select.select([self._descriptor], [], [], seconds)
        if not readable:
            return []
        data, offset, found = os.read(self._descriptor, 1 << 16), 0, []
        while offset < len(data):
            _, mask, _, length = _EVENT.unpack_from(data, offset)
            name = data[offset + _EVENT.size : offset + _EVENT.size + length].rstrip(b"\0").decode()
            found.append((mask, name))
            offset += _EVENT.size + length
        return found
