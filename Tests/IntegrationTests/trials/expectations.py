# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Versions to be found after a kill: those acknowledged, and perhaps those of changes whose answers never came."""

import itertools
import threading

# The version of a name that is not there.
ABSENT = 0


class Expectations:
    """The versions of names. No two workers change the same name, and no version is used twice."""

    def __init__(self):
        self._lock = threading.Lock()
        self._versions = itertools.count(1)
        self.confirmed = {}
        self.unanswered = []
        self.acknowledged = 0
        # Unanswered changes that were found made.
        self.made_unanswered = 0
        # The latest versions that listeners were sent.
        self.seen = {}

    def version(self):
        return next(self._versions)

    def change(self, changes, call):
        """Makes a change of several names at once by a call, which returns whether it was made.

        A call that breaks off leaves open whether it was made: all of its names have changed then, or none.
        """
        with self._lock:
            self.unanswered.append(changes)
        is_made = call()
        with self._lock:
            self.unanswered.remove(changes)
            if is_made:
                self.confirmed.update(changes)
                self.acknowledged += 1

    def see(self, name, version):
        """Notes a version that a listener was sent; such names are never deleted."""
        with self._lock:
            self.seen[name] = max(version, self.seen.get(name, ABSENT))

    def candidates(self, name):
        """The versions that a name may have now."""
        return {self.confirmed.get(name, ABSENT)} | {changes[name] for changes in self.unanswered if name in changes}

    def settle(self, found):
        """Compares with the versions found after a restart, which are taken as known from then on.

        Returns two lists of sentences: on losses, and on changes that were half-done.
        """
        half_done = []
        for changes in self.unanswered:
            made = [found.get(name, ABSENT) == version for name, version in changes.items()]
            if all(made):
                self.confirmed.update(changes)
                self.made_unanswered += 1
            elif any(made):
                half_done.append(f"of one change, only a part was made: {changes}")
        self.unanswered = []
        half_done += [f"{name} appeared from nowhere" for name in found.keys() - self.confirmed.keys()]
        lost = [
            f"{name} has version {found.get(name, ABSENT)}, though {version} was acknowledged"
            for name, version in self.confirmed.items()
            if found.get(name, ABSENT) != version
        ]
        lost += [
            f"{name} has version {found.get(name, ABSENT)}, though a listener was sent {version}"
            for name, version in self.seen.items()
            if found.get(name, ABSENT) < version
        ]
        self.seen = {}
        return lost, half_done
