# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""Usage logs of Cloud Storage that chance makes."""
import gzip
import random

COLUMNS = (
    "time_micros,c_ip,c_ip_type,c_ip_region,cs_method,cs_uri,sc_status,cs_bytes,sc_bytes,time_taken_micros,cs_host,cs_referer,"
    "cs_user_agent,s_request_id,cs_operation,cs_bucket,cs_object"
).split(",")


def row(fields):
    return ",".join(f'"{field}"' for field in fields)


def usage_rows(count, seed=1, heavy_share=0.0):
    """Rows of a usage log; a share of them is one user's."""
    chance = random.Random(seed)
    time = 1_790_000_000_000_000
    for number in range(count):
        time += chance.randrange(3_000_000)
        user = 0 if chance.random() < heavy_share else chance.randrange(200)
        name = f"u{chance.randrange(9)}/p{chance.randrange(40)}/{chance.randrange(3)}"
        kinds = [(200, "GET_Object")] * 8 + [(304, "GET_Object"), (404, "GET_Object"), (200, "PUT_Object")]
        status, operation = chance.choice(kinds)
        size = chance.randrange(400_000) if status == 200 else 0
        yield row(
            [time, f"10.0.0.{user}", 1, "", operation[:3], f"/feed/{name}", status, 99, size, 1_000, "storage.googleapis.com", ""]
            + ["okhttp/4.9", f"id-{seed}-{number}", operation, "feed.appspot.com", name]
        )


def write_usage(path, rows):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt") as file:
        file.write("\n".join([row(COLUMNS), *rows]) + "\n")
    return path
