from __future__ import annotations

from typing import Literal

UnreadableCode = Literal[
    "empty",
    "binary",
    "too_large",
    "not_text",
    "too_complex",
    "unsupported",  # a known format that no reader here takes
    "damaged",  # of a format that is read, but it does not open
    "encrypted",
    "no_text",  # pages without a text layer
    "too_many_pages",
    "too_long",  # more text than a version holds
    "inflated",  # grows out of proportion when it is opened
    "entities",  # a document type inside an Office file
    "huge_image",
    "nested_zip",
    "no_files",  # a zip with nothing in it to read
]


class UnreadableFileError(Exception):
    """The file cannot become text; `code` says why, `detail`, never the file's own text, is for the log."""

    def __init__(self, code: UnreadableCode, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code: UnreadableCode = code
        self.detail = detail
