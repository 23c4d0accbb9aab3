"""A server of HTTP/2 over TLS that breaks off as it is asked to, for tests of what a client then does.

    http2_faults.py FOLDER

It has its certificate and key in the folder, as server.pem and server.key, writes its port to the file `port` there, and serves
127.0.0.1 until its parent has ended. `/FAULT/NAME` suffers the fault the first time that it is asked for, and is answered afterwards;
`/FAULT/NAME?times=N` suffers it N times. A connection takes 10 requests of the fault `limited`, and gives up at the tenth of `limited-error`. `/told/FAULT/NAME` tells what became of it, as JSON: how often it was sent, on which
connections, and how often it was executed, that is, received whole and acted on, with how many bytes of body.
"""

import os

# What the parent had open when it started this: a copy would keep its connections alive when it closes them.
os.closerange(3, 65536)

import collections
import json
import socket
import ssl
import sys
import threading
import time
from urllib.parse import parse_qs, urlsplit

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

NO_ERROR = h2.errors.ErrorCodes.NO_ERROR
REFUSED = h2.errors.ErrorCodes.REFUSED_STREAM
INTERNAL = h2.errors.ErrorCodes.INTERNAL_ERROR
CANCEL = h2.errors.ErrorCodes.CANCEL
CALM = h2.errors.ErrorCodes.ENHANCE_YOUR_CALM

LOCK = threading.Lock()
TOLD = collections.defaultdict(lambda: {"sent": 0, "executed": 0, "connections": [], "bodies": []})
# Small enough for any window.
BODY = b"x" * 1000


class Closed(Exception):
    """The connection is to be closed now."""


class Connection:
    """One connection, on a thread of its own."""

    def __init__(self, sock, number):
        self.sock = sock
        self.number = number
        self.http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.requests = {}
        self.last = 0
        self.is_going = False
        # Faults that wait for a PING to be answered, by their streams.
        self.pinged = {}
        # How many requests it takes yet, once it is one that counts them.
        self.room = 10

    def run(self):
        self.http.initiate_connection()
        self.flush()
        while data := self.sock.recv(65536):
            for event in self.http.receive_data(data):
                self.take(event)
            self.flush()

    def flush(self):
        if data := self.http.data_to_send():
            self.sock.sendall(data)

    def take(self, event):
        if isinstance(event, h2.events.RequestReceived):
            fields = dict(event.headers)
            url = urlsplit(fields[":path"])
            times = int(parse_qs(url.query).get("times", ["1"])[0])
            told = TOLD[url.path]
            with LOCK:
                told["sent"] += not url.path.startswith("/told/")
                told["connections"].append(self.number)
                fault = url.path.split("/")[1] if told["sent"] <= times else ""
            if self.is_going:
                # What comes behind a GOAWAY isn't looked at (RFC 9113 §6.8).
                return
            self.requests[event.stream_id] = [url.path, fault, b""]
            if fault.startswith("limited"):
                self.room -= 1
                if self.room == 0:
                    self.last = event.stream_id
                    self.go_away(self.last, CALM if fault == "limited-error" else NO_ERROR)
                    if fault == "limited-error":
                        raise Closed
            self.begin(event.stream_id, fault)
        elif isinstance(event, h2.events.DataReceived):
            self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            request = self.requests.get(event.stream_id)
            if request is None:
                return
            request[2] += event.data
            if request[1] == "reset-upload":
                self.reset(event.stream_id, INTERNAL)
            if request[1] == "close-upload":
                raise Closed
        elif isinstance(event, h2.events.StreamEnded) and event.stream_id in self.requests:
            self.execute(event.stream_id, *self.requests.pop(event.stream_id))
            if self.room == 0 and not self.requests:
                raise Closed
        elif isinstance(event, h2.events.StreamReset):
            self.requests.pop(event.stream_id, None)
        elif isinstance(event, h2.events.PingAckReceived):
            stream = int.from_bytes(event.ping_data, "big")
            self.break_off(stream, self.pinged.pop(stream))

    def begin(self, stream, fault):
        """What befalls a request that isn't processed."""
        if fault == "refused":
            self.reset(stream, REFUSED)
        elif fault.startswith("unprocessed-"):
            self.requests.pop(stream)
            self.go_away(self.last, CALM if "-error" in fault else NO_ERROR)
            if fault.endswith("-close"):
                raise Closed
        elif fault == "early":
            # An answer for which the rest of the request isn't needed (RFC 9113 §8.1).
            self.requests.pop(stream)
            self.answer(stream, b"too much", status="413")
            self.reset(stream, NO_ERROR)
        else:
            self.last = stream

    def execute(self, stream, path, fault, body):
        """What befalls a request that is processed."""
        if path.startswith("/told/"):
            with LOCK:
                return self.answer(stream, json.dumps(TOLD[path.removeprefix("/told")]).encode())
        with LOCK:
            TOLD[path]["executed"] += 1
            TOLD[path]["bodies"].append(len(body))
        if fault in ("reset-before-head", "cancel-before-head", "close-before-head"):
            return self.break_off(stream, fault)
        if fault in ("reset-after-head", "close-after-head", "reset-in-body", "close-in-body"):
            self.http.send_headers(stream, [(":status", "200"), ("content-length", str(2 * len(BODY)))])
            if fault.endswith("-in-body"):
                self.http.send_data(stream, BODY)
            # What was sent is to be seen before what breaks it off: the client answers the PING behind it.
            self.http.ping(stream.to_bytes(8, "big"))
            self.pinged[stream] = fault
            return None
        if fault == "processed-error":
            return self.go_away(stream, INTERNAL)
        if fault == "processed-error-close":
            self.go_away(stream, INTERNAL)
            raise Closed
        if fault == "processed-error-in-body":
            self.http.send_headers(stream, [(":status", "200"), ("content-length", str(2 * len(BODY)))])
            self.http.send_data(stream, BODY)
            return self.go_away(stream, INTERNAL)
        if fault == "graceful":
            self.go_away(stream, NO_ERROR)
        if fault == "graceful-in-two":
            self.go_away(2**31 - 1, NO_ERROR)
        self.answer(stream, b"done")
        if fault == "graceful-in-two":
            self.go_away(stream, NO_ERROR)
            raise Closed

    def answer(self, stream, body, status="200"):
        self.http.send_headers(stream, [(":status", status), ("content-length", str(len(body)))])
        self.http.send_data(stream, body, end_stream=True)

    def break_off(self, stream, fault):
        if fault.startswith("close"):
            raise Closed
        self.reset(stream, CANCEL if fault.startswith("cancel") else INTERNAL)

    def reset(self, stream, code):
        self.requests.pop(stream, None)
        self.http.reset_stream(stream, code)

    def go_away(self, last, code):
        """Sends GOAWAY in bytes of our own: behind that of h2 nothing more could be sent."""
        self.is_going = True
        self.flush()
        self.sock.sendall(
            (8).to_bytes(3, "big") + b"\x07\x00" + bytes(4) + last.to_bytes(4, "big") + int(code).to_bytes(4, "big"))


def serve(sock, context, number):
    try:
        with context.wrap_socket(sock, server_side=True, suppress_ragged_eofs=True) as secured:
            connection = Connection(secured, number)
            try:
                connection.run()
            except Closed:
                connection.flush()
                secured.shutdown(socket.SHUT_WR)
                # What the client still sends is read away: closing on it could lose what was sent to it.
                secured.settimeout(2)
                while secured.recv(65536):
                    pass
    except (OSError, h2.exceptions.ProtocolError):
        pass


def watch_parent():
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    folder = sys.argv[1]
    context.load_cert_chain(os.path.join(folder, "server.pem"), os.path.join(folder, "server.key"))
    context.set_alpn_protocols(["h2"])
    threading.Thread(target=watch_parent, daemon=True).start()
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    with open(os.path.join(folder, "port.new"), "w") as file:
        file.write(str(listener.getsockname()[1]))
    os.rename(file.name, os.path.join(folder, "port"))
    number = 0
    while True:
        sock, _ = listener.accept()
        number += 1
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve, args=(sock, context, number), daemon=True).start()


main()
