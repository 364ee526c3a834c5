"""Where sources may be: below OPSPILOT_SYNC_ROOT, in the folder of the company's own short name."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from grounding.sync.errors import UnreadableSourceError


def inside(company: str, path: str) -> Path:
    """The real folder. A link that leads out of the company's folder is as good as outside.

    Raises UnreadableSourceError("desligada" | "nao_existe" | "fora_da_raiz").
    """
    if not settings.OPSPILOT_SYNC_ROOT:
        raise UnreadableSourceError("desligada")
    if "\0" in path:
        raise UnreadableSourceError("nao_existe")
    try:
        root = (Path(settings.OPSPILOT_SYNC_ROOT).resolve(strict=True) / company).resolve(
            strict=True
        )
        # Not strict: of what is outside, nobody learns whether it exists.
        found = (root / path).resolve()
        if not found.is_relative_to(root):
            raise UnreadableSourceError("fora_da_raiz")
        if found.is_dir():
            return found
    except (OSError, RuntimeError) as exc:
        raise UnreadableSourceError("nao_existe") from exc
    raise UnreadableSourceError("nao_existe")
