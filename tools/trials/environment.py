# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Shared by the scripts here: the tests' clients, and the emulator under trial."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "Tests/IntegrationTests"
PREPARE = ". tools/suites/environments.sh; prepare_environment .venv-integration Tests/IntegrationTests/requirements.txt"


def enter(*products):
    """Makes the tests' modules importable, in their environment; builds products (default: firemeter) unless FIREMETER_BIN
    says where they are."""
    try:
        import google.cloud.firestore  # noqa: F401
        import pillow_heif  # noqa: F401
        import requests  # noqa: F401
    except ImportError:
        subprocess.run(["bash", "-euc", PREPARE], cwd=ROOT, check=True)
        python = ROOT / ".venv-integration/bin/python"
        os.execv(python, [str(python), *sys.argv])
    if "FIREMETER_BIN" not in os.environ:
        built = subprocess.run([ROOT / "tools/build", *(products or ["firemeter"])], check=True, stdout=subprocess.PIPE, text=True)
        os.environ["FIREMETER_BIN"] = built.stdout.strip()
    sys.path.insert(0, str(TESTS))


def show(verdicts):
    """Prints each verdict; returns the script's exit code, 1 where one does not hold."""
    words = {True: "holds      ", False: "FALLS SHORT", None: "not judged "}
    for sentence, holds in verdicts:
        print(f"{words[holds]}  {sentence}")
    return int(any(holds is False for _, holds in verdicts))
