"""Prices of models, dated: written by an admin, never changed, and what a row costs by them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from audit import trail
from audit.masking import mask
from audit.models import ModelPrice
from opspilot.errors import RoleRequiredError
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import POLICY_WRITERS

PER = Decimal(1000)  # tokens


def add(
    *, admin: Principal, model: str, since: dt.date, centavos_in: Decimal, centavos_out: Decimal
) -> ModelPrice:
    """In force from that day until the model's next one; of the same day the newest counts."""
    if not admin.has(*POLICY_WRITERS):
        raise RoleRequiredError(roles=sorted(POLICY_WRITERS))
    price = ModelPrice.objects.create(
        tenant_id=admin.tenant_id,
        model=mask(model.strip()),
        since=since,
        centavos_in=centavos_in,
        centavos_out=centavos_out,
        author=admin.subject,
        author_name=admin.name,
    )
    said = f"{price.model}: {centavos_in:f} e {centavos_out:f} centavos por mil desde {since}"
    trail.record_act(admin, "preco.registrado", saida_resumo=said)
    return price


def listed() -> list[ModelPrice]:
    """By model, the newest day first; of one day the one that counts first."""
    return list(ModelPrice.objects.order_by("model", "-since", "-pk"))


class Prices:
    """All prices of the company, read once."""

    def __init__(self) -> None:
        self._by_model: dict[str, list[ModelPrice]] = {}
        for price in listed():
            self._by_model.setdefault(price.model, []).append(price)

    def cost(self, model: str, day: dt.date, *, tokens_in: int, tokens_out: int) -> Decimal | None:
        """In exact centavos; None where no price of the model was in force that day."""
        for price in self._by_model.get(model, ()):
            if price.since <= day:
                return (price.centavos_in * tokens_in + price.centavos_out * tokens_out) / PER
        return None
