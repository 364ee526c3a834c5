"""A port: what was tried at a target for a run's proposals is kept and worded by whoever carries
them out. The reader is named in settings, because the trail knows no other room."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.utils.module_loading import import_string

from audit.story.queries import TrailLine
from opspilot.presentation.shapes import Entry


def of(lines: Sequence[TrailLine]) -> list[Entry]:
    """Requests, answers and look-ups of these rows' proposals, oldest first."""
    ids = list(dict.fromkeys(line.approval_id for line in lines if line.approval_id))
    read = import_string(settings.OPSPILOT_ATTEMPT_READER)
    found: list[Entry] = read(ids) if ids else []
    return found
