# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""Usage logs of Cloud Storage, as cloud_storage_usage_schema_v0.json has them."""

COLUMNS = (
    "time_micros,c_ip,c_ip_type,c_ip_region,cs_method,cs_uri,sc_status,cs_bytes,sc_bytes,time_taken_micros,cs_host,cs_referer,"
    "cs_user_agent,s_request_id,cs_operation,cs_bucket,cs_object"
).split(",")
# An operation by the name of usage logs, and by that of reports.
OPERATIONS = {"GET_Object": "storage.objects.get", "PUT_Object": "storage.objects.insert"}


def row(fields):
    """A line: all fields are quoted."""
    return ",".join(f'"{field}"' for field in fields) + "\n"
