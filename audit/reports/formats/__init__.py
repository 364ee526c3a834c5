"""A result as a file. Same rows, same order, same ids in each; only the dress differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from errno import ENOSPC
from typing import IO, Any, Protocol

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from audit.reports import running
from audit.reports.formats import csv_excel, csv_plain, json_file, xlsx
from audit.reports.parameters import Bound
from audit.reports.shapes import Column, NamedQuery, Row
from opspilot.errors import InvalidInputError, NotFoundError

CAP = 100_000
"""Rows of a file that a page makes while somebody waits; more is narrowed, or run by command."""

About = Mapping[str, Any]
"""What a file says of itself, where its format has room for it."""


class TooManyRowsError(InvalidInputError):
    """Said before anything is written: never a file that looks whole and is not."""

    code = "linhas_demais"
    title = _("São linhas demais para este arquivo")
    next_step = _("Escolha um período menor, ou um agente, ou uma ação, e peça o arquivo de novo.")

    def __init__(self, *, most: int) -> None:
        super().__init__(
            _("O resultado tem mais de %(most)s linhas. Nenhum arquivo foi gerado.")
            % {"most": _MOST.get(most, str(most))}
        )


_MOST = {CAP: _("100 mil"), xlsx.MOST_ROWS: "1.048.575"}


class NoRoomError(InvalidInputError):
    """The disk is full: nothing left the house, and what was begun is gone with the request."""

    code = "sem_espaco"
    http_status = 503
    title = _("Não há espaço para montar o arquivo")
    what = _("O disco do servidor está cheio. Nenhum arquivo foi gerado.")
    next_step = _("Avise quem cuida do servidor; depois peça o arquivo de novo.")


class Writer(Protocol):
    def __call__(
        self, out: IO[bytes], columns: tuple[Column, ...], rows: Iterable[Row], about: About
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Format:
    """`most`: rows it can hold, None for any number."""

    slug: str
    label: str
    suffix: str
    content_type: str
    write: Writer
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Written:
    rows: int
    sha256: str


FORMATS = {
    one.slug: one
    for one in (
        Format("csv-excel", "CSV Excel", "excel.csv", "text/csv; charset=utf-8", csv_excel.write),
        Format("csv", "CSV", "csv", "text/csv; charset=utf-8", csv_plain.write),
        Format("json", "JSON", "json", "application/json; charset=utf-8", json_file.write),
        Format(
            "xlsx",
            "XLSX",
            "xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            xlsx.write,
            most=xlsx.MOST_ROWS,
        ),
    )
}


def get(slug: str) -> Format:
    if slug not in FORMATS:
        raise NotFoundError
    return FORMATS[slug]


def write(
    kind: Format, query: NamedQuery, bound: Bound, out: IO[bytes], *, using: str = "default"
) -> Written:
    """The whole result into `out`, with its count and the hash of its rows, which is the same in
    every format. Raises TooManyRowsError before the first byte where the format cannot hold them."""
    if kind.most is not None:
        refuse_more_than(kind.most, query, bound, using=using)
    hashing = running.Digest(query)
    about = {
        "consulta": query.slug,
        "versao": query.version,
        "pergunta": str(query.question),
        "parametros": dict(bound.address),
        "zona": timezone.get_default_timezone_name(),
    }
    rows = _hashed(running.stream(query, bound, using=using), hashing)
    try:
        kind.write(out, query.columns, rows, about)
    except OSError as exc:
        if exc.errno == ENOSPC:
            raise NoRoomError from exc
        raise
    return Written(hashing.rows, hashing.hexdigest())


def refuse_more_than(most: int, query: NamedQuery, bound: Bound, *, using: str = "default") -> None:
    if running.count_up_to(query, bound, most, using=using) > most:
        raise TooManyRowsError(most=most)


def _hashed(rows: Iterable[Row], hashing: running.Digest) -> Iterator[Row]:
    for row in rows:
        hashing.add(row)
        yield row
