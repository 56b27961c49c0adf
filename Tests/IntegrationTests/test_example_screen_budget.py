# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""What a screen of an app may cost, as a test: copy `UsageMeter` into your own."""

import json
import urllib.request

import feeds


class UsageMeter:
    """Asks a running emulator what was used.

        with UsageMeter() as meter:
            show_feed_screen()
        assert meter.usage["billed"]["documentReads"] <= 6
        assert meter.usage["bytes"]["sent"] <= 400_000
    """

    def __init__(self, console="127.0.0.1:4000"):
        self.console = console

    def __enter__(self):
        self.mark = self._ask("POST", "/usage/marks")["mark"]
        return self

    def __exit__(self, *_):
        self.usage = self._ask("GET", f"/usage?since={self.mark}")

    def _ask(self, method, path):
        request = urllib.request.Request(f"http://{self.console}{path}", method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


def show_feed_screen(emulator):
    """The first documents of the feed, and the thumbnail of each."""
    for document in feeds.run_posts_query(emulator, limit=3)[1]:
        fields = document["fields"]
        thumbnail = fields["images"]["arrayValue"]["values"][0]["mapValue"]["fields"]
        name = f"{fields['userID']['stringValue']}/{fields['feedID']['stringValue']}/0"
        emulator.get(name, bucket=feeds.BUCKET, token=thumbnail["token"]["stringValue"])


def test_the_feed_screen_costs_at_most_6_reads_and_400_kb(seeded_emulator):
    with UsageMeter(seeded_emulator.console) as meter:
        show_feed_screen(seeded_emulator)
    assert meter.usage["billed"]["documentReads"] <= 6
    assert meter.usage["bytes"]["sent"] <= 400_000
