"""Writes signed files: the proof of one effect, or those of a quarter's drawn effects in one ZIP."""

from __future__ import annotations

import hashlib
import json
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from uuid import UUID

from django.conf import settings

from approvals.inbox import selectors
from approvals.models import AgenteAprovacao
from approvals.proof import files, gathering, sampling
from approvals.proof.sampling import Quarter, Sample
from audit import trail
from audit.seal import keys
from audit.trace import sample_form as form
from audit.vocabulary import Authorization, Result
from opspilot.tenancy import clock
from opspilot.tenancy.scope import current_tenant_id

OPERATIONS = "operações"  # who asked, where it was asked on a command line


def write(*, path: Path, of: Quarter, size: int, seed: str) -> form.Manifest:
    """Into a new file, which is removed again when it could not be finished.

    Needs the company's scope. Raises FileExistsError, or NoKeyError where nothing can be signed.
    """
    signer = keys.ring()[0]
    with _new(path) as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
            manifest = _fill(package, of, size, seed)
            body = _json(manifest.model_dump(mode="json"))
            package.writestr(form.MANIFEST, body)
            package.writestr(form.SIGNATURE, _signature(signer, body))
        drawn, there_were = len(manifest.arquivos), len(manifest.universo)
        _record(f"amostra de {of.name}: {drawn} de {there_were}, semente {seed}")
    return manifest


def write_one(*, path: Path, ref: UUID) -> None:
    """The signed proof of one effect; raises as `write` does, and NotFoundError."""
    keys.ring()
    proposal = selectors.proposal(ref=ref)
    with _new(path) as stream:
        stream.write(files.as_bytes(gathering.proof(proposal)))
        _record(f"prova assinada: {ref}")


@contextmanager
def _new(path: Path) -> Iterator[IO[bytes]]:
    """A file that was not there, and is not there again when it could not be finished."""
    with path.open("xb") as stream:
        try:
            yield stream
        except BaseException:  # also when whoever typed the command stops it
            path.unlink(missing_ok=True)
            raise


def _fill(package: zipfile.ZipFile, of: Quarter, size: int, seed: str) -> form.Manifest:
    sample = sampling.sample(of=of, size=size, seed=seed)
    return form.Manifest(
        formato=form.FORMAT,
        versao=form.VERSION,
        empresa=current_tenant_id(),
        trimestre=of.name,
        de=of.since,
        ate=of.until,
        fuso=settings.TIME_ZONE,
        gerada_em=clock.now(),
        semente=seed,
        regra=form.RULE,
        pedidos=size,
        universo=[str(ref) for ref in sample.of],
        arquivos=list(_proofs(package, sample)),
    )


def _proofs(package: zipfile.ZipFile, sample: Sample) -> Iterator[form.Entry]:
    """One at a time, each as it is when its turn comes."""
    for ref in sample.refs:
        body, name = _proof(ref), form.file_name(str(ref))
        package.writestr(name, body)
        yield form.Entry(ref=str(ref), nome=name, sha256=hashlib.sha256(body).hexdigest())


def _proof(ref: UUID) -> bytes:
    return files.as_bytes(gathering.proof(AgenteAprovacao.objects.get(ref=ref)))


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


def _record(words: str) -> None:
    """Taking proofs out of the console is a row of the trail, as reading them is."""
    trail.record(
        trail.Entry(
            correlacao_id=uuid.uuid4(),
            acao="exportacao.gerada",
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entrada_resumo=OPERATIONS,
            saida_resumo=words,
        )
    )
