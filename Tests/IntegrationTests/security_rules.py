# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Security Rules that are put in force for a project, and the file that reports about judgements are compared by."""

import requests

from harness import DOCUMENTS

OWNER = {"Authorization": "Bearer owner"}
PROJECT = DOCUMENTS.split("/")[1]
# Lines and offsets in it are those of the official emulator's reports in the tests.
TWO_CONDITIONS = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    function own(u) { let a = request.auth; return a.uid == u; }
    match /c/{id} {
      allow get: if resource.data.n > 1;
      allow get: if id in ['x'] || zz;
    }
  }
}
"""


def put_rules(emulator, source, project=PROJECT):
    body = {"rules": {"files": [{"name": "security.rules", "content": source}]}}
    url = f"http://{emulator.firestore}/emulator/v1/projects/{project}:securityRules"
    assert requests.put(url, json=body, headers=OWNER, timeout=20).status_code == 200
