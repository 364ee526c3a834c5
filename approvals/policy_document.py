"""The typed policy document: what a tenant allows. Unknown fields are refused, not ignored."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Risk = Literal["baixo", "medio", "alto"]
RISKS: tuple[Risk, ...] = ("baixo", "medio", "alto")
# The most a policy can ever open, frozen here: a version narrows it, none widens it (I7).
Requester = Literal["operador", "aprovador", "admin"]
Approver = Literal["aprovador", "conformidade", "admin"]
Name = Annotated[str, Field(min_length=1, max_length=120)]
Label = Annotated[str, Field(min_length=1, max_length=255, pattern=r"^[^,]+$")]
MOST = 200  # labels or assignees of a project, and projects: a form draws them all
Alias = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^A-Z]+$")]


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


class ActionRule(_Strict):
    """Who may ask for an action and what it takes to let it happen."""

    requester_roles: Annotated[list[Requester], Field(min_length=1)]
    approver_role: Approver
    # Who decides what is riskier, where that is somebody else; the others keep `approver_role`.
    approver_roles: dict[Risk, Approver] = {}
    quorum: Quorum
    expires_minutes: Annotated[int, Field(ge=1, le=7 * 24 * 60)]
    execute_within_minutes: Annotated[int, Field(ge=1, le=7 * 24 * 60)]
    hold_seconds: Hold
    max_assignees: Annotated[int, Field(ge=0, le=20)]

    def approver_of(self, risk: Risk) -> Approver:
        return self.approver_roles.get(risk, self.approver_role)


class PolicyDocument(_Strict):
    """One version of a tenant's policy. `versao_esquema` guards workers older than a rule."""

    versao_esquema: Literal[1]
    projects: Annotated[dict[Alias, Project], Field(max_length=MOST)]
    issue_criada: ActionRule
