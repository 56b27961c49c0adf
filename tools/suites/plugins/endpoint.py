# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""A pytest plugin: turns Google's Cloud Storage client to the server at SUITE_ENDPOINT, credentials and all.

The client has a variable for that. The suite looks at it when it is imported, and would skip tests; the client looks
when it is made. So the variable is set between the two.
"""

import os


def pytest_collection_finish():
    os.environ["API_ENDPOINT_OVERRIDE"] = os.environ["SUITE_ENDPOINT"]
