"""An effect that was carried out, its proof, and what somebody with the server's keys could do to it."""

from __future__ import annotations

from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from approvals.models import AgenteAprovacao
from approvals.proof import gathering
from audit.proving import proof_document, proof_file
from audit.proving.proof_lines import Line
from audit.seal import keys, sealing
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.executing import advance
from tests.factories import Approved
from tests.fakes import FakeTracker


def a_key() -> str:
    """A private key as OPSPILOT_SEAL_KEY has it."""
    key = Ed25519PrivateKey.generate()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def an_effect(**overrides: Any) -> Approved:
    approved = factories.an_approved_execution(**overrides)
    advance(approved, FakeTracker())
    return approved


def proof_of(proposal: AgenteAprovacao) -> proof_document.Proof:
    with tenant_scope(proposal.tenant_id):
        return gathering.proof(AgenteAprovacao.objects.get(pk=proposal.pk))


def lines_of(proposal: AgenteAprovacao) -> dict[str, Line]:
    return {line.name: line for line in proof_file.judge(proof_of(proposal))}


def red_of(approved: Approved) -> dict[str, str]:
    """The names of the lines that do not hold, with why."""
    found = lines_of(approved.proposal).values()
    return {line.name: line.code for line in found if line.state == "red"}


def seal(approved: Approved) -> None:
    """The hour that runs, up to now, as the worker does with one that is over."""
    with tenant_scope(approved.tenant.pk):
        assert sealing.seal_closed(until=clock.now(), ring=keys.ring())


def tamper(admin: Connection, sql: str, *parameters: Any) -> None:
    """As the superuser: past the grants, the row security and the triggers."""
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = 'replica'")
        assert admin.execute(sql, parameters).rowcount > 0
