"""Does something to a desk behind its back. The arguments are its file and statements of SQL."""

import sqlite3
import sys

with sqlite3.connect(sys.argv[1], timeout=30) as desk:
    desk.executescript(sys.argv[2])
