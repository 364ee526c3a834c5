from __future__ import annotations

from typing import Literal

UnreadableCode = Literal["empty", "binary", "too_large", "not_text", "too_complex"]


class UnreadableFileError(Exception):
    """The file cannot become text; `code` says why, `detail`, never the file's own text, is for the log."""

    def __init__(self, code: UnreadableCode, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code: UnreadableCode = code
        self.detail = detail
