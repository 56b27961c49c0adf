# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""`gcloud storage` against the emulator, its API endpoint pointed at us."""

import os
import shutil
import subprocess
import uuid

import pytest

pytestmark = [
    pytest.mark.skipif(shutil.which("gcloud") is None, reason="the Google Cloud CLI is not installed"),
    pytest.mark.timeout(300),
]

MIB = 1 << 20


@pytest.fixture
def gcloud(emulator, tmp_path):
    environment = dict(os.environ)
    environment |= {
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE": f"http://{emulator.storage}/storage/v1/",
        "CLOUDSDK_AUTH_DISABLE_CREDENTIALS": "true",
        "CLOUDSDK_CONFIG": str(tmp_path / "gcloud"),
        "CLOUDSDK_CORE_PROJECT": "demo-test",
        "CLOUDSDK_CORE_DISABLE_PROMPTS": "true",
        "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING": "true",
        "CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK": "true",
    }

    def run(*arguments, code=0):
        result = subprocess.run(
            ["gcloud", "storage", *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=240
        )
        assert result.returncode == code, result.stderr
        return result.stdout

    return run


@pytest.fixture
def bucket(gcloud):
    address = f"gs://bucket-{uuid.uuid4().hex}"
    gcloud("buckets", "create", address)
    return address


def test_100_mebibytes_go_up_and_come_back(gcloud, bucket, tmp_path):
    big, back = tmp_path / "big.bin", tmp_path / "back.bin"
    big.write_bytes(os.urandom(MIB) * 100)
    gcloud("cp", big, f"{bucket}/dir/big.bin")
    gcloud("cp", f"{bucket}/dir/big.bin", back)
    assert back.read_bytes() == big.read_bytes()


def test_ls_cat_rm(gcloud, bucket, tmp_path):
    for name, text in [("a.txt", "hello"), ("b.txt", "world")]:
        (tmp_path / name).write_text(text)
        gcloud("cp", tmp_path / name, f"{bucket}/docs/{name}")
    assert gcloud("ls", bucket).split() == [f"{bucket}/docs/"]
    assert gcloud("ls", f"{bucket}/docs/").split() == [f"{bucket}/docs/a.txt", f"{bucket}/docs/b.txt"]
    assert gcloud("cat", f"{bucket}/docs/*.txt") == "helloworld"
    gcloud("rm", f"{bucket}/docs/a.txt")
    assert gcloud("ls", "--recursive", f"{bucket}/**").split() == [f"{bucket}/docs/b.txt"]
    gcloud("cat", f"{bucket}/docs/a.txt", code=1)


def test_rsync_makes_a_folder_the_same_and_touches_nothing_else(gcloud, bucket, tmp_path):
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    for name in ["one.txt", "two.txt", "inner/three.txt"]:
        (folder / name).write_text(name)
    gcloud("rsync", "--recursive", folder, f"{bucket}/copy")
    names = [f"{bucket}/copy/{name}" for name in ["inner/three.txt", "one.txt", "two.txt"]]
    assert gcloud("ls", f"{bucket}/**").split() == names
    (folder / "two.txt").unlink()
    (folder / "one.txt").write_text("changed")
    gcloud("rsync", "--recursive", "--delete-unmatched-destination-objects", folder, f"{bucket}/copy")
    assert gcloud("ls", f"{bucket}/**").split() == names[:2]
    assert gcloud("cat", f"{bucket}/copy/one.txt") == "changed"
    back = tmp_path / "back"
    back.mkdir()
    gcloud("rsync", "--recursive", f"{bucket}/copy", back)
    assert (back / "inner/three.txt").read_text() == "inner/three.txt"
