"""Changes a desk directly in its file. The arguments are the file and SQL statements."""

import os
import sqlite3
import sys

with sqlite3.connect(sys.argv[1], timeout=30) as desk:
    desk.executescript(sys.argv[2])
# Exit without closing: closing the last connection would delete the log, which the desk reports.
os._exit(0)
