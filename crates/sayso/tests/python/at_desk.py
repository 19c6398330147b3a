"""Does something to a desk behind its back. The arguments are its file and statements of SQL."""

import os
import sqlite3
import sys

with sqlite3.connect(sys.argv[1], timeout=30) as desk:
    desk.executescript(sys.argv[2])
# Whoever closes the last connection would take the log away, which the desk mentions.
os._exit(0)
