"""A stored action as the fields a person reads, in one fixed order for each kind. Nothing is left
out: what the order does not name comes last, as it is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from approvals.actions import ISSUE_CLOSED, ISSUE_CREATED, SENT_AGAIN
from approvals.agents import external
from approvals.policy import stored
from approvals.policy.policy_document import PolicyDocument
from approvals.stops import schedule
from approvals.tasks.task_command import TASK_RUN
from opspilot.presentation.formats import money_text
from opspilot.presentation.shapes import FrozenField

Action = dict[str, Any]
# Said elsewhere on the page, and in the JSON: the form of the action, whose it is and who asked.
_FRAME = frozenset({"schema", "kind", "tenant", "requester", "executor", schedule.FIELD})
_TARGET_LABELS: dict[str, str | Promise] = {
    "system": gettext_lazy("Sistema"),
    "project_id": gettext_lazy("Projeto, id"),
    "project_path": gettext_lazy("Projeto"),
    "fingerprint": gettext_lazy("Impressão do template"),
    "policy_fingerprint": gettext_lazy("Impressão na política"),
}


def is_known(action: object) -> bool:
    """Whether this code can say of every field what it is; what it cannot is shown as JSON."""
    if not isinstance(action, Mapping):
        return False
    return stored.is_external(action) or action.get("kind") in _KINDS


def of(action: Action, marker: str, *, document: PolicyDocument | None = None) -> list[FrozenField]:
    """`document` is the policy the proposal was made under: it names the fields of external kinds.
    No `marker` = only what was approved. Nothing for a kind this code does not know."""
    if not is_known(action):
        return []
    if stored.is_external(action):
        return list(_external(action, document))
    found = list(_KINDS[action["kind"]](action, marker))
    if schedule.FIELD in action:  # the marker stays the last
        found.insert(len(found) - bool(marker), _scheduled(action, document))
    return found


def _scheduled(action: Action, document: PolicyDocument | None) -> FrozenField:
    """By the company's clock; beside it, what the hash covers."""
    zone = schedule.zone_of(document.calendario if document else None)
    moment = schedule.of(action)
    words = schedule.words(moment, zone) if moment else ""
    return FrozenField(_("Executar a partir de"), words, note=str(action[schedule.FIELD]))


def _issue(action: Action, marker: str) -> Iterator[FrozenField]:
    target = action["target"]
    note = _project_note(action)
    people = [f"{item['name']} · id {item['id']}" for item in action["assignees"]]
    confidential = _("sim") if action["confidential"] else _("não")
    yield FrozenField(_("Tipo"), _("Issue no GitLab"))
    yield FrozenField(_("Endereço"), target["host"], kind="host")
    yield FrozenField(_("Projeto"), target["project_path"], note=note, kind="mono")
    yield FrozenField(_("Título"), action["title"])
    yield FrozenField(_("Descrição"), action["description"], kind="pre")
    yield FrozenField(_("Etiquetas"), action["labels"], kind="tokens")
    yield FrozenField(_("Responsáveis"), people, kind="tokens")
    yield FrozenField(_("Confidencial"), confidential)
    shown = {"target", "alias", "title", "description", "labels", "assignees", "confidential"}
    yield from _rest(action, shown)
    if marker:
        found = _("Última linha da descrição: acha a issue se a resposta se perder.")
        yield FrozenField(_("Marcador"), marker, note=found, kind="mono")


def _task(action: Action, marker: str) -> Iterator[FrozenField]:
    """What a person decides about first; ids and fingerprints, which a machine compares, last."""
    target = action["target"]
    resolved = _("alias “%(alias)s” resolvido para o id %(id)s")
    note = resolved % {"alias": action["alias"], "id": target["template_id"]}
    name = str(target.get("template_name", action["alias"]))
    yield FrozenField(_("Tipo"), _("Tarefa no Semaphore"))
    yield FrozenField(_("Endereço"), str(target.get("host", "")), kind="host")
    yield FrozenField(_("Template"), name, note=note, kind="mono")
    yield FrozenField(_("Hosts"), action["hosts"], kind="tokens")
    for name, value in sorted(action["variables"].items()):
        yield FrozenField(name, _text(value), note=_("variável da tarefa"), kind="mono")
    yield from _deadline(action)
    for name, value in sorted(target.items()):
        if name not in {"host", "template_name", "template_id"}:
            yield FrozenField(str(_TARGET_LABELS.get(name, name)), _text(value), kind="mono")
    if "undo" in action:
        yield FrozenField(_("Desfeita por"), action["undo"], kind="mono")
    if "undoes" in action:
        yield from _original(action["undoes"])
    named = {"target", "alias", "hosts", "variables", "deadline_minutes", "undo", "undoes"}
    yield from _rest(action, named)
    if marker:
        found = _("Vai na mensagem da tarefa: acha a tarefa se a resposta se perder.")
        yield FrozenField(_("Marcador"), marker, note=found, kind="mono")


def _deadline(action: Action) -> Iterator[FrozenField]:
    minutes = action.get("deadline_minutes")
    if minutes is not None:
        words = _("%(minutes)s minutos; depois o resultado é desconhecido")
        yield FrozenField(_("Prazo da tarefa"), words % {"minutes": minutes})


def _closing(action: Action, marker: str) -> Iterator[FrozenField]:
    """Which issue is closed, and all of what made it. Nothing is sent that could hold a marker."""
    target, issue = action["target"], action["issue"]
    yield FrozenField(_("Tipo"), _("Fechar issue no GitLab"))
    yield FrozenField(_("Endereço"), target["host"], kind="host")
    yield FrozenField(_("Projeto"), target["project_path"], note=_project_note(action), kind="mono")
    yield FrozenField(_("Issue"), f"#{issue['iid']}", note=str(issue["url"]), kind="mono")
    yield FrozenField(_("Título"), action["title"])
    yield from _original(action["original"])
    yield from _rest(action, {"target", "alias", "title", "issue", "original"})


def _sending_again(action: Action, marker: str) -> Iterator[FrozenField]:
    """The request that would leave once more, field by field, with the marker it already carries."""
    original = action["original"]
    yield FrozenField(_("Tipo"), _("Enviar mais uma vez"))
    yield FrozenField(_("Pedidos já enviados"), _text(action["sends"]), kind="mono")
    yield from _original(original)
    yield from of(original["action"], str(original["marker"]))
    yield from _rest(action, {"target", "alias", "title", "sends", "original"})


def _original(original: Mapping[str, Any]) -> Iterator[FrozenField]:
    """Whose effect it is about."""
    hash_ = f"sha256 {original['hash']}"
    yield FrozenField(_("Proposta de origem"), str(original["ref"]), note=hash_, kind="mono")


def _project_note(action: Action) -> str:
    resolved = _("alias “%(alias)s” resolvido para o id %(id)s")
    return resolved % {"alias": action["alias"], "id": action["target"]["project_id"]}


def _external(action: Action, document: PolicyDocument | None) -> Iterator[FrozenField]:
    """No marker: the agent that asked carries it out, and our worker sends nothing."""
    rule = document.acoes_externas.get(action["kind"]) if document else None
    yield FrozenField(_("Tipo"), external.words(action["kind"]))
    for name, field in sorted(action["fields"].items()):
        label = rule.fields[name].label if rule and name in rule.fields else name
        yield _external_field(label, name, field)
    yield from _rest(action, {"fields", "authorization"})


def _external_field(label: str, name: str, field: Mapping[str, Any]) -> FrozenField:
    value = field["value"]
    if field["type"] == "centavos" and isinstance(value, int):
        exact = _("campo %(name)s: %(value)s centavos") % {"name": name, "value": value}
        money = money_text(value, language=get_language() or "pt-br")
        return FrozenField(label, money, note=exact, kind="mono")
    note = _("campo %(name)s") % {"name": name}
    kind: Any = "pre" if field["type"] == "texto" else "mono"
    return FrozenField(label, _text(value), note=note, kind=kind)


def _rest(action: Action, shown: set[str]) -> Iterator[FrozenField]:
    for name in sorted(action.keys() - shown - _FRAME):
        yield FrozenField(name, _text(action[name]), kind="mono")


def _text(value: object) -> str:
    """Text as it is; anything else in its canonical form."""
    return (
        value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    )


_KINDS: dict[str, Callable[[Action, str], Iterator[FrozenField]]] = {
    ISSUE_CREATED: _issue,
    TASK_RUN: _task,
    ISSUE_CLOSED: _closing,
    SENT_AGAIN: _sending_again,
}
