# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""The client under load, cancellations and faults, and killed while it writes its cache."""

import json
import os
import random
import subprocess
import time

import pytest

from harness import BINARIES

# A few rounds by default; FIREMETER_CRASH_ROUNDS asks for more.
CRASH_ROUNDS = int(os.environ.get("FIREMETER_CRASH_ROUNDS", "12"))
IMAGES = 1_000
WORKERS = 64


def trial(mode, directory, *arguments, **options):
    command = [str(BINARIES / "FeedTrial"), mode, "--directory", str(directory), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, **options)


def test_every_image_is_right_or_a_typed_error_and_none_is_loaded_twice(emulator, tmp_path):
    storage = f"http://{emulator.storage}"
    arguments = ["--storage", storage, "--images", IMAGES, "--workers", WORKERS]
    with trial("stress", tmp_path / "cache", *arguments) as process:
        summary = json.loads(process.communicate(timeout=50)[0])
    assert summary["wrong"] == 0 and summary["otherErrors"] == 0 and summary["diskWriteFailures"] == 0
    assert summary["right"] > IMAGES and summary["cancelled"] > 0 and summary["faults"] > 0
    assert summary["networkLoads"] <= IMAGES
    assert summary["bytes"]["again"] == 0

    others = ("storage.objects.insert", "storage.faults")
    usage = emulator.usage(by="operation")
    sent = sum(group["bytes"]["bodySent"] for operation, group in usage.items() if operation not in others)
    # The part of a cancelled download that the client's kernel had received, and the client had not, is in the meter's count alone.
    booked = sum(summary["bytes"].values())
    assert booked <= sent
    assert sent - booked <= summary["cancelled"] * 60_000


@pytest.mark.timeout(600)
def test_no_wrong_image_is_shown_after_kill_9(tmp_path):
    moments = random.Random(6)
    directory = tmp_path / "cache"
    for number in range(CRASH_ROUNDS):
        # Two processes share the directory; one of them is killed at any moment, the other continues.
        writers = [trial("crash", directory, "--seed", 2 * number + which, "--views", 40) for which in (0, 1)]
        assert writers[0].stdout.readline() == "begun\n"
        time.sleep(moments.uniform(0, 0.08))
        writers[0].kill()
        for writer in writers:
            said = writer.communicate(timeout=60)[0]
            assert "WRONG" not in said
        assert writers[1].returncode == 0

    # All that is left is right, and is found.
    with trial("crash", directory, "--seed", 999, "--views", 300) as process:
        said = process.communicate(timeout=60)[0].split()
    assert "WRONG" not in said
    assert int(said[said.index("disk") + 1]) > 0
