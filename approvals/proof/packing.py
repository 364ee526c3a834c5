"""Writes signed files: the proof of one effect, or those of a quarter's drawn effects in one ZIP."""

from __future__ import annotations

import hashlib
import json
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from uuid import UUID

from django.conf import settings

from approvals.inbox import selectors
from approvals.models import AgenteAprovacao
from approvals.proof import files, gathering, sampling
from approvals.proof.sampling import Quarter, Sample
from audit import trail
from audit.proving import sample_form as form
from audit.seal import keys
from audit.vocabulary import Authorization, Result
from opspilot.tenancy import clock
from opspilot.tenancy.lease import Beat
from opspilot.tenancy.scope import tenant_scope

OPERATIONS = "operações"  # who asked, where it was asked on a command line


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be drawn: of whose effects, of which quarter, how many at most, by which seed."""

    tenant_id: UUID
    of: Quarter
    size: int
    seed: str


def write(*, path: Path, wanted: Wanted) -> form.Manifest:
    """Into a new file, which is removed again when it could not be finished.

    Raises FileExistsError, or NoKeyError where nothing can be signed.
    """
    with _new(path) as stream:
        manifest = pack(stream=stream, wanted=wanted, beat=lambda: None)
        with tenant_scope(wanted.tenant_id):
            record(said=drawn(manifest), by=OPERATIONS, run=uuid.uuid4())
    return manifest


def write_one(*, path: Path, ref: UUID) -> None:
    """The signed proof of one effect, in the scope of its company; raises as `write` does, and
    NotFoundError."""
    keys.ring()
    proposal = selectors.proposal(ref=ref)
    with _new(path) as stream:
        stream.write(files.as_bytes(gathering.proof(proposal)))
        record(said=f"prova assinada: {ref}", by=OPERATIONS, run=uuid.uuid4())


def pack(*, stream: IO[bytes], wanted: Wanted, beat: Beat) -> form.Manifest:
    """The whole ZIP. Each proof is read in a transaction of its own; `beat` is called between two,
    while none is open. Raises NoKeyError where nothing can be signed."""
    signer = keys.ring()[0]
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        manifest = _fill(package, wanted, beat)
        body = _json(manifest.model_dump(mode="json"))
        package.writestr(form.MANIFEST, body)
        package.writestr(form.SIGNATURE, _signature(signer, body))
    return manifest


def drawn(manifest: form.Manifest) -> str:
    """What a row of the trail says of a pack."""
    count, there_were = len(manifest.arquivos), len(manifest.universo)
    return f"amostra de {manifest.trimestre}: {count} de {there_were}, semente {manifest.semente}"


def record(*, said: str, by: str, run: UUID) -> None:
    """Taking proofs out of the console is a row of the trail, as reading them is."""
    trail.record(
        trail.Entry(
            correlacao_id=run,
            acao="exportacao.gerada",
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entrada_resumo=by,
            saida_resumo=said,
        )
    )


@contextmanager
def _new(path: Path) -> Iterator[IO[bytes]]:
    """A file that was not there, and is not there again when it could not be finished."""
    with path.open("xb") as stream:
        try:
            yield stream
        except BaseException:  # also when whoever typed the command stops it
            path.unlink(missing_ok=True)
            raise


def _fill(package: zipfile.ZipFile, wanted: Wanted, beat: Beat) -> form.Manifest:
    of = wanted.of
    with tenant_scope(wanted.tenant_id):
        sample = sampling.sample(of=of, size=wanted.size, seed=wanted.seed)
        at = clock.now()
    return form.Manifest(
        formato=form.FORMAT,
        versao=form.VERSION,
        empresa=wanted.tenant_id,
        trimestre=of.name,
        de=of.since,
        ate=of.until,
        fuso=settings.TIME_ZONE,
        gerada_em=at,
        semente=wanted.seed,
        regra=form.RULE,
        pedidos=wanted.size,
        universo=[str(ref) for ref in sample.of],
        arquivos=list(_proofs(package, wanted.tenant_id, sample, beat)),
    )


def _proofs(
    package: zipfile.ZipFile, tenant_id: UUID, sample: Sample, beat: Beat
) -> Iterator[form.Entry]:
    """One at a time, each as it is when its turn comes."""
    for ref in sample.refs:
        beat()
        with tenant_scope(tenant_id):
            body = files.as_bytes(gathering.proof(AgenteAprovacao.objects.get(ref=ref)))
        name = form.file_name(str(ref))
        package.writestr(name, body)
        yield form.Entry(ref=str(ref), nome=name, sha256=hashlib.sha256(body).hexdigest())


def _signature(signer: keys.Signer, manifest: bytes) -> bytes:
    return _json(
        {
            "chave": signer.fingerprint,
            "chave_publica": signer.public_key,
            "valor": signer.sign("sample", form.signed(manifest)),
        }
    )


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()
