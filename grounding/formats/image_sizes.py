"""How large a picture says it is, by its first bytes: nothing is decoded."""

from __future__ import annotations

MAX_PIXELS = 400_000_000
_SIZED_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def is_huge(head: bytes) -> bool:
    width, height = _size(head)
    return width * height > MAX_PIXELS


def _size(head: bytes) -> tuple[int, int]:
    if head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR":
        return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
    if head.startswith(b"GIF8"):
        return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    if head.startswith(b"BM"):
        return (
            int.from_bytes(head[18:22], "little"),
            abs(int.from_bytes(head[22:26], "little", signed=True)),
        )
    return _jpeg_size(head) if head.startswith(b"\xff\xd8\xff") else (0, 0)


def _jpeg_size(head: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(head) and head[at] == 0xFF:
        if head[at + 1] in _SIZED_MARKERS:
            height, width = head[at + 5 : at + 7], head[at + 7 : at + 9]
            return int.from_bytes(width), int.from_bytes(height)
        at += 2 + int.from_bytes(head[at + 2 : at + 4])
    return 0, 0
