"""The upload form: several files, one collection."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from opspilot.presentation.forms import StrictForm


class ManyFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """Every file of the selection; an empty file is a row of its own, not a form error."""

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        return [file for file in (data or []) if isinstance(file, UploadedFile)]


class UploadForm(StrictForm):
    colecao = forms.SlugField(
        label=_("Coleção"),
        max_length=60,
        help_text=_("Letras minúsculas, números e hífen. Uma coleção nova é criada."),
    )
    arquivos = ManyFilesField(
        label=_("Arquivos"),
        widget=ManyFiles(attrs={"multiple": True}),
        help_text=_("Markdown ou texto puro, até 20 MB por arquivo."),
    )
