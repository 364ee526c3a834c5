"""What a story answers at a glance: who authorised it, on what, by which model and rule, at what
cost, and how it is undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from audit import wording
from audit.story import undoing
from audit.story.queries import TrailLine
from audit.trail import NO_MODEL
from audit.vocabulary import ACTIONS, Result
from opspilot.presentation.formats import money_text, number_text, without_ids
from opspilot.presentation.shapes import Source

_SHORT = 12  # digits of an instruction's hash: enough to tell two apart on a page


@dataclass(frozen=True, slots=True)
class Answer:
    """One question with its answer. `stored` is the row's own text, in Portuguese for everybody."""

    label: str
    value: str
    url: str = ""
    link: str = ""
    stored: str = ""
    sources: Sequence[Source] = ()


def of(lines: Sequence[TrailLine], cited: Sequence[Source]) -> list[Answer]:
    """For a story, its newest row first, with its sources as far as they can be named; empty where
    no action was prepared or carried out."""
    effect = _effect(lines)
    main = effect or _prepared(lines)
    if main is None:
        return []
    back = undoing.of(lines, effect)
    return [
        Answer(_("Autorização"), _authorized(main, lines)),
        Answer(_("Com base em"), _based_on(lines), sources=cited),
        Answer(_("Modelo e instrução"), _by_what(main)),
        Answer(_("Custo"), _cost(lines)),
        Answer(_("Como desfazer"), back.words, back.url, back.link, back.reference),
    ]


def _effect(lines: Sequence[TrailLine]) -> TrailLine | None:
    return next((line for line in lines if _is_effect(line) and not _waits(line)), None)


def _prepared(lines: Sequence[TrailLine]) -> TrailLine | None:
    return next((line for line in lines if _is_effect(line)), None)


def _is_effect(line: TrailLine) -> bool:
    return line.action in ACTIONS and (ACTIONS[line.action].effect or ACTIONS[line.action].external)


def _waits(line: TrailLine) -> bool:
    return line.result == Result.PENDENTE


def _authorized(main: TrailLine, lines: Sequence[TrailLine]) -> str:
    """The kind and who, or how the decision ended where nothing was done; with the policy."""
    decided = next((line for line in lines if line.action.startswith("aprovacao.")), None)
    told = decided if _waits(main) and decided else main
    kind = wording.authorization(told) if told is main else wording.action(told.action, told.result)
    by = without_ids(told.approved_by) if told.approved_by else ""
    rule = _("política %(number)s") % {"number": main.policy_version} if main.policy_version else ""
    return ", ".join(part for part in (kind, by, rule) if part)


def _based_on(lines: Sequence[TrailLine]) -> str:
    said = wording.passages([item for line in lines for item in line.sources])
    return said or _("nenhuma fonte citada")


def _by_what(main: TrailLine) -> str:
    model = _("nenhum modelo") if main.model in {"", NO_MODEL} else main.model
    parts = {
        "model": model,
        "version": main.agent_version or main.agent,
        "hash": main.instruction[:_SHORT],
    }
    return _("%(model)s · %(version)s · instrução %(hash)s") % parts


def _cost(lines: Sequence[TrailLine]) -> str:
    """Of the whole story; where some of it is unknown, what is known is the least it was."""
    known = sum((line.cost for line in lines if line.cost is not None), Decimal(0))
    unknown = any(line.cost is None for line in lines)
    money = money_text(known, language=get_language() or "pt-br")
    if unknown:
        said = _("pelo menos %(amount)s") % {"amount": money} if known else _("não informado")
    else:
        said = money if known else _("sem custo")
    tokens = sum(line.tokens_in + line.tokens_out for line in lines)
    return f"{said}, {_tokens(tokens)}" if tokens else said


def _tokens(count: int) -> str:
    words = ngettext("%(count)s token", "%(count)s tokens", count)
    return words % {"count": number_text(count, language=get_language() or "pt-br")}
