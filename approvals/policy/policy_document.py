"""The typed policy document: what a tenant allows. Unknown fields are refused, not ignored."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from approvals.stops.calendar import Calendar
from approvals.tasks import hosts, task_values
from audit.vocabulary import ACTIONS

Risk = Literal["baixo", "medio", "alto"]
RISKS: tuple[Risk, ...] = ("baixo", "medio", "alto")
# The most a policy can ever open, frozen here: a version narrows it, none widens it (I7).
Requester = Literal["operador", "aprovador", "admin"]
Approver = Literal["aprovador", "conformidade", "admin"]
Name = Annotated[str, Field(min_length=1, max_length=120)]
Label = Annotated[str, Field(min_length=1, max_length=255, pattern=r"^[^,]+$")]
MOST = 200  # labels or assignees of a project, and projects: a form draws them all
Alias = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^A-Z]+$")]

MAX_ID = 2**31 - 1  # what the remote's own columns hold
MAX_VALUE = 64  # characters of a survey variable
MAX_TEXT = 20_000  # characters of a text that an agent acts on
MAX_CENTAVOS = 10**13  # well inside what every reader of JSON keeps exact
# No brace and no quote: the remote would fill in a template written in a value.
Value = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$")]
_TAKEN = frozenset({
    "template_id", "template", "limit", "hosts", "kind", "justificativa", "cliente",
    "csrfmiddlewaretoken",
})  # fmt: skip
_CLASS = r"\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|[A-Za-z0-9_.])+-?\]"
_PIECE = rf"(?:[A-Za-z0-9_-]|\\\.|{_CLASS})(?:\{{\d{{1,2}}(?:,\d{{1,2}})?\}})?"
_PIECES = re.compile(rf"(?:{_PIECE})+", re.ASCII)


def _not_taken(name: str) -> str:
    if name in _TAKEN or task_values.is_foreign(name):
        raise ValueError("this name is the remote's or the console's own")
    return name


def _not_the_console_s(name: str) -> str:
    if name in _TAKEN:
        raise ValueError("this name is the console's own")
    return name


def _strict(pattern: str) -> str:
    """Letters, digits, `_`, `-`, an escaped point and classes, each with `{n}` or `{m,n}` or none.

    No group, no alternative, no `* + ?`, at most three open lengths: it cannot be slow, and what
    it matches holds no other sign than those.
    """
    if not pattern:
        return pattern
    if len(pattern) > 120 or not _PIECES.fullmatch(pattern) or pattern.count(",") > 3:
        raise ValueError("not a strict pattern")
    try:
        re.compile(pattern)
    except re.error as exc:
        raise ValueError("not a pattern") from exc
    return pattern


def _one_host(name: str) -> str:
    if not hosts.is_host(name):
        raise ValueError("not the name of one host")
    return name


# Never the remote's own: an extra variable `ansible_host` redirects the connection.
_Word = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")]
VariableName = Annotated[_Word, AfterValidator(_not_taken)]
# Of a kind that an agent carries out itself: the task runner never sees it.
FieldName = Annotated[_Word, AfterValidator(_not_the_console_s)]
Pattern = Annotated[str, AfterValidator(_strict)]
Host = Annotated[str, AfterValidator(_one_host)]


def _names_every_risk(values: dict[Risk, int]) -> dict[Risk, int]:
    """A risk without a rule would stop a proposal half-way instead of here."""
    if set(values) != set(RISKS):
        raise ValueError("each of baixo, medio and alto needs a value")
    return values


Quorum = Annotated[dict[Risk, Annotated[int, Field(ge=1, le=5)]], AfterValidator(_names_every_risk)]
Hold = Annotated[dict[Risk, Annotated[int, Field(ge=0, le=60)]], AfterValidator(_names_every_risk)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class Project(_Strict):
    """What an alias stands for in GitLab: the numeric id never redirects, the path is re-checked."""

    project_id: Annotated[int, Field(ge=1)]
    path: Name
    # A comma cannot be sent in a label: the API joins titles with it.
    labels: Annotated[list[Label], Field(max_length=MOST)]
    assignees: Annotated[dict[Name, Annotated[int, Field(ge=1)]], Field(max_length=MOST)]
    risk: Risk


class EscalationRule(_Strict):
    """Who else may decide once this share of the time to decide has passed, in per cent."""

    depois_de_percentual: Annotated[int, Field(ge=10, le=90)]
    para_papel: Approver


class KindRule(_Strict):
    """Who may ask for a kind of action and what it takes to let it happen."""

    requester_roles: Annotated[list[Requester], Field(min_length=1)]
    approver_role: Approver
    # Who decides what is riskier, where that is somebody else; the others keep `approver_role`.
    approver_roles: dict[Risk, Approver] = {}
    quorum: Quorum
    expires_minutes: Annotated[int, Field(ge=1, le=7 * 24 * 60)]
    execute_within_minutes: Annotated[int, Field(ge=1, le=7 * 24 * 60)]
    hold_seconds: Hold
    escalonamento: EscalationRule | None = None
    must_consult: bool = False  # a proposal of the kind rests on an answer, however sure

    def approver_of(self, risk: Risk) -> Approver:
        return self.approver_roles.get(risk, self.approver_role)


class ReversalRule(_Strict):
    """Who may have an issue closed again, and what it takes, where that is not what it took to have
    it created."""

    requester_roles: Annotated[list[Requester], Field(min_length=1)]
    approver_role: Approver
    risk: Risk
    quorum: Annotated[int, Field(ge=1, le=5)]


class ActionRule(KindRule):
    """The rule of `issue.criada`."""

    max_assignees: Annotated[int, Field(ge=0, le=20)]
    # Where a link in an issue may lead beside its own GitLab; any other becomes plain text.
    link_hosts: Annotated[list[Host], Field(max_length=MOST)] = []
    reversao: ReversalRule | None = None

    def undone_by(self) -> KindRule:
        """The rule of closing one again: the times are the creation's, and what it takes is its own
        where the policy says so."""
        own = self.reversao
        if own is None:
            return self
        asks = {"requester_roles": own.requester_roles, "approver_role": own.approver_role}
        takes = {"approver_roles": {}, "quorum": dict.fromkeys(RISKS, own.quorum)}
        return self.model_copy(update=asks | takes)


class Variable(_Strict):
    """A survey variable: its values are listed, a pattern says what they look like, or it is a
    plain text of at most so many characters."""

    required: bool
    values: Annotated[list[Value], Field(max_length=MOST)] = []
    pattern: Pattern = ""
    max_length: Annotated[int, Field(ge=1, le=task_values.MAX_TEXT)] | None = None

    @model_validator(mode="after")
    def _says_what_it_takes(self) -> Variable:
        if [bool(self.values), bool(self.pattern), self.max_length is not None].count(True) != 1:
            raise ValueError("a variable has either values, a pattern or a greatest length")
        return self

    def takes(self, value: str) -> bool:
        if self.max_length is not None:
            return len(value) <= self.max_length and task_values.is_plain(value)
        if self.values:
            return value in self.values
        return len(value) <= MAX_VALUE and re.fullmatch(self.pattern, value) is not None


class Template(_Strict):
    """A Semaphore template that may be run, on which hosts and with which variables.

    `fingerprint` is the SHA-256 of what a preflight read of it; empty until one was made.
    """

    template_id: Annotated[int, Field(ge=1, le=MAX_ID)]
    project_id: Annotated[int, Field(ge=1, le=MAX_ID)]
    name: Name
    # Our own catalogue: the server has no list of hosts that can be asked.
    hosts: Annotated[list[Host], Field(max_length=MOST)]
    max_hosts: Annotated[int, Field(ge=1, le=20)] = 1
    variables: Annotated[dict[VariableName, Variable], Field(max_length=20)]
    risk: Risk
    # Who may run it: no role named = every role that may ask for tasks; agents are named one by one.
    roles: list[Requester] = []
    agents: Annotated[list[Slug], Field(max_length=MOST)] = []
    preview: bool = False
    fingerprint: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
    # A task that has not ended by then has an unknown outcome, and a person looks.
    deadline_minutes: Annotated[int, Field(ge=1, le=24 * 60)] = 30
    # The alias of the template that takes the same hosts back; one that is not there undoes nothing.
    undo: Alias | Literal[""] = ""


class TaskRule(KindRule):
    """The rule of `tarefa.executada`: without one, no task is allowed."""

    templates: Annotated[dict[Alias, Template], Field(max_length=MOST)]

    @model_validator(mode="after")
    def _one_alias_an_id(self) -> TaskRule:
        ids = [template.template_id for template in self.templates.values()]
        if len(set(ids)) < len(ids):
            raise ValueError("two aliases have the same template_id")
        return self


class ExternalField(_Strict):
    """One field of an action that an agent carries out. Money is whole centavos, never a fraction."""

    type: Literal["texto", "inteiro", "centavos", "data", "escolha"]
    label: Name
    required: bool = True
    max_length: Annotated[int, Field(ge=1, le=MAX_TEXT)] | None = None
    choices: Annotated[list[Name], Field(max_length=MOST)] = []

    @model_validator(mode="after")
    def _says_what_it_takes(self) -> ExternalField:
        if (self.type == "texto") != (self.max_length is not None):
            raise ValueError("a text, and only a text, has a greatest length")
        if (self.type == "escolha") != bool(self.choices):
            raise ValueError("a choice, and only a choice, has choices")
        return self


class ExternalRule(KindRule):
    """The rule of a kind that the company's agents carry out themselves once it is approved.

    `requester_roles` are asked of the agent's owner: who may not ask for it owns no agent that does.
    """

    agents: Annotated[list[Slug], Field(min_length=1, max_length=MOST)]
    fields: Annotated[dict[FieldName, ExternalField], Field(min_length=1, max_length=20)]
    risk: Risk
    autorizacao: Literal["humana", "regra"] = "humana"
    ceiling_centavos: Annotated[int, Field(ge=1, le=MAX_CENTAVOS)] | None = None

    @model_validator(mode="after")
    def _one_sum(self) -> ExternalRule:
        if len(self.money) > 1:
            raise ValueError("a ceiling is about one sum of money")
        if self.ceiling_centavos is not None and not self.money:
            raise ValueError("a ceiling needs a field of money")
        return self

    @property
    def money(self) -> list[str]:
        """The name of the field that holds the sum, or none."""
        return [name for name, field in self.fields.items() if field.type == "centavos"]


def _registered(rules: dict[str, ExternalRule]) -> dict[str, ExternalRule]:
    for kind, rule in rules.items():
        action = ACTIONS.get(kind)
        if action is None or not action.external:
            raise ValueError("not a registered kind")
        if rule.autorizacao == "regra" and action.effect:
            raise ValueError("what has an effect outside is approved by a person")
    return rules


# To send the request for an issue again takes what it takes to have it created.
_OF_ISSUES = frozenset({"issue.criada", "envio.repetido"})


class PolicyDocument(_Strict):
    """One version of a tenant's policy. `versao_esquema` guards workers older than a rule."""

    versao_esquema: Literal[1]
    projects: Annotated[dict[Alias, Project], Field(max_length=MOST)]
    issue_criada: ActionRule
    tarefa_executada: TaskRule | None = None
    acoes_externas: Annotated[dict[str, ExternalRule], AfterValidator(_registered)] = {}
    calendario: Calendar | None = None  # None: an approved effect starts at any time

    def rule_of(self, kind: str) -> KindRule | None:
        """The rule of this kind of action; None = not allowed."""
        if kind == "tarefa.executada":
            return self.tarefa_executada
        if kind == "issue.fechada":
            return self.issue_criada.undone_by()
        return self.issue_criada if kind in _OF_ISSUES else self.acoes_externas.get(kind)
