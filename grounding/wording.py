"""States and reasons of files as words, each refusal with its remedy."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from grounding.models import Upload, UploadState
from opspilot.presentation.shapes import State as Drawn

_STATES: dict[str, Drawn] = {
    UploadState.UPLOADED: "running",
    UploadState.EXTRACTED: "running",
    UploadState.APPROVED: "done",
    UploadState.SAME: "done",
    UploadState.SUPERSEDED: "pending",
    UploadState.REJECTED: "failed",
}
_REMEDIES: dict[str, Promise] = {
    "empty": gettext_lazy("O arquivo está vazio: confira se salvou o texto e envie de novo."),
    "too_large": gettext_lazy("Passa do limite de 20 MB: divida o arquivo."),
    "binary": gettext_lazy("Não é texto: envie Markdown ou texto puro."),
    "too_complex": gettext_lazy(
        "A estrutura do texto é complexa demais para ler em 30 segundos: divida o arquivo."
    ),
    "not_text": gettext_lazy(
        "O texto não está em UTF-8 nem em outra codificação conhecida: salve como UTF-8."
    ),
    "interrupted": gettext_lazy(
        "O processamento parou três vezes: envie de novo ou divida o arquivo."
    ),
}
_FINDINGS: dict[str, Promise] = {
    "encoding": gettext_lazy("lido de outra codificação"),
    "mojibake": gettext_lazy("acentos trocados no original"),
    "invisible": gettext_lazy("caracteres invisíveis retirados"),
    "control": gettext_lazy("caracteres de controle retirados"),
}


def state(upload: Upload) -> Drawn:
    return _STATES[upload.state]


def detail(upload: Upload) -> str:
    """What became of the file, and what the person can do about it."""
    if upload.code:
        return str(_REMEDIES.get(upload.code, upload.code))
    if upload.state == UploadState.SAME:
        version = upload.detail.get("version")
        return _("Mesmo conteúdo da versão %(number)s. Nada mudou.") % {"number": version}
    if upload.state == UploadState.SUPERSEDED:
        newer = upload.detail.get("version")
        return _("Um envio mais novo deste arquivo já está ativo: versão %(number)s.") % {
            "number": newer
        }
    if upload.state == UploadState.APPROVED:
        count = int(upload.detail.get("chunks") or 0)
        words = ngettext("%(count)s trecho publicado.", "%(count)s trechos publicados.", count)
        return words % {"count": count}
    return _("Pode sair desta página: o que já subiu continua.")


def findings(codes: list[str]) -> str:
    """What was noticed while reading, for the column of signs."""
    return ", ".join(str(_FINDINGS.get(code.partition(":")[0], code)) for code in codes)
