"""Which fusion a company's admins have put in force."""

from __future__ import annotations

from grounding.models import Fusion, FusionChoice


def in_force() -> Fusion:
    """Of the tenant whose scope is open; what was measured best where nobody has chosen."""
    newest = FusionChoice.objects.order_by("-number").values_list("fusion", flat=True).first()
    return Fusion(newest) if newest else Fusion.Z_SCORES
