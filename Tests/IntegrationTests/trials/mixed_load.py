# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""All workers at once, until the emulator is killed."""

import itertools
import random
import threading

from .calls import Gone
from .firestore_workers import commit_pairs_over_grpc, commit_pairs_over_rest, count_in_transactions, listen
from .storage_workers import STORAGE_WORKERS, write_objects


class MixedLoad:
    """All workers, each in its thread; `join` waits for their ends once the emulator is gone."""

    def __init__(self, emulator, client, expectations, seed):
        numbers = itertools.count()

        def chance():
            return random.Random(f"{seed} {next(numbers)}")

        jobs = [(write_objects, (emulator, expectations, worker, chance())) for worker in STORAGE_WORKERS]
        jobs += [
            (commit_pairs_over_rest, (emulator, expectations, "rest", chance())),
            (commit_pairs_over_grpc, (client, expectations, "grpc", chance())),
            (count_in_transactions, (client, expectations, "one")),
            (count_in_transactions, (client, expectations, "two")),
            (listen, (client, expectations)),
        ]
        self.failures = []
        self._threads = [threading.Thread(target=self._run, args=job, daemon=True) for job in jobs]
        for thread in self._threads:
            thread.start()

    def _run(self, job, arguments):
        try:
            job(*arguments)
        except Gone:
            pass
        except Exception as error:  # noqa: BLE001 (reported by the trial)
            self.failures.append(f"{job.__name__}: {type(error).__name__}: {error}")

    def join(self):
        for thread in self._threads:
            thread.join(timeout=30)
        self.failures += [f"{thread.name} still runs" for thread in self._threads if thread.is_alive()]
