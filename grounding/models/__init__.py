from __future__ import annotations

from grounding.models.knowledge import (
    DIMENSIONS,
    Chunk,
    Collection,
    Document,
    Posting,
    Vector,
    Version,
)
from grounding.models.upload import SCHEMA_VERSION, Upload, UploadState

__all__ = [
    "DIMENSIONS",
    "SCHEMA_VERSION",
    "Chunk",
    "Collection",
    "Document",
    "Posting",
    "Upload",
    "UploadState",
    "Vector",
    "Version",
]
