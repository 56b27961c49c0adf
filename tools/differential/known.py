# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The differences that are no bugs of ours: lines of signature (`*` is anything), tab, which side is right and why."""

import pathlib
import re

FILE = pathlib.Path(__file__).with_name("known-differences.txt")


class KnownDifferences:
    """Recognizes signatures."""

    def __init__(self, path=FILE):
        lines = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
        self.patterns = []
        for line in lines:
            signature, tab, reason = line.partition("\t")
            if not tab:
                raise ValueError(f"{path.name}: no tab in {signature!r}")
            expression = ".*".join(map(re.escape, signature.split("*")))
            self.patterns.append((re.compile(expression, re.DOTALL), reason))

    def reason(self, signature):
        """Why a difference is fine; `None` for one that is not."""
        return next((reason for pattern, reason in self.patterns if pattern.fullmatch(signature)), None)
