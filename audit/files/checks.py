"""One line of a check of a file, and what is raised where there is nothing to check."""

from __future__ import annotations

import csv
import lzma
import struct
import zipfile
import zlib
from dataclasses import dataclass

FAULTS = (
    *(ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RuntimeError),
    *(OSError, EOFError, csv.Error, struct.error, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
)
"""All that reading a file raises in which any byte may be another one."""


@dataclass(frozen=True, slots=True)
class Check:
    """`name` is stable and for programs, `detail` is a sentence for people, in English. What is not
    `known` is neither good nor bad: nobody can say yet."""

    name: str
    ok: bool
    detail: str
    known: bool = True


class UnreadableError(ValueError):
    """The file is none of ours, or so broken that nothing in it can be checked."""
