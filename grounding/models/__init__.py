from __future__ import annotations

from grounding.models.access import ReaderEntry, Receipt
from grounding.models.index import ChunkingPolicy, KnowledgeIndex, Search
from grounding.models.knowledge import (
    DIMENSIONS,
    Chunk,
    Collection,
    Document,
    DocumentKind,
    Posting,
    Vector,
    Version,
)
from grounding.models.lab import Fusion, FusionChoice, LabQuestion, LabState
from grounding.models.life import OnRemoval, RunbookLink, SourceKind, SyncSource
from grounding.models.upload import SCHEMA_VERSION, Upload, UploadState

__all__ = [
    "DIMENSIONS",
    "SCHEMA_VERSION",
    "Chunk",
    "ChunkingPolicy",
    "Collection",
    "Document",
    "DocumentKind",
    "Fusion",
    "FusionChoice",
    "KnowledgeIndex",
    "LabQuestion",
    "LabState",
    "OnRemoval",
    "Posting",
    "ReaderEntry",
    "Receipt",
    "RunbookLink",
    "Search",
    "SourceKind",
    "SyncSource",
    "Upload",
    "UploadState",
    "Vector",
    "Version",
]
