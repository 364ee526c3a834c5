"""A process of its own for a large text: it can be stopped, a regex or a parser in a thread cannot.

Reads `{"text", "name", "kind"}` from standard input, writes `{"title", "pieces"}` to standard output.
Imports no Django and opens nothing.
"""

from __future__ import annotations

import json
import resource
import sys
from dataclasses import asdict

from grounding.reading import chunking

CPU_SECONDS = 30
MEMORY = 1024 * 1024 * 1024  # bytes of address space


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    given = json.load(sys.stdin)
    title = chunking.document_title(given["text"], given["name"])
    pieces = chunking.split(given["text"], title=title, kind=given["kind"])
    json.dump({"title": title, "pieces": [asdict(piece) for piece in pieces]}, sys.stdout)


if __name__ == "__main__":
    main()
