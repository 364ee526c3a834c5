"""The editor's fields of what only issues have: where links may lead, and what undoing one takes.

Undoing is one rule of four fields; without it, it takes what the creation took.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext as _

from approvals.policy import policy_lines
from approvals.policy.policy_document import ActionRule
from approvals.policy.policy_rule_fields import APPROVERS, REQUESTERS, RISK_WORDS, choices

LINKS = "hosts_de_links"
# Fields of the form, and those of the document's own rule.
_REVERSAL = {
    "desfazer_papeis": "requester_roles",
    "desfazer_papel_decide": "approver_role",
    "desfazer_risco": "risk",
    "desfazer_aprovacoes": "quorum",
}
NAMES = (LINKS, *_REVERSAL)


def made() -> dict[str, forms.Field]:
    same = [("", _("como na criação"))]
    return {
        LINKS: forms.CharField(
            label=_("Hosts a que um link pode levar"),
            help_text=_("Um por linha. O GitLab do projeto sempre pode; outro link vira texto."),
            widget=forms.Textarea(attrs={"rows": 3}),
            required=False,
        ),
        "desfazer_papeis": forms.MultipleChoiceField(
            label=_("Quem pode pedir a reversão de uma issue"),
            choices=choices(REQUESTERS),
            widget=forms.CheckboxSelectMultiple,
            help_text=_("Sem nenhum destes quatro campos, a reversão pede o mesmo que a criação."),
            required=False,
        ),
        "desfazer_papel_decide": forms.ChoiceField(
            label=_("Quem decide a reversão"), choices=[*same, *choices(APPROVERS)], required=False
        ),
        "desfazer_risco": forms.ChoiceField(
            label=_("Risco da reversão"), choices=[*same, *RISK_WORDS.items()], required=False
        ),
        "desfazer_aprovacoes": forms.IntegerField(
            label=_("Aprovações da reversão"), min_value=1, max_value=5, required=False
        ),
    }


def shown(form: forms.Form) -> list[BoundField]:
    return [form[name] for name in NAMES]


def clean(form: forms.Form) -> None:
    data = form.cleaned_data
    try:
        data[LINKS] = policy_lines.catalogue(data.get(LINKS) or "")
    except ValidationError as exc:
        form.add_error(LINKS, exc)
    for name in list(_missing(data)):
        form.add_error(name, _("Preencha os quatro campos da reversão, ou deixe todos vazios."))


def _missing(data: Mapping[str, Any]) -> Iterator[str]:
    """A field with an error of its own is not in `data`, and is pointed at already."""
    if any(data.get(name) for name in _REVERSAL):
        yield from (name for name in _REVERSAL if name in data and not data[name])


def read(data: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Of a rule, what valid fields describe. Absent when it says nothing, as a version made before
    there was such a field."""
    reversal = {field: data[name] for name, field in _REVERSAL.items() if data[name]}
    rule = {name: value for name, value in before.items() if name not in {"link_hosts", "reversao"}}
    given = {"link_hosts": data[LINKS], "reversao": reversal}
    return rule | {name: value for name, value in given.items() if value}


def initial(rule: ActionRule) -> dict[str, Any]:
    values: dict[str, Any] = {LINKS: "\n".join(rule.link_hosts)}
    if rule.reversao is None:
        return values | dict.fromkeys(_REVERSAL, "") | {"desfazer_papeis": []}
    return values | {name: getattr(rule.reversao, field) for name, field in _REVERSAL.items()}
