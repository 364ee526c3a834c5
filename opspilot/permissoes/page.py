"""Standing permissions as the shapes the templates draw."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from approvals.agents import external, grounds, standing
from approvals.agents.standing import Counted
from approvals.models import StandingPermission, StandingUse
from opspilot.api.models import Agent
from opspilot.presentation.formats import money_text
from opspilot.presentation.shapes import Fact, State
from opspilot.tenancy.principal import subject_of


@dataclass(frozen=True, slots=True)
class Line:
    url: str
    title: str
    ceiling: str
    uses: str
    recent: str
    ends_at: dt.datetime
    state: State
    word: str


@dataclass(frozen=True, slots=True)
class UseLine:
    at: dt.datetime
    url: str
    words: str
    amount: str


def line(
    row: Counted, now: dt.datetime, admins: frozenset[str], mine: frozenset[int] = frozenset()
) -> Line:
    """`mine` are those that wait for the reader."""
    permission = row.permission
    state, word = state_of(row, now, admins)
    if permission.pk in mine:
        state, word = "attention", _("espera por você")
    window = _("%(used)s de %(most)s em %(period)s") % {
        "used": row.recent,
        "most": permission.period_uses,
        "period": permission.get_period_display(),
    }
    return Line(
        url=reverse("permissoes:permission", args=[permission.ref]),
        title=title(permission),
        ceiling=_money(permission.ceiling_centavos),
        uses=_("%(used)s de %(most)s") % {"used": row.uses, "most": permission.max_uses},
        recent=window,
        ends_at=permission.ends_at,
        state=state,
        word=word,
    )


def title(permission: StandingPermission) -> str:
    return f"{permission.agent}: {external.words(permission.kind)}"


def state_of(row: Counted, now: dt.datetime, admins: frozenset[str]) -> tuple[State, str]:
    permission = row.permission
    if permission.revoked_by:
        given = permission.confirmed_by != ""
        return "failed", _("revogada") if given else _("descartada")
    if now >= permission.ends_at:
        return "done", _("terminou")
    if not permission.confirmed_by:
        return "pending", _("espera outro admin")
    if row.uses >= permission.max_uses:
        return "done", _("usada até o fim")
    if not grounds.hold(permission, admins=admins):
        return "attention", _("suspensa")
    return "running", _("em vigor")


def rests(permission: StandingPermission, admins: frozenset[str]) -> str:
    """Why it approves nothing although nobody has ended it."""
    gone = [
        name
        for name, subject in (
            (permission.proposed_name, permission.proposed_by),
            (permission.confirmed_name, permission.confirmed_by),
        )
        if subject not in admins
    ]
    words = ngettext("%(who)s não é mais admin.", "%(who)s não são mais admins.", len(gone)) % {
        "who": _(" e ").join(gone)
    }
    return (
        words + " " + _("Cada pedido espera por uma pessoa. Dois admins podem dar outra permissão.")
    )


def facts(row: Counted, now: dt.datetime, admins: frozenset[str]) -> list[Fact]:
    shown = line(row, now, admins)
    return [
        Fact(_("Teto de cada uso"), shown.ceiling),
        Fact(_("Usos"), shown.uses),
        Fact(_("Usos na janela"), shown.recent),
        Fact(_("Termina"), at=shown.ends_at),
    ]


def use(row: StandingUse) -> UseLine:
    return UseLine(
        at=row.at,
        url=reverse("approvals:detail", args=[row.approval.ref]),
        words=external.sentence(row.approval),
        amount=_money(row.amount_centavos),
    )


def choices() -> list[tuple[str, str]]:
    """Each active agent with each kind the policy lets it ask for and people approve."""
    known = set(Agent.objects.filter(active=True).values_list("slug", flat=True))
    return [
        (f"{slug}:{kind}", f"{slug}: {external.words(kind)}")
        for kind, rule in standing.permittable().items()
        for slug in rule.agents
        if slug in known
    ]


def owner_of(slug: str) -> str:
    """The subject of who answers for the agent; "" for one that is not registered."""
    owner = Agent.objects.filter(slug=slug, active=True).values_list("owner_id", flat=True).first()
    return subject_of(owner) if owner is not None else ""


def _money(centavos: int | None) -> str:
    if centavos is None:
        return _("sem valor")
    return money_text(centavos, language=get_language() or "pt-br")
