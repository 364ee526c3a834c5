"""The registry of entities: found by document number without keeping the number."""

from __future__ import annotations

import hashlib
import hmac
import re
import uuid
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from stdnum.br import cnpj, cpf

from audit import trail
from audit.models import Entity
from audit.registry import standing
from audit.vocabulary import Authorization, Result
from opspilot.errors import InvalidInputError, NotFoundError
from opspilot.tenancy.principal import AgentPrincipal, Principal
from opspilot.tenancy.scope import current_tenant_id

CUSTOMER = "cliente"
_TYPES = {CUSTOMER: _("Cliente"), "pedido": _("Pedido"), "contrato": _("Contrato")}


class InvalidDocumentError(InvalidInputError):
    """Neither a valid CPF nor a valid CNPJ. The number itself is never repeated back."""

    code = "documento_invalido"
    what = _("O documento não é um CPF nem um CNPJ válido. Confira os dígitos.")


class UnknownEntityError(NotFoundError):
    """The sentence of a look-up that finds nothing; a foreign id gets it too."""

    title = _("Nenhum registro deste cliente")
    what = _("Nada foi preparado, decidido ou executado sobre este cliente nesta empresa.")
    next_step = _("Confira o endereço, ou procure pelo CPF ou CNPJ na página da trilha.")


@dataclass(frozen=True, slots=True)
class Document:
    """A checked document number: its canonical form and what may be shown of it."""

    kind: str
    number: str
    masked: str


def parse_document(text: str) -> Document:
    """Read a CPF or CNPJ (alphanumeric too) with any punctuation; raise InvalidDocumentError."""
    number = re.sub(r"[^0-9A-Za-z]", "", text).upper()
    if cpf.is_valid(number) and len(set(number)) > 1:
        return Document("CPF", number, f"CPF ***.{number[3:6]}.{number[6:9]}-**")
    if len(number) == 14 and cnpj.is_valid(number):
        return Document("CNPJ", number, f"CNPJ **.{number[2:5]}.{number[5:8]}/****-**")
    raise InvalidDocumentError


def document_hash(document: Document) -> str:
    """Keyed by the installation and the tenant: two tenants' hashes of one number differ."""
    message = f"{current_tenant_id()}:{document.kind}:{document.number}".encode()
    return hmac.new(settings.OPSPILOT_HMAC_KEY.encode(), message, hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class Named:
    """A document as the registry has it: its hash under the installation's key, and masked."""

    hash: str
    title: str


def find(*, document: Document, type_: str = CUSTOMER) -> Entity | None:
    """The entry with this document, or the one that stands for it since a merge."""
    found = Entity.objects.filter(type=type_, document_hash=document_hash(document)).first()
    return standing.stands_for(found) if found else None


def get(*, type_: str, ref: uuid.UUID) -> Entity:
    """The entity by its internal id, or the same UnknownEntityError as for a foreign one."""
    entity = Entity.objects.filter(type=type_, ref=ref).first()
    if entity is None:
        raise UnknownEntityError
    return entity


def exists(*, type_: str, ref: str) -> bool:
    """Whether the company has an entity of this internal id, in whatever way it is written."""
    try:
        return Entity.objects.filter(type=type_, ref=uuid.UUID(ref)).exists()
    except ValueError:
        return False


def by_ref(ref: uuid.UUID) -> Entity | None:
    """The entry with this internal id, of whatever type."""
    return Entity.objects.filter(ref=ref).first()


def type_words(type_: str) -> str:
    return str(_TYPES.get(type_, type_.capitalize()))


def title_of(*, type_: str | None, ref: str | None) -> str:
    """The masked title behind an id of the trail; empty when there is none."""
    if not type_ or not ref:
        return ""
    found = Entity.objects.filter(type=type_, ref=ref).first()
    return shown_title(found) if found else ""


def shown_title(entity: Entity) -> str:
    """What a page calls the entry: an erased one has no name of its own left."""
    return entity.title or gettext("identidade apagada")


def resolve(
    *, principal: Principal | AgentPrincipal, document: Document, correlation_id: uuid.UUID
) -> Entity:
    """The entity with this document, registered now when it is new; of a merged one the entry that
    stands for it."""
    named = Named(document_hash(document), document.masked)
    return register(principal=principal, named=named, correlation_id=correlation_id)


def register(
    *, principal: Principal | AgentPrincipal, named: Named, correlation_id: uuid.UUID
) -> Entity:
    """The same for a document that was read before, of which no number was kept."""
    entity, created = Entity.objects.get_or_create(
        tenant_id=principal.tenant_id,
        type=CUSTOMER,
        document_hash=named.hash,
        defaults={"title": named.title},
    )
    if created:
        trail.record(
            trail.Entry(
                correlacao_id=correlation_id,
                acao="entidade.registrada",
                resultado=Result.OK,
                autorizacao=Authorization.REGRA,
                entidade_tipo=CUSTOMER,
                entidade_id=str(entity.ref),
                entrada_resumo=principal.signature,
            )
        )
    return entity if created else standing.stands_for(entity)
