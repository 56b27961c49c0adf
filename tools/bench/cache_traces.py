# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""Synthetic traces in the format oracleGeneral: popularity after Zipf's law, log-normal sizes."""
import numpy as np

MEDIAN_BYTES = 80_000
SIGMA = 1.0
RECORD = np.dtype([("time", "<u4"), ("id", "<u8"), ("size", "<u4"), ("next", "<i8")])


def write_trace(path, requests, objects, seed):
    """Writes a trace whose popularity falls with the first power of the rank."""
    random = np.random.default_rng(seed)
    shares = np.cumsum(1 / np.arange(1, objects + 1))
    ranks = np.searchsorted(shares / shares[-1], random.random(requests))
    sizes = np.exp(random.normal(np.log(MEDIAN_BYTES), SIGMA, objects)).clip(1, 2**31).astype(np.uint32)
    trace = np.zeros(requests, dtype=RECORD)
    trace["time"] = np.arange(requests) // 100
    trace["id"] = random.permutation(objects).astype(np.uint64)[ranks] * np.uint64(1_000_003)
    trace["size"] = sizes[ranks]
    trace["next"] = following(ranks)
    trace.tofile(path)


def following(ranks):
    """The number of the next request of the same object; -1 where there is none."""
    order = np.argsort(ranks, kind="stable")
    result = np.full(len(ranks), -1, dtype=np.int64)
    is_again = ranks[order][:-1] == ranks[order][1:]
    result[order[:-1][is_again]] = order[1:][is_again]
    return result
