"""A person says which issue is ours; the worker looks at it, and only what it sees counts."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from django.db.models.functions import Now

from approvals import entries, proposals
from approvals.actions import ISSUE_CREATED
from approvals.errors import NotAnIssueOfThisError, NothingToProveError
from approvals.models import AgenteAprovacao, Execution, ExecutionState
from audit.vocabulary import Authorization, Result
from opspilot.tenancy import lease
from opspilot.tenancy.principal import Principal

MAX_ADDRESS = 500
_NUMBER = re.compile(r"#?([1-9][0-9]{0,8})", re.ASCII)
_PLACE = re.compile(r"/(?P<path>.+?)(?:/-)?/(?:issues|work_items)/(?P<iid>[1-9][0-9]{0,8})/?")


def say(*, proposal: AgenteAprovacao, person: Principal, address: str) -> int:
    """Queue a look at the issue of this number or address; the number that was understood.

    Raises NotAnIssueOfThisError for what is no issue of the approved project, NothingToProveError
    while nothing is unknown or the worker is looking.
    """
    proposals.hold(proposal)
    iid = number_in(address, proposal)
    if iid is None:
        raise NotAnIssueOfThisError(**proposal.facts)
    waiting = Execution.objects.filter(
        lease.free(), approval=proposal, state=ExecutionState.DESCONHECIDA, lookups__gt=0
    )
    if not waiting.update(proof={"iid": iid}, next_lookup_at=Now(), updated_at=Now()):
        raise NothingToProveError(**proposal.facts)
    entries.record(
        proposal,
        action="execucao.apontada",
        result=Result.PENDENTE,
        authorization=Authorization.REGRA,
        entrada_resumo=person.signature,
        saida_resumo=f"issue {iid}",
    )
    return iid


def can_say(execution: Execution | None, proposal: AgenteAprovacao) -> bool:
    """Whether the page offers it: not before the first look, nor while the worker has one to do."""
    return (
        execution is not None
        and proposal.acao == ISSUE_CREATED
        and execution.state == ExecutionState.DESCONHECIDA
        and execution.lookups > 0
        and not execution.proof
    )


def number_in(address: str, proposal: AgenteAprovacao) -> int | None:
    """A number by itself, or an address at the approved target that names the approved project."""
    text = address.strip()[:MAX_ADDRESS]
    plain = _NUMBER.fullmatch(text)
    if plain is not None:
        return int(plain[1])
    target = proposal.proposta["target"]
    try:
        given, ours = urlsplit(text), urlsplit(target["host"])
    except ValueError:
        return None
    place = _PLACE.fullmatch(given.path.removeprefix(ours.path.rstrip("/")))
    same_host = (given.scheme, given.netloc.lower()) == (ours.scheme, ours.netloc.lower())
    if not same_host or place is None or place["path"] != target["project_path"]:
        return None
    return int(place["iid"])
