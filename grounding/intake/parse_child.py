"""A process of its own for a large text: it can be stopped, a regex or a parser in a thread cannot.

Reads `{"text", "name", "kind", "policy"}` from standard input, writes `{"title", "pieces"}` to standard output.
Imports no Django and opens nothing. A program of its own, confined like the readers of files.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grounding.formats import confinement
from grounding.reading import chunking


def main() -> None:
    chunking.document_title("# x", "x")  # what the parser looks for on the disk when first used
    given = json.load(sys.stdin)
    confinement.confine()
    title = chunking.document_title(given["text"], given["name"])
    policy = chunking.Policy(**given["policy"])
    pieces = chunking.split(given["text"], title=title, kind=given["kind"], policy=policy)
    json.dump({"title": title, "pieces": [asdict(piece) for piece in pieces]}, sys.stdout)


if __name__ == "__main__":
    main()
