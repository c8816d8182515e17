"""Measures what the client adds to a call of bare httpx: `python bench.py [calls]`, with HOLDFAST_URL set or without.

Without an installation it calls a small server of its own. Both have their turn of twenty, so that both meet the same machine.
"""

import json
import os
import statistics
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import perf_counter

import httpx

from holdfast import Holdfast


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Otherwise the end of each answer waits for the acknowledgement of its beginning.
    disable_nagle_algorithm = True

    def do_GET(self):
        body = b'{"status":"up"}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def address():
    if "HOLDFAST_URL" in os.environ:
        return os.environ["HOLDFAST_URL"]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def turn(call, times):
    for _ in range(20):
        begin = perf_counter()
        call()
        times.append((perf_counter() - begin) * 1000)


calls = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
url = address()
client, bare_client = Holdfast(base_url=url, api_key="sk-holdfast-none"), httpx.Client()
bare, ours = [], []
for count in range(calls // 20 + 10):
    # The first turns warm both up.
    keep = count >= 10
    turns = [(lambda: bare_client.get(f"{url}/health/live").json(), bare), (client.health.check_liveness, ours)]
    for call, times in turns if count % 2 == 0 else turns[::-1]:
        turn(call, times if keep else [])
bare_ms, client_ms = statistics.median(bare), statistics.median(ours)
figures = {"bareMs": bare_ms, "clientMs": client_ms, "overheadMs": client_ms - bare_ms}
print(json.dumps({name: round(value, 3) for name, value in figures.items()}))
