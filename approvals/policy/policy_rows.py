"""What the policy editor repeats: projects and templates, each a group of fields `<prefix><n>_…`.

One empty group more than the document has stands at the end, to add one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.policy import policy_lines
from approvals.policy.policy_document import MAX_ID, Project, Template
from approvals.policy.policy_rule_fields import REQUESTERS, RISK_WORDS, choices

MAX_PROJECTS = 60
MAX_TEMPLATES = 30
DEADLINE = Template.model_fields["deadline_minutes"].default
Readers = Mapping[str, Callable[[str], Any]]


@dataclass(frozen=True, slots=True)
class Rows:
    """One repeated group. `alone` are fields of which no two may be the same, with the sentence
    about it; `needed` must be filled in; `lists` are read line by line; what is in `blank` does not
    show by itself that somebody is adding one."""

    prefix: str
    title: str | Promise
    alone: Mapping[str, str | Promise]
    made: Callable[[], dict[str, forms.Field]]
    needed: tuple[str, ...]
    lists: Readers
    blank: frozenset[str]
    most: int

    def count(self, posted: Mapping[str, Any]) -> int:
        """How many groups a posted editor has, whatever the policy in force has by now."""
        numbered = re.compile(rf"{self.prefix}(\d{{1,3}})_", re.ASCII)
        found = [int(match[1]) + 1 for match in map(numbered.match, posted) if match]
        return min(max(found, default=0), self.most)

    def fields(self, count: int) -> dict[str, forms.Field]:
        return {
            self.name(number, field): made
            for number in range(count)
            for field, made in self.made().items()
        }

    def name(self, number: int, field: str) -> str:
        return f"{self.prefix}{number}_{field}"

    def groups(self, form: forms.Form, count: int) -> list[tuple[str, list[BoundField]]]:
        """(title, fields) of each; the last one is the empty one."""
        names = list(self.made())
        return [
            (
                str(form[self.name(number, "alias")].value() or self.title),
                [form[self.name(number, field)] for field in names],
            )
            for number in range(count)
        ]

    def clean(self, form: forms.Form, count: int) -> None:
        seen: set[object] = set()
        for number in range(count):
            if self._stands(form.cleaned_data, number):
                self._clean(form, number, seen)
            elif self._nameless(form.cleaned_data, number):
                self._fault(form, number, "alias", _("Preencha, ou retire."))

    def _clean(self, form: forms.Form, number: int, seen: set[object]) -> None:
        data = form.cleaned_data
        alias = str(data[self.name(number, "alias")]).strip().lower()
        data[self.name(number, "alias")] = alias
        for field, words in self.alone.items():
            value = data.get(self.name(number, field))
            if value and (field, value) in seen:
                self._fault(form, number, field, str(words))
            seen.add((field, value))
        for field in self.needed:
            if data.get(self.name(number, field), 1) in (None, ""):
                self._fault(form, number, field, _("Preencha, ou retire."))
        for field, read in self.lists.items():
            self._read(form, number, field, read)

    def _read(self, form: forms.Form, number: int, field: str, read: Callable[[str], Any]) -> None:
        name = self.name(number, field)
        try:
            form.cleaned_data[name] = read(form.cleaned_data.get(name) or "")
        except ValidationError as exc:
            form.add_error(name, exc)

    def _fault(self, form: forms.Form, number: int, field: str, words: str) -> None:
        form.add_error(self.name(number, field), words)

    def _stands(self, data: dict[str, Any], number: int) -> bool:
        named = str(data.get(self.name(number, "alias")) or "").strip()
        return bool(named) and not data.get(self.name(number, "retirar"))

    def _nameless(self, data: dict[str, Any], number: int) -> bool:
        """A group whose name was cleared does not go away in silence."""
        telling = self.made().keys() - self.blank - {"alias", "retirar"}
        filled = any(data.get(self.name(number, field)) for field in telling)
        return filled and not data.get(self.name(number, "retirar"))

    def standing(self, data: dict[str, Any], count: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """(alias, values by field) of each group that stays."""
        names = list(self.made())
        for number in range(count):
            if self._stands(data, number):
                values = {field: data[self.name(number, field)] for field in names}
                yield values["alias"], values

    def initial(self, shown: Iterator[dict[str, Any]]) -> dict[str, Any]:
        return {
            self.name(number, field): value
            for number, values in enumerate(shown)
            for field, value in values.items()
        }


def _lines() -> forms.Textarea:
    return forms.Textarea(attrs={"rows": 4})


def _alias() -> forms.CharField:
    return forms.CharField(label=_("Nome curto"), max_length=120, required=False)


def _risk() -> forms.ChoiceField:
    return forms.ChoiceField(label=_("Risco"), choices=list(RISK_WORDS.items()), required=False)


def _project_fields() -> dict[str, forms.Field]:
    return {
        "alias": _alias(),
        "id": forms.IntegerField(label=_("Id no GitLab"), min_value=1, required=False),
        "caminho": forms.CharField(label=_("Caminho"), max_length=120, required=False),
        "risco": _risk(),
        "etiquetas": forms.CharField(
            label=_("Etiquetas"), help_text=_("Uma por linha."), widget=_lines(), required=False
        ),
        "responsaveis": forms.CharField(
            label=_("Responsáveis"),
            help_text=_("Um por linha: nome = id."),
            widget=_lines(),
            required=False,
        ),
        "retirar": forms.BooleanField(label=_("Retirar este projeto"), required=False),
    }


def _template_fields() -> dict[str, forms.Field]:
    return {
        "alias": _alias(),
        "id": forms.IntegerField(
            label=_("Id do template"), min_value=1, max_value=MAX_ID, required=False
        ),
        "projeto": forms.IntegerField(
            label=_("Id do projeto no Semaphore"), min_value=1, max_value=MAX_ID, required=False
        ),
        "nome": forms.CharField(label=_("Nome"), max_length=120, required=False),
        "risco": _risk(),
        "maximo": forms.IntegerField(
            label=_("Hosts de uma vez"), min_value=1, max_value=20, required=False
        ),
        "hosts": forms.CharField(
            label=_("Hosts"),
            help_text=_("Um por linha, por extenso; nunca um padrão ou um grupo."),
            widget=_lines(),
            required=False,
        ),
        "variaveis": forms.CharField(
            label=_("Variáveis"),
            help_text=_(
                "Uma por linha: nome = valor, valor; nome ~ formato; ou nome < 120, um texto de até "
                "120 caracteres. Com * depois do nome, é exigida."
            ),
            widget=_lines(),
            required=False,
        ),
        "papeis": forms.MultipleChoiceField(
            label=_("Quem pode executar"),
            choices=choices(REQUESTERS),
            widget=forms.CheckboxSelectMultiple,
            help_text=_("Nenhum marcado: todos os que podem pedir tarefas."),
            required=False,
        ),
        "agentes": forms.CharField(
            label=_("Agentes que podem pedir"),
            help_text=_("Um nome curto por linha. Vazio: nenhum agente."),
            widget=_lines(),
            required=False,
        ),
        "previa": forms.BooleanField(label=_("Permitir prévia sem mudança"), required=False),
        **_ending_fields(),
        "retirar": forms.BooleanField(label=_("Retirar este template"), required=False),
    }


def _ending_fields() -> dict[str, forms.Field]:
    """How long a task may take, what takes it back, and which reading of it is the right one."""
    return {
        "minutos": forms.IntegerField(
            label=_("Minutos até o fim"),
            min_value=1,
            max_value=24 * 60,
            help_text=_("Passados, o resultado é desconhecido. Vazio: 30."),
            required=False,
        ),
        "desfaz": forms.CharField(
            label=_("Desfeita por"),
            max_length=120,
            help_text=_("O nome curto do template que desfaz este, nos mesmos hosts. Vazio: nada."),
            required=False,
        ),
        "impressao": forms.RegexField(
            r"^[0-9a-f]{64}$",
            label=_("Impressão conferida"),
            help_text=_("Está no JSON de uma proposta deste template. Vazio: a que for lida."),
            required=False,
        ),
    }


PROJECTS = Rows(
    prefix="p",
    title=gettext_lazy("Novo projeto"),
    alone={"alias": gettext_lazy("Dois projetos têm este nome.")},
    made=_project_fields,
    needed=("id", "caminho", "risco"),
    lists={"etiquetas": policy_lines.labels, "responsaveis": policy_lines.people},
    blank=frozenset({"risco"}),
    most=MAX_PROJECTS,
)
TEMPLATES = Rows(
    prefix="t",
    title=gettext_lazy("Novo template"),
    alone={
        "alias": gettext_lazy("Dois templates têm este nome."),
        "id": gettext_lazy("Dois templates têm este id."),
    },
    made=_template_fields,
    needed=("id", "projeto", "nome", "risco"),
    lists={
        "hosts": policy_lines.catalogue,
        "variaveis": policy_lines.variables,
        "agentes": policy_lines.agents,
    },
    blank=frozenset({"risco"}),
    most=MAX_TEMPLATES,
)


def project_values(alias: str, project: Project) -> dict[str, Any]:
    """A project as its fields start."""
    return {
        "alias": alias,
        "id": project.project_id,
        "caminho": project.path,
        "risco": project.risk,
        "etiquetas": "\n".join(project.labels),
        "responsaveis": "\n".join(f"{who} = {id_}" for who, id_ in project.assignees.items()),
    }


def project(values: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """The project that valid fields describe. What they do not show of `before` stays."""
    return {
        **before,
        "project_id": values["id"],
        "path": values["caminho"],
        "labels": values["etiquetas"],
        "assignees": values["responsaveis"],
        "risk": values["risco"],
    }


def template_values(alias: str, template: Template) -> dict[str, Any]:
    """A template as its fields start."""
    return {
        "alias": alias,
        "id": template.template_id,
        "projeto": template.project_id,
        "nome": template.name,
        "risco": template.risk,
        "maximo": template.max_hosts,
        "hosts": "\n".join(template.hosts),
        "variaveis": policy_lines.written(template.variables),
        "papeis": list(template.roles),
        "agentes": "\n".join(template.agents),
        "previa": template.preview,
        "minutos": template.deadline_minutes,
        "desfaz": template.undo,
        "impressao": template.fingerprint,
    }


def template(values: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """The template that valid fields describe. What was read of another one is forgotten."""
    made = {
        **before,
        "template_id": values["id"],
        "project_id": values["projeto"],
        "name": values["nome"],
        "risk": values["risco"],
        "max_hosts": values["maximo"] or 1,
        "hosts": values["hosts"],
        "variables": values["variaveis"],
        "roles": values["papeis"],
        "agents": values["agentes"],
        "preview": values["previa"],
        "deadline_minutes": values["minutos"] or DEADLINE,
        "undo": values["desfaz"].strip().lower(),
        "fingerprint": values["impressao"],
    }
    same = all(made[name] == before.get(name) for name in ("template_id", "project_id"))
    if not made["fingerprint"] or (not same and made["fingerprint"] == before.get("fingerprint")):
        made.pop("fingerprint")
    return made
