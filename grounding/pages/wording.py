"""States and reasons of files as words, each refusal with its remedy."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from grounding.intake.batches import FileRow, Silence, Step
from grounding.intake.holding import WAITING_SINCE
from grounding.models import Upload, UploadState
from opspilot.presentation import formats
from opspilot.presentation.shapes import State as Drawn

_ENDED: dict[str, tuple[Drawn, Promise]] = {
    UploadState.APPROVED: ("done", gettext_lazy("ativo")),
    UploadState.SAME: ("done", gettext_lazy("igual a existente")),
    UploadState.SUPERSEDED: ("pending", gettext_lazy("substituído")),
    UploadState.NEEDS_REVIEW: ("attention", gettext_lazy("em quarentena")),
    UploadState.UNPACKED: ("done", gettext_lazy("aberto")),
    UploadState.REJECTED: ("failed", gettext_lazy("recusado")),
}
_STEPS: dict[Step, tuple[Drawn, Promise]] = {
    "queued": ("pending", gettext_lazy("na fila")),
    "reading": ("running", gettext_lazy("lendo")),
    "splitting": ("running", gettext_lazy("dividindo")),
    "indexing": ("running", gettext_lazy("indexando")),
    "postponed": ("attention", gettext_lazy("em espera")),
}
_REMEDIES: dict[str, Promise] = {
    "empty": gettext_lazy("O arquivo está vazio: confira se salvou o texto e envie de novo."),
    "too_large": gettext_lazy("Passa do limite de 20 MB: divida o arquivo."),
    "long_name": gettext_lazy(
        "O nome passa de 250 caracteres: dê um nome mais curto e envie de novo."
    ),
    "binary": gettext_lazy(
        "Não é de um formato que se lê aqui: envie Markdown, texto, HTML, PDF, DOCX, CSV ou XLSX."
    ),
    "unsupported": gettext_lazy(
        "Este formato não é lido: salve como DOCX, XLSX, PDF ou texto e envie de novo."
    ),
    "damaged": gettext_lazy(
        "O arquivo não abre: pode estar danificado. Abra o original, salve de novo e envie."
    ),
    "encrypted": gettext_lazy("O arquivo tem senha: salve uma cópia sem senha e envie."),
    "no_text": gettext_lazy("Só tem imagem, sem texto: envie o texto ou passe por OCR antes."),
    "too_many_pages": gettext_lazy("Passa de 500 páginas: divida o PDF."),
    "too_long": gettext_lazy("O texto passa de 8 MB depois de lido: divida o arquivo."),
    "inflated": gettext_lazy(
        "Cresce demais ao abrir e por isso não foi lido: confira a origem ou envie as partes."
    ),
    "entities": gettext_lazy(
        "Traz declarações que um arquivo do Office não tem: confira a origem e salve de novo."
    ),
    "huge_image": gettext_lazy(
        "Diz conter uma imagem grande demais: tire a imagem e envie de novo."
    ),
    "nested_zip": gettext_lazy("Um zip dentro de outro não é aberto: envie-o sozinho."),
    "no_files": gettext_lazy("O zip não tem arquivo que se leia: confira e envie de novo."),
    "review_refused": gettext_lazy("Recusado na revisão. O motivo está na página do arquivo."),
    "too_complex": gettext_lazy(
        "A estrutura do texto é complexa demais para ler em 30 segundos: divida o arquivo."
    ),
    "not_text": gettext_lazy(
        "O texto não está em UTF-8 nem em outra codificação conhecida: salve como UTF-8."
    ),
    "deleted": gettext_lazy(
        "O documento deste nome foi apagado depois deste envio. Se ele deve voltar, envie de novo."
    ),
    "interrupted": gettext_lazy(
        "O processamento parou três vezes. O arquivo está guardado: tente de novo ou divida-o."
    ),
}
_FINDINGS: dict[str, Promise] = {
    "encoding": gettext_lazy("lido de outra codificação"),
    "mojibake": gettext_lazy("acentos trocados no original"),
    "invisible": gettext_lazy("caracteres invisíveis retirados"),
    "control": gettext_lazy("caracteres de controle retirados"),
    "covert": gettext_lazy("caracteres invisíveis suspeitos"),
    "hidden": gettext_lazy("texto oculto"),
    "comments": gettext_lazy("comentários deixados de fora"),
    "imperative": gettext_lazy("ordem dirigida a um assistente"),
    "secret": gettext_lazy("segredo no texto"),
    "personal": gettext_lazy("dado pessoal no texto"),
    "textless": gettext_lazy("páginas sem texto"),
    "few_textless": gettext_lazy("algumas páginas sem texto"),
}


def state(row: FileRow) -> tuple[Drawn, str]:
    """How the state is drawn, and its word."""
    drawn, word = _ENDED[row.upload.state] if row.step == "ended" else _STEPS[row.step]
    return drawn, str(word)


def detail(row: FileRow) -> str:
    """What became of the file, and what the person can do about it."""
    if row.step != "ended":
        return _UNDER_WAY[row.step](row)
    if row.upload.code:
        return _remedy(row.upload)
    return _OUTCOMES[row.upload.state](row.upload)


def summary(states: dict[str, int]) -> str:
    """ "8 ativos, 1 igual a existente, 1 recusado": how a batch stands."""
    open_ = states.get(UploadState.UPLOADED, 0) + states.get(UploadState.EXTRACTED, 0)
    done, same = states.get(UploadState.APPROVED, 0), states.get(UploadState.SAME, 0)
    old, no = states.get(UploadState.SUPERSEDED, 0), states.get(UploadState.REJECTED, 0)
    held = states.get(UploadState.NEEDS_REVIEW, 0)
    zips = states.get(UploadState.UNPACKED, 0)
    parts = [
        (open_, ngettext("%(n)s em andamento", "%(n)s em andamento", open_)),
        (done, ngettext("%(n)s ativo", "%(n)s ativos", done)),
        (same, ngettext("%(n)s igual a existente", "%(n)s iguais a existentes", same)),
        (old, ngettext("%(n)s substituído", "%(n)s substituídos", old)),
        (held, ngettext("%(n)s em quarentena", "%(n)s em quarentena", held)),
        (no, ngettext("%(n)s recusado", "%(n)s recusados", no)),
        (zips, ngettext("%(n)s zip aberto", "%(n)s zips abertos", zips)),
    ]
    return ", ".join(words % {"n": count} for count, words in parts if count)


def silence(found: Silence) -> str:
    """Why nothing moves, since when, and that nothing is lost."""
    since = moment(found.since)
    if found.of == "embedder":
        words = ngettext(
            "O serviço de embeddings não responde desde %(since)s. %(n)s arquivo espera e é tentado"
            " de novo a cada minuto; nada se perde.",
            "O serviço de embeddings não responde desde %(since)s. %(n)s arquivos esperam e são"
            " tentados de novo a cada minuto; nada se perde.",
            found.files,
        )
    else:
        words = ngettext(
            "Nenhum arquivo desta empresa é lido desde %(since)s. %(n)s arquivo espera na fila; nada"
            " se perde. Se continuar, peça a quem opera o console que veja o worker.",
            "Nenhum arquivo desta empresa é lido desde %(since)s. %(n)s arquivos esperam na fila;"
            " nada se perde. Se continuar, peça a quem opera o console que veja o worker.",
            found.files,
        )
    return words % {"since": since, "n": found.files}


def findings(codes: list[str]) -> str:
    """What was noticed while reading, for the column of signs."""
    return ", ".join(str(_FINDINGS.get(code.partition(":")[0], code)) for code in codes)


def date(day: dt.date) -> str:
    """A day alone, in the reader's language."""
    noon = dt.datetime.combine(day, dt.time(12), tzinfo=dt.UTC)
    return formats.date_text(noon, language=get_language() or "pt-br")


def moment(at: dt.datetime) -> str:
    """ "14:31", with the date when it is another day, in the page's zone."""
    zone = timezone.get_current_timezone()
    return formats.short_text(
        formats.in_zone(at, zone), now=timezone.localtime(), language=get_language() or "pt-br"
    )


def reason(upload: Upload) -> str:
    """Why a file was refused, with its remedy."""
    return _remedy(upload)


def _remedy(upload: Upload) -> str:
    return str(_REMEDIES.get(upload.code, upload.code))


def _queued(row: FileRow) -> str:
    if not row.ahead:
        return _("É o próximo.")
    words = ngettext("%(count)s arquivo à frente.", "%(count)s arquivos à frente.", row.ahead)
    return words % {"count": row.ahead}


def _indexing(row: FileRow) -> str:
    facts = row.upload.detail
    return _("%(done)s de %(total)s trechos") % {"done": facts["done"], "total": facts["chunks"]}


def _postponed(row: FileRow) -> str:
    since = dt.datetime.fromisoformat(row.upload.detail[WAITING_SINCE])
    return _("O serviço de embeddings não responde desde %(since)s. O arquivo espera.") % {
        "since": moment(since)
    }


def _approved(upload: Upload) -> str:
    count = int(upload.detail.get("chunks") or 0)
    words = ngettext("%(count)s trecho publicado.", "%(count)s trechos publicados.", count)
    signs = findings(upload.detail.get("findings") or [])
    said = _("Sinais: %(signs)s.") % {"signs": signs} if signs else ""
    return f"{words % {'count': count}} {said}".strip()


def _same(upload: Upload) -> str:
    facts = {"name": upload.detail.get("document", ""), "number": upload.detail.get("version")}
    if not facts["name"]:
        return _("Mesmo conteúdo da versão %(number)s. Nada mudou.") % facts
    return _("Mesmo conteúdo de “%(name)s”, versão %(number)s. Nada mudou.") % facts


def _superseded(upload: Upload) -> str:
    return _("Um envio mais novo deste arquivo já está ativo: versão %(number)s.") % {
        "number": upload.detail.get("version")
    }


def _held(upload: Upload) -> str:
    signs = findings([sign["code"] for sign in upload.detail.get("signs", [])])
    return _("Espera a decisão de um admin. Sinais: %(signs)s.") % {"signs": signs}


def _unpacked(upload: Upload) -> str:
    count = int(upload.detail.get("files") or 0)
    return ngettext("%(count)s arquivo dentro.", "%(count)s arquivos dentro.", count) % {
        "count": count
    }


_UNDER_WAY: dict[Step, Callable[[FileRow], str]] = {
    "queued": _queued,
    "reading": lambda row: "",
    "splitting": lambda row: "",
    "indexing": _indexing,
    "postponed": _postponed,
}
_OUTCOMES: dict[str, Callable[[Upload], str]] = {
    UploadState.APPROVED: _approved,
    UploadState.SAME: _same,
    UploadState.SUPERSEDED: _superseded,
    UploadState.NEEDS_REVIEW: _held,
    UploadState.UNPACKED: _unpacked,
}
