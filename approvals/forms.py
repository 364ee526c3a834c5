"""The forms of the decision pages."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from opspilot.presentation.forms import StrictForm


class DecisionForm(StrictForm):
    """The hash the page displayed travels with the decision (I2)."""

    acao_hash = forms.CharField(max_length=64, widget=forms.HiddenInput)


class RefusalForm(DecisionForm):
    motivo = forms.CharField(
        label=_("Motivo"),
        max_length=1000,
        help_text=_("Pelo menos 10 caracteres; quem pediu vai ler."),
        widget=forms.Textarea(attrs={"rows": 3}),
        required=False,
    )


class ChangesForm(RefusalForm):
    """The same for asking for changes."""

    motivo = forms.CharField(
        label=_("O que precisa mudar"),
        max_length=1000,
        help_text=_("Pelo menos 10 caracteres; quem pediu vai ler."),
        widget=forms.Textarea(attrs={"rows": 3}),
        required=False,
    )


class ProofForm(StrictForm):
    endereco = forms.CharField(
        label=_("Número ou endereço da issue"),
        max_length=500,
        help_text=_("O sistema abre a issue no destino e confere autor, marcador e campos."),
    )


class CommentForm(StrictForm):
    texto = forms.CharField(
        label=_("Comentar sem decidir"),
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Quem pediu e quem decide leem."),
    )


class FilterForm(forms.Form):
    """What narrows a queue; each field offers the values that occur, and none at all."""

    risco = forms.ChoiceField(label=_("Risco"), required=False)
    alvo = forms.ChoiceField(label=_("Projeto"), required=False)
    por = forms.ChoiceField(label=_("Pedida por"), required=False)
    cobertura = forms.ChoiceField(label=_("Cobertura"), required=False)
    ordem = forms.ChoiceField(
        label=_("Ordem"),
        required=False,
        choices=[("", _("prazo, depois risco")), ("risco", _("risco, depois prazo"))],
    )

    def __init__(
        self,
        chosen: dict[str, str],
        offered: dict[str, list[tuple[str, str]]],
        *,
        ordered: bool = False,
    ) -> None:
        """`ordered`: the order of this queue can be chosen."""
        super().__init__(initial=chosen, auto_id="filtro_%s")
        if not ordered:
            del self.fields["ordem"]
        for name, pairs in offered.items():
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = [("", _("qualquer")), *pairs]


class ViewForm(StrictForm):
    visao = forms.UUIDField(widget=forms.HiddenInput)


class FirstViewForm(ViewForm):
    abre = forms.ChoiceField(choices=[("sim", ""), ("nao", "")])


class NamedViewForm(ViewForm):
    nome = forms.CharField(label=_("Nome da visão"), max_length=60)


class NewViewForm(StrictForm):
    """A name for the queue of an address, which the page that shows it writes here."""

    nome = forms.CharField(label=_("Nome da visão"), max_length=60)
    endereco = forms.CharField(max_length=4_000, required=False, widget=forms.HiddenInput)


class RefsField(forms.Field):
    """Any number of refs under one name."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: list[str] | None) -> list[UUID]:
        try:
            return [UUID(text) for text in value or []]
        except ValueError as exc:
            raise forms.ValidationError(_("Um dos pedidos não pôde ser lido.")) from exc


class CancelManyForm(StrictForm):
    """`ref` are the marked ones, `mostrada` all that the page displayed, `todas` means those, once
    the page that names them has been sent with `certo`."""

    ref = RefsField(required=False)
    mostrada = RefsField(required=False)
    todas = forms.CharField(required=False, widget=forms.HiddenInput)
    certo = forms.CharField(required=False, widget=forms.HiddenInput)
