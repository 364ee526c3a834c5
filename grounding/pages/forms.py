"""The forms of the knowledge page: several files for one collection, and another try."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from audit.guard.typed import WordsField
from grounding.intake.decoding import MAX_BYTES
from grounding.intake.uploads import MAX_NAME, File
from grounding.reasons import MAX_REASON, MIN_REASON
from opspilot.presentation.forms import StrictForm


class ManyFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """Every file of the selection; an empty file is a row of its own, not a form error."""

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        return [file for file in (data or []) if isinstance(file, UploadedFile)]


class UploadForm(StrictForm):
    """`nome` and `tamanho` come from the script, which sends one file a request: a name longer than
    a part's header may be, and a file too large to be worth sending."""

    colecao = forms.SlugField(
        label=_("Coleção"),
        max_length=60,
        help_text=_("Letras minúsculas, números e hífen. Uma coleção nova é criada."),
    )
    arquivos = ManyFilesField(
        label=_("Arquivos"),
        required=False,
        widget=ManyFiles(attrs={"multiple": True}),
        help_text=_(
            "Markdown, texto, HTML, PDF, DOCX, CSV, XLSX ou um zip com eles; até 20 MB por arquivo"
            " e 100 arquivos de uma vez."
        ),
    )
    pasta = ManyFilesField(
        label=_("Ou uma pasta inteira"),
        required=False,
        widget=ManyFiles(attrs={"multiple": True, "webkitdirectory": True}),
    )
    envio = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    nome = forms.CharField(required=False, max_length=4_000, strip=False)
    tamanho = forms.IntegerField(required=False, min_value=0, max_value=2**53)

    def files_sent(self) -> list[File]:
        """A file over the limit is refused by its size and never read into memory."""
        data = self.cleaned_data
        sent: list[UploadedFile[Any]] = [*data["arquivos"], *data["pasta"]]
        if data["nome"] and len(sent) == 1:
            size = max(sent[0].size or 0, data["tamanho"] or 0)
            return [_file(sent[0], data["nome"], size)]
        return [_file(file, file.name or "", file.size or 0) for file in sent]


class ReviewForm(StrictForm):
    """A decision about a file in quarantine; `selo` is the hash of the findings that were shown."""

    motivo = WordsField(
        label=_("Motivo"),
        min_length=MIN_REASON,
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("De 10 a 500 caracteres. Fica na trilha, com o seu nome."),
    )
    selo = forms.CharField(max_length=64, widget=forms.HiddenInput)


class RetryForm(StrictForm):
    arquivo = forms.UUIDField()


def _file(file: UploadedFile[Any], name: str, size: int) -> File:
    unread = size > MAX_BYTES or len(name) > MAX_NAME
    return File(name, size, None if unread else file.read())
