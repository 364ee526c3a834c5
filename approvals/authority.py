"""Authority is policy: a value that only an evaluation of the policy in force can make.

It says that this identity may ask for exactly this action, and what the policy demands before it is
done. No text of a document, of a request or of a model is in it: ids, a number, three words of the
policy and the action's hash. It is read only with its seal intact, so one that was put together
some other way is no authority, whatever it says.

The seal's key is made anew in each process and kept nowhere. It is no defence against code of our
own that goes for private names: the import contracts and a reviewer are.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import astuple, dataclass
from typing import Any, Final, NoReturn, final
from uuid import UUID

from approvals import canonical, rules
from approvals.errors import PolicyRefusedError
from approvals.policy import stored
from approvals.policy.policy_document import Risk
from opspilot.tenancy.principal import AgentPrincipal, Principal, Role

__all__ = ["Authority", "ForgedAuthorityError", "Granted", "asking", "granted"]

_KEY: Final = secrets.token_bytes(32)


class ForgedAuthorityError(TypeError):
    """Somebody made an authority by hand: a fault of the program, never a refusal of a person."""


@final
class _Seal:
    __slots__ = ()


_SEAL: Final = _Seal()


@dataclass(frozen=True, slots=True)
class Granted:
    """What an authority says. Made by anybody, it says nothing: an act asks for the authority."""

    tenant_id: UUID
    subject: str
    kind: str
    action_hash: str
    policy: int
    risk: Risk
    quorum: int
    approver_role: str


@final
class Authority:
    """Made by `granted` alone. Not copied, not pickled, not extended, not changed."""

    __slots__ = ("_granted", "_mark")
    _granted: Granted
    _mark: bytes

    def __init__(self, seal: _Seal, found: Granted) -> None:
        if seal is not _SEAL:
            raise ForgedAuthorityError("only the policy makes an authority")
        object.__setattr__(self, "_granted", found)
        object.__setattr__(self, "_mark", _mark(found))

    @property
    def granted(self) -> Granted:
        """Raises ForgedAuthorityError for one whose seal is not of what it says."""
        try:
            found, mark = self._granted, self._mark
        except AttributeError as exc:
            raise ForgedAuthorityError("an authority that says nothing") from exc
        if not isinstance(found, Granted) or not hmac.compare_digest(mark, _mark(found)):
            raise ForgedAuthorityError("an authority whose seal is not of what it says")
        return found

    def __init_subclass__(cls) -> NoReturn:
        raise ForgedAuthorityError("an authority is not extended")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise ForgedAuthorityError("an authority does not change")

    def __delattr__(self, name: str) -> NoReturn:
        raise ForgedAuthorityError("an authority does not change")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """What pickles and what copies asks for this."""
        raise ForgedAuthorityError("an authority is neither copied nor kept")


def granted(
    *, principal: Principal | AgentPrincipal, action: dict[str, Any], coverage: str | None
) -> Authority:
    """Evaluate the finished action, as it would be frozen, under the policy in force.

    Raises the policy's refusal; also where the action's ids are not those the policy resolves its
    names to.
    """
    policy = rules.in_force()
    roles, agent = asking(principal)
    command = stored.named_in(action)
    outcome = rules.evaluate(
        policy=policy, command=command, roles=roles, coverage=coverage, agent=agent
    )
    resolved = stored.outcome_of(
        action, risk=outcome.risk, quorum=outcome.quorum, approver_role=outcome.approver_role
    )
    if resolved != outcome:
        raise PolicyRefusedError
    return Authority(
        _SEAL,
        Granted(
            tenant_id=principal.tenant_id,
            subject=principal.subject,
            kind=action["kind"],
            action_hash=canonical.action_hash(action),
            policy=policy.number,
            risk=outcome.risk,
            quorum=outcome.quorum,
            approver_role=outcome.approver_role,
        ),
    )


def asking(principal: Principal | AgentPrincipal) -> tuple[frozenset[Role], str]:
    """The roles that ask, and the agent's slug; an agent asks for no more than its owner could."""
    if isinstance(principal, AgentPrincipal):
        return principal.owner_roles, principal.slug
    return principal.roles, ""


def _mark(found: Granted) -> bytes:
    return hmac.digest(_KEY, repr(astuple(found)).encode(), "sha256")
