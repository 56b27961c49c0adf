# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Keys of service accounts, for clients that want one."""

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa


def service_account_key(project, token_uri):
    """A well-formed key that opens nothing."""
    private_key = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return {
        "type": "service_account",
        "project_id": project,
        "private_key_id": "none",
        "private_key": private_key.decode(),
        "client_email": f"nobody@{project}.iam.gserviceaccount.com",
        "token_uri": token_uri,
    }
