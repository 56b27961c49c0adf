#!/usr/bin/env python3
# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0
"""A link between clients and servers of this machine: a round-trip time, and a rate that all its connections share.

    tools/bench/shaped_relay.py --down 9000 --up 1500 --rtt 60 127.0.0.1:8080 127.0.0.1:9199

prints where each server is to be reached through the link, a line of JSON, and relays until it is told to end. Rates are in
kbit/s (1,000 bits), the round-trip time in milliseconds. A new connection takes a round trip before its first byte, as TCP's
handshake does. No name look-up, TLS, slow start or loss is imitated: on a link that one page fills, the rate decides.
"""

import argparse
import asyncio
import json

PIECE = 2 << 10
"""What is let through at once: connections that send at the same time take turns by pieces of so many bytes."""

WINDOW = 1 << 20
"""Bytes on their way to a receiver who does not take them, as with TCP; the sender waits for him."""

AHEAD = 0.01
"""Seconds that a piece may wait in the link's queue while its sender goes on."""


class Direction:
    """One direction of the link: bytes leave one after the other at its rate, and arrive half a round trip later."""

    def __init__(self, kilobits_per_second, delay):
        self._seconds_per_byte = 8 / (kilobits_per_second * 1000)
        self._free_at = 0.0
        self._delay = delay

    async def relay(self, reader, writer, not_before=0.0):
        """Relays until the sender has ended or the receiver has gone; what comes before a time waits for it."""
        under_way = asyncio.Queue(WINDOW // PIECE)
        delivery = asyncio.create_task(_deliver(under_way, writer))
        sending = asyncio.create_task(self._send(reader, under_way, not_before))
        try:
            # Bytes already sent still arrive; a closed connection is sent nothing more.
            await asyncio.wait([delivery, sending], return_when=asyncio.FIRST_EXCEPTION)
            for task in (delivery, sending):
                if task.done():
                    task.result()
        finally:
            delivery.cancel()
            sending.cancel()

    async def _send(self, reader, under_way, not_before):
        clock = asyncio.get_running_loop().time
        while data := await reader.read(PIECE):
            leaves_at = self._free_at = max(clock(), self._free_at) + len(data) * self._seconds_per_byte
            await under_way.put((max(leaves_at, not_before) + self._delay, data))
            # The link's queue is short, so that all senders get their share, and not empty when one of them wakes up late.
            await asyncio.sleep(max(0.0, leaves_at - AHEAD - clock()))
        await under_way.put((max(clock(), not_before) + self._delay, b""))


async def _deliver(under_way, writer):
    clock = asyncio.get_running_loop().time
    while True:
        arrives_at, data = await under_way.get()
        await asyncio.sleep(max(0.0, arrives_at - clock()))
        if not data:
            return writer.write_eof()
        writer.write(data)
        await writer.drain()


async def open_link(target, down, up, rtt):
    """Listens on a free port; returns its address and the listener."""
    host, port = target.rsplit(":", 1)

    async def relay(client_reader, client_writer):
        server_writer = None
        try:
            # The client's bytes wait for the handshake, which takes a round trip.
            connected_at = asyncio.get_running_loop().time() + rtt
            server_reader, server_writer = await asyncio.open_connection(host, int(port), limit=PIECE)
            async with asyncio.TaskGroup() as directions:
                directions.create_task(up.relay(client_reader, server_writer, not_before=connected_at))
                directions.create_task(down.relay(server_reader, client_writer))
        except* OSError:
            pass  # one of the two has gone, or there is no server: the other learns it by the end of its connection
        finally:
            for writer in filter(None, (client_writer, server_writer)):
                writer.close()

    server = await asyncio.start_server(relay, "127.0.0.1", 0, limit=PIECE, backlog=256)
    return "127.0.0.1:%d" % server.sockets[0].getsockname()[1], server


async def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--down", type=float, required=True, help="kbit/s towards the clients")
    parser.add_argument("--up", type=float, required=True, help="kbit/s towards the servers")
    parser.add_argument("--rtt", type=float, required=True, help="round-trip time in milliseconds")
    parser.add_argument("servers", nargs="+", metavar="HOST:PORT")
    options = parser.parse_args()
    rtt = options.rtt / 1000
    down, up = Direction(options.down, rtt / 2), Direction(options.up, rtt / 2)
    links = [await open_link(target, down, up, rtt) for target in options.servers]
    print(json.dumps({target: link[0] for target, link in zip(options.servers, links)}), flush=True)
    await asyncio.gather(*(server.serve_forever() for _, server in links))


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
