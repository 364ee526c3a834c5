"""The forms of the page about agents."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from approvals.policy import policy_test_forms
from opspilot.api import agents, tokens
from opspilot.api.agents import RESERVED, Details
from opspilot.api.models import NAME_LENGTH, SLUG_LENGTH, Agent
from opspilot.api.scopes import Scope
from opspilot.presentation.forms import StrictForm

_DAYS = {30: _("30 dias"), 90: _("90 dias"), 180: _("180 dias"), 365: _("1 ano")}


class DetailsForm(StrictForm):
    nome = forms.CharField(label=_("Nome"), max_length=NAME_LENGTH)
    finalidade = forms.CharField(
        label=_("Para que serve"),
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Uma frase. Fica na lista de agentes, para quem administra e quem audita."),
    )
    responsavel = forms.TypedChoiceField(
        label=_("Quem responde por ele"),
        coerce=int,
        help_text=_("O agente pede no máximo o que esta pessoa pode pedir, e ela nunca o aprova."),
    )
    versao = forms.CharField(
        label=_("Versão"),
        max_length=60,
        required=False,
        help_text=_("Opcional. Vale para o que ele registra sem dizer a versão."),
    )
    modelo = forms.CharField(
        label=_("Modelo"),
        max_length=120,
        required=False,
        help_text=_("Opcional. Vale para o que ele propõe sem dizer o modelo."),
    )
    instrucao_hash = forms.CharField(
        label=_("Impressão da instrução"),
        max_length=64,
        required=False,
        validators=[
            RegexValidator(r"^[0-9a-f]{64}\Z", _("São 64 algarismos hexadecimais (SHA-256)."))
        ],
        help_text=_("Opcional. SHA-256 da instrução em uso."),
    )
    retorno = forms.CharField(
        label=_("Endereço de retorno"),
        max_length=500,
        required=False,
        help_text=_("Opcional. Recebe um aviso assinado quando o que ele pediu é decidido."),
        widget=forms.URLInput,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = [(person.pk, str(person)) for person in agents.members()]
        field = self.fields["responsavel"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("Escolha a pessoa")), *people]

    def details(self) -> Details:
        """What a checked form says."""
        data = self.cleaned_data
        return Details(
            name=data["nome"],
            purpose=data["finalidade"],
            owner_id=data["responsavel"],
            version=data["versao"],
            model=data["modelo"],
            instruction_hash=data["instrucao_hash"],
            callback_url=data["retorno"],
        )


class AgentForm(DetailsForm):
    nome_curto = forms.CharField(
        label=_("Nome curto"),
        max_length=SLUG_LENGTH,
        help_text=_("Não muda mais: a trilha e a política chamam o agente por ele."),
    )
    field_order = ["nome_curto"]

    def clean_nome_curto(self) -> str:
        slug = str(self.cleaned_data["nome_curto"])
        if slug in RESERVED:
            raise forms.ValidationError(_("Este nome a trilha já usa para outra coisa."))
        if not agents.is_slug(slug):
            raise forms.ValidationError(_("Letras minúsculas, números e hífens."))
        return slug


def initial(agent: Agent) -> dict[str, Any]:
    return {
        "nome": agent.name,
        "finalidade": agent.purpose,
        "responsavel": agent.owner_id,
        "versao": agent.version,
        "modelo": agent.model,
        "instrucao_hash": agent.instruction_hash,
        "retorno": agent.callback_url,
    }


class TokenForm(StrictForm):
    """`pedido` becomes the token's reference: the form sent twice makes one token."""

    pedido = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    escopos = forms.MultipleChoiceField(
        label=_("O que ele abre"),
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Nenhum escopo decide, executa ou muda a política."),
    )
    dias = forms.TypedChoiceField(
        label=_("Vale por"),
        coerce=int,
        choices=[(days, _DAYS[days]) for days in tokens.LIFETIMES],
        initial=90,
        widget=forms.RadioSelect,
    )


class PauseForm(StrictForm):
    motivo = forms.CharField(
        label=_("Por que pausar"),
        min_length=10,
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Pelo menos 10 caracteres; fica nesta página e na trilha."),
    )


class RevokeAllForm(StrictForm):
    """The name is typed: nobody ends all tokens of an agent by a slip."""

    nome = forms.CharField(label=_("Digite o nome curto do agente"), max_length=SLUG_LENGTH)

    def __init__(self, data: Any = None, *, slug: str) -> None:
        super().__init__(data)
        self._slug = slug

    def clean_nome(self) -> str:
        typed = str(self.cleaned_data["nome"])
        if typed != self._slug:
            raise forms.ValidationError(_("Não é o nome curto deste agente."))
        return typed


class LookForm(StrictForm):
    pergunta = forms.CharField(
        label=_("Pergunta"),
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Não é guardada."),
    )


def policy_form(kind: str, data: Any = None) -> Any:
    """The policy tester's form of a kind, without the fields that say as whom and by which policy."""
    form = policy_test_forms.FORMS[kind](data, drafts=[])
    for name in ("papeis", "agente", "politica"):
        del form.fields[name]
    return form


class RevokeForm(StrictForm):
    token = forms.UUIDField(widget=forms.HiddenInput)


class RotateForm(RevokeForm):
    pedido = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
