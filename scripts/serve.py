#!/usr/bin/env python3
"""serve.py FOLDER: serves a folder to this machine alone, on a free port, until it is interrupted."""

import functools
import http.server
import signal
import sys


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def main(folder: str) -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        print(f"The explorer is at http://127.0.0.1:{server.server_port}/ (Ctrl-C ends it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main(sys.argv[1])
