"""What the trail keeps, by room; Django finds all of it here."""

from __future__ import annotations

from audit.models.entity import Entity
from audit.models.trail import AgenteAcao

__all__ = ["AgenteAcao", "Entity"]
