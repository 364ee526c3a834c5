"""The typed policy editor: every rule is a field, none is free text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.policy_document import RISKS, PolicyDocument, Project
from opspilot.presentation.forms import StrictForm
from opspilot.tenancy.principal import Role

MAX_PROJECTS = 60
_RISK_WORDS = {
    "baixo": gettext_lazy("baixo"),
    "medio": gettext_lazy("médio"),
    "alto": gettext_lazy("alto"),
}
_REQUESTERS = (Role.OPERADOR, Role.APROVADOR, Role.ADMIN)
_APPROVERS = (Role.APROVADOR, Role.CONFORMIDADE, Role.ADMIN)
_PROJECT_FIELDS = ("alias", "id", "caminho", "risco", "etiquetas", "responsaveis", "retirar")


def _roles(roles: tuple[Role, ...]) -> list[tuple[str, Any]]:
    return [(str(role), role.label) for role in roles]


class PolicyForm(StrictForm):
    """The rules of the action and, for each project, its fields `p<n>_…`; one empty project more
    than the document has stands at the end, to add one."""

    base = forms.IntegerField(widget=forms.HiddenInput)
    papeis = forms.MultipleChoiceField(
        label=gettext_lazy("Quem pode pedir"),
        choices=_roles(_REQUESTERS),
        widget=forms.CheckboxSelectMultiple,
    )
    papel_decide = forms.ChoiceField(label=gettext_lazy("Quem decide"), choices=_roles(_APPROVERS))
    minutos_decidir = forms.IntegerField(
        label=gettext_lazy("Minutos para decidir"),
        min_value=1,
        max_value=7 * 24 * 60,
        help_text=gettext_lazy("Depois disso a proposta expira sem decisão."),
    )
    minutos_executar = forms.IntegerField(
        label=gettext_lazy("Minutos para executar depois do prazo"),
        min_value=1,
        max_value=7 * 24 * 60,
    )
    max_responsaveis = forms.IntegerField(
        label=gettext_lazy("Máximo de responsáveis"), min_value=0, max_value=20
    )
    motivo = forms.CharField(
        label=gettext_lazy("Motivo da mudança"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy(
            "Pelo menos 10 caracteres. O outro admin lê este motivo, e ele fica na versão."
        ),
        required=False,
    )

    def __init__(self, *args: Any, projects: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.projects = projects
        for risk in RISKS:
            self._add_risk(risk)
        for number in range(self.projects):
            self._add_project(number)

    def _add_risk(self, risk: str) -> None:
        said = {"risk": _RISK_WORDS[risk]}
        self.fields[f"quorum_{risk}"] = forms.IntegerField(
            label=_("Aprovações no risco %(risk)s") % said, min_value=1, max_value=5
        )
        self.fields[f"espera_{risk}"] = forms.IntegerField(
            label=_("Segundos de espera no risco %(risk)s") % said,
            min_value=0,
            max_value=60,
            help_text=_("Tempo em que quem aprovou ainda pode retirar a execução."),
        )
        self.fields[f"papel_{risk}"] = forms.ChoiceField(
            label=_("Quem decide o risco %(risk)s") % said,
            choices=[("", _("o mesmo papel")), *_roles(_APPROVERS)],
            required=False,
        )

    def _add_project(self, number: int) -> None:
        lines = forms.Textarea(attrs={"rows": 4})
        made: dict[str, forms.Field] = {
            "alias": forms.CharField(label=_("Nome curto"), max_length=120, required=False),
            "id": forms.IntegerField(label=_("Id no GitLab"), min_value=1, required=False),
            "caminho": forms.CharField(label=_("Caminho"), max_length=120, required=False),
            "risco": forms.ChoiceField(
                label=_("Risco"), choices=list(_RISK_WORDS.items()), required=False
            ),
            "etiquetas": forms.CharField(
                label=_("Etiquetas"), help_text=_("Uma por linha."), widget=lines, required=False
            ),
            "responsaveis": forms.CharField(
                label=_("Responsáveis"),
                help_text=_("Um por linha: nome = id."),
                widget=lines,
                required=False,
            ),
            "retirar": forms.BooleanField(label=_("Retirar este projeto"), required=False),
        }
        for name in _PROJECT_FIELDS:
            self.fields[f"p{number}_{name}"] = made[name]

    def general(self) -> list[BoundField]:
        names = ("papeis", "papel_decide", "minutos_decidir", "minutos_executar")
        return [self[name] for name in (*names, "max_responsaveis")]

    def by_risk(self) -> list[list[BoundField]]:
        return [
            [self[f"{name}_{risk}"] for name in ("quorum", "espera", "papel")] for risk in RISKS
        ]

    def by_project(self) -> list[tuple[str, list[BoundField]]]:
        """(title, fields) of each project; the last one is the empty one."""
        return [
            (
                str(self[f"p{n}_alias"].value() or _("Novo projeto")),
                [self[f"p{n}_{name}"] for name in _PROJECT_FIELDS],
            )
            for n in range(self.projects)
        ]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        seen: set[str] = set()
        for number in range(self.projects):
            if self._stands(cleaned, number):
                self._clean_project(cleaned, number, seen)
            elif self._nameless(cleaned, number):
                self.add_error(f"p{number}_alias", _("Preencha, ou retire o projeto."))
        return cleaned

    def _clean_project(self, cleaned: dict[str, Any], number: int, seen: set[str]) -> None:
        alias = str(cleaned.get(f"p{number}_alias") or "").strip().lower()
        cleaned[f"p{number}_alias"] = alias
        if alias in seen:
            self.add_error(f"p{number}_alias", _("Dois projetos têm este nome."))
        seen.add(alias)
        for name in ("id", "caminho", "risco"):
            if not cleaned.get(f"p{number}_{name}"):
                self.add_error(f"p{number}_{name}", _("Preencha, ou retire o projeto."))
        for name, read in (("etiquetas", labels), ("responsaveis", people)):
            try:
                cleaned[f"p{number}_{name}"] = read(cleaned.get(f"p{number}_{name}") or "")
            except ValidationError as exc:
                self.add_error(f"p{number}_{name}", exc)

    @staticmethod
    def _nameless(cleaned: dict[str, Any], number: int) -> bool:
        """A project whose name was cleared does not go away in silence."""
        filled = any(
            cleaned.get(f"p{number}_{name}")
            for name in ("id", "caminho", "etiquetas", "responsaveis")
        )
        return filled and not cleaned.get(f"p{number}_retirar")

    @staticmethod
    def _stands(cleaned: dict[str, Any], number: int) -> bool:
        named = str(cleaned.get(f"p{number}_alias") or "").strip()
        return bool(named) and not cleaned.get(f"p{number}_retirar")

    def document(self) -> dict[str, Any]:
        """The document a valid form describes."""
        data = self.cleaned_data
        roles = {risk: data[f"papel_{risk}"] for risk in RISKS if data[f"papel_{risk}"]}
        rule = {
            "requester_roles": data["papeis"],
            "approver_role": data["papel_decide"],
            "quorum": {risk: data[f"quorum_{risk}"] for risk in RISKS},
            "expires_minutes": data["minutos_decidir"],
            "execute_within_minutes": data["minutos_executar"],
            "hold_seconds": {risk: data[f"espera_{risk}"] for risk in RISKS},
            "max_assignees": data["max_responsaveis"],
        }
        if roles:
            rule["approver_roles"] = roles
        return {
            "versao_esquema": 1,
            "projects": dict(self._projects(data)),
            "issue_criada": rule,
        }

    def _projects(self, data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        for number in range(self.projects):
            if self._stands(data, number):
                yield (
                    data[f"p{number}_alias"],
                    {
                        "project_id": data[f"p{number}_id"],
                        "path": data[f"p{number}_caminho"],
                        "labels": data[f"p{number}_etiquetas"],
                        "assignees": data[f"p{number}_responsaveis"],
                        "risk": data[f"p{number}_risco"],
                    },
                )


class DraftActForm(StrictForm):
    """The content the page displayed travels with the act, as it does in a decision."""

    sha256 = forms.CharField(max_length=64, widget=forms.HiddenInput)


class TestForm(StrictForm):
    """One action to ask the policy about. Nothing is created."""

    __test__ = False

    papeis = forms.MultipleChoiceField(
        label=gettext_lazy("Papéis de quem pede"),
        choices=_roles(tuple(Role)),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    alias = forms.CharField(label=gettext_lazy("Projeto"), max_length=120)
    etiquetas = forms.CharField(
        label=gettext_lazy("Etiquetas"),
        help_text=gettext_lazy("Uma por linha."),
        widget=forms.Textarea(attrs={"rows": 3}),
        required=False,
    )
    responsaveis = forms.CharField(
        label=gettext_lazy("Responsáveis"),
        help_text=gettext_lazy("Um por linha."),
        widget=forms.Textarea(attrs={"rows": 3}),
        required=False,
    )
    cobertura = forms.ChoiceField(
        label=gettext_lazy("Cobertura"),
        choices=[
            ("", gettext_lazy("não consultada")),
            ("alta", gettext_lazy("alta")),
            ("media", gettext_lazy("média")),
            ("baixa", gettext_lazy("baixa")),
            ("nenhuma", gettext_lazy("nenhuma")),
        ],
        required=False,
    )


def rows_in(posted: Mapping[str, Any]) -> int:
    """How many projects a posted editor has, whatever the policy in force has by now."""
    return min(sum(name.endswith("_alias") for name in posted), MAX_PROJECTS)


def labels(text: str) -> list[str]:
    """One a line; a comma cannot be sent in a label, since the remote joins them with it."""
    found = [line.strip() for line in text.splitlines() if line.strip()]
    if any("," in label for label in found):
        raise ValidationError(_("Uma etiqueta não pode ter vírgula."))
    if any(len(label) > 255 for label in found):
        raise ValidationError(_("Uma etiqueta tem no máximo 255 caracteres."))
    return list(dict.fromkeys(found))


def people(text: str) -> dict[str, int]:
    """`name = id`, one a line."""
    found: dict[str, int] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, sign, number = (part.strip() for part in line.rpartition("="))
        if not (sign and name and len(name) <= 120 and number.isascii() and number.isdecimal()):
            raise ValidationError(_("Escreva um por linha, assim: plantao-infra = 319."))
        if not int(number[:12]) > 0 or len(number) > 12:
            raise ValidationError(_("O id de “%(name)s” não é possível.") % {"name": name})
        found[name] = int(number)
    return found


def initial(document: PolicyDocument) -> dict[str, Any]:
    """What the editor starts from."""
    rule = document.issue_criada
    values: dict[str, Any] = {
        "papeis": list(rule.requester_roles),
        "papel_decide": rule.approver_role,
        "minutos_decidir": rule.expires_minutes,
        "minutos_executar": rule.execute_within_minutes,
        "max_responsaveis": rule.max_assignees,
    }
    for risk in RISKS:
        values |= {
            f"quorum_{risk}": rule.quorum[risk],
            f"espera_{risk}": rule.hold_seconds[risk],
            f"papel_{risk}": rule.approver_roles.get(risk, ""),
        }
    for number, (alias, project) in enumerate(document.projects.items()):
        values |= {f"p{number}_{name}": value for name, value in _project(alias, project).items()}
    return values


def _project(alias: str, project: Project) -> dict[str, Any]:
    return {
        "alias": alias,
        "id": project.project_id,
        "caminho": project.path,
        "risco": project.risk,
        "etiquetas": "\n".join(project.labels),
        "responsaveis": "\n".join(f"{who} = {id_}" for who, id_ in project.assignees.items()),
    }
