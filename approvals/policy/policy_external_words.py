"""What one policy changes about the kinds that agents carry out, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from approvals.agents import external
from approvals.policy import policy_changes
from approvals.policy.policy_changes import Change, inside, listed
from approvals.policy.policy_document import ExternalField, ExternalRule
from audit.vocabulary import ACTIONS
from opspilot.presentation.formats import money_text


def changes(
    before: Mapping[str, ExternalRule], after: Mapping[str, ExternalRule]
) -> Iterator[Change]:
    for kind in sorted(before.keys() | after.keys()):
        old, new = before.get(kind), after.get(kind)
        name = _("Ação de agente “%(name)s”") % {"name": ACTIONS[kind].words}
        if old is None and new is not None:
            yield Change("added", name, "", ", ".join(new.agents), loosens=True)
        elif new is None and old is not None:
            yield Change("removed", name, ", ".join(old.agents), "")
        elif old is not None and new is not None:
            yield from _rule(name, old, new)


def _rule(name: str, old: ExternalRule, new: ExternalRule) -> Iterator[Change]:
    yield from policy_changes.of_rule(old, new, within=name)
    yield from policy_changes.of_risk(inside(name, _("risco")), old.risk, new.risk)
    yield from listed(inside(name, _("agentes")), old.agents, new.agents, adding_loosens=True)
    yield from policy_changes.of_value(
        inside(name, _("quem autoriza")),
        authority(old),
        authority(new),
        loosens=new.autorizacao == "regra",
    )
    yield from policy_changes.of_value(
        inside(name, _("teto em centavos")),
        old.ceiling_centavos or _("nenhum"),
        new.ceiling_centavos or _("nenhum"),
        loosens=(new.ceiling_centavos or 10**18) > (old.ceiling_centavos or 10**18),
    )
    yield from _fields(name, old, new)


def _fields(name: str, old: ExternalRule, new: ExternalRule) -> Iterator[Change]:
    for field in sorted(old.fields.keys() | new.fields.keys()):
        what = inside(name, _("campo %(name)s") % {"name": field})
        before, after = old.fields.get(field), new.fields.get(field)
        if before is None and after is not None:
            yield Change("added", what, "", field_words(after), loosens=True)
        elif after is None and before is not None:
            yield Change("removed", what, field_words(before), "", loosens=before.required)
        elif before is not None and after is not None:
            yield from policy_changes.of_value(what, field_words(before), field_words(after))


_TYPES = {
    "texto": gettext_lazy("texto"),
    "inteiro": gettext_lazy("inteiro"),
    "centavos": gettext_lazy("centavos"),
    "data": gettext_lazy("data"),
    "escolha": gettext_lazy("escolha"),
}


def field_words(field: ExternalField) -> str:
    """ "Motivo: escolha: em dobro, valor errado · exigido"."""
    need = _("exigido") if field.required else _("opcional")
    limits = ", ".join(field.choices)
    if field.max_length:
        limits = _("até %(most)s") % {"most": field.max_length}
    return f"{field.label}: {_TYPES[field.type]}{f': {limits}' if limits else ''} · {need}"


def authority(rule: ExternalRule) -> str:
    return _("uma pessoa") if rule.autorizacao == "humana" else _("a regra")


@dataclass(frozen=True, slots=True)
class KindLine:
    """A registered kind as a policy has it; no rule = no agent may ask for it."""

    kind: str
    words: str
    rule: ExternalRule | None
    fields: list[tuple[str, str]]
    ceiling: str
    authority: str


def kind_lines(rules: Mapping[str, ExternalRule]) -> list[KindLine]:
    """Every kind that exists, those the policy does not have as well: each can be edited."""
    return [_kind_line(kind, rules.get(kind)) for kind in sorted(external.KINDS)]


def _kind_line(kind: str, rule: ExternalRule | None) -> KindLine:
    if rule is None:
        return KindLine(kind, external.words(kind), None, [], "", "")
    ceiling = _("nenhum")
    if rule.ceiling_centavos is not None:
        ceiling = money_text(rule.ceiling_centavos, language=get_language() or "pt-br")
    fields = [(name, field_words(field)) for name, field in rule.fields.items()]
    return KindLine(kind, external.words(kind), rule, fields, ceiling, authority(rule))
