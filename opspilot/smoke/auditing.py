"""Steps: the whole story of one customer, and a trail that the database itself keeps unchanged."""

from __future__ import annotations

import re

from opspilot.smoke.cast import CUSTOMER, TENANT, Cast
from opspilot.smoke.database import partition_of_now
from opspilot.smoke.expectation import expect

TRAIL = "agente_acao"
_CHANGES = ("UPDATE {} SET agente = 'x'", "DELETE FROM {}", "TRUNCATE {}")
_REFUSED = {"42501"}  # insufficient_privilege: not a matter of a trigger that could be dropped
_TENANTS_OWN = (TRAIL, "agente_aprovacao", "run", "chunk")


def entity_history_complete(cast: Cast) -> None:
    """Found by document number, which stands neither in the address nor on the page."""
    form = cast.auditor.open("/trilha/").form("/trilha/procurar/")
    page = cast.auditor.submit(form, documento=CUSTOMER)
    expect("/trilha/entidades/cliente/" in page.url, f"the customer was not found ({page.code})")
    heading = f"rodada-{cast.request('proposal').run}"
    stories = [a for a in page.all("article") if a.attributes.get("aria-labelledby") == heading]
    expect(len(stories) == 1, "the proposal is not in the customer's history")
    words = ("Proposta preparada", "Aprovação concedida", "Issue criada")
    positions = [stories[0].text.rfind(word) for word in words]
    expect(-1 not in positions and positions == sorted(positions), "a part of the story is missing")
    number = re.sub(r"\D", "", CUSTOMER)
    open_ = CUSTOMER in page.html or number in page.html or number in page.url
    expect(not open_, "the document number is shown in the open")


def trail_update_refused_by_database(cast: Cast) -> None:
    """As the product's own role, in a tenant whose rows it can read."""
    expect(cast.database.count(TRAIL, tenant=TENANT) > 0, "the trail is empty")
    for table in (TRAIL, partition_of_now(cast.database)):
        for change in _CHANGES:
            state = cast.database.refusal(change, table, tenant=TENANT)
            expect(state in _REFUSED, f"{change.format(table)}: {state or 'not refused'}")
    for table in _TENANTS_OWN:
        expect(cast.database.count(table, tenant=TENANT) > 0, f"{table} is empty")
        expect(cast.database.count(table) == 0, f"{table} shows rows without a tenant")
