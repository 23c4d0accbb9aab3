"""Somebody else's server, httpbin, on a port of the system's choice.

    httpbin_server.py FOLDER

It writes its port to the file `port` in the folder, and serves 127.0.0.1 until its parent has ended.
"""

import os

# What the parent had open when it started this: a copy would keep its connections alive when it closes them.
os.closerange(3, 65536)

import sys
import threading
import time

import httpbin
from werkzeug.serving import make_server


def watch_parent():
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


folder = sys.argv[1]
threading.Thread(target=watch_parent, daemon=True).start()
server = make_server("127.0.0.1", 0, httpbin.app, threaded=True)
with open(os.path.join(folder, "port.new"), "w") as file:
    file.write(str(server.server_port))
os.rename(file.name, os.path.join(folder, "port"))
server.serve_forever()
