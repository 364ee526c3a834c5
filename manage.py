#!/usr/bin/env python3
"""The one door: `python3 manage.py up`, `test`, `dsn`, and every Django command."""
# ruff: noqa: I002 (a Python older than 3.7 must be able to read this file to be told it is too old)

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036 (that is the sentence this file exists to say)
    found = ".".join(str(part) for part in sys.version_info[:3])
    sys.stderr.write("OpsPilot needs Python 3.11 or newer; this is Python " + found + ".\n")
    sys.exit(1)

if os.name != "posix":
    sys.stderr.write("OpsPilot runs on Linux and macOS; on Windows use WSL.\n")
    sys.exit(1)

from opspilot.bootstrap.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
