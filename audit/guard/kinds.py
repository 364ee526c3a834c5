"""The kinds of what never enters the trail, and what stands where one was."""

from __future__ import annotations

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Kind(TextChoices):
    SEGREDO = "segredo", _("segredo, chave ou token")
    CPF = "cpf", _("CPF")
    CNPJ = "cnpj", _("CNPJ")
    CARTAO = "cartao", _("número de cartão")
    EMAIL = "email", _("e-mail")
    SENSIVEL = "sensivel", _("dado sensível (saúde, crença, origem, vida sexual, sindicato)")
    LONGO = "longo", _("texto longo demais")
    TERMO = "termo", _("termo da empresa")


STAND_INS = {
    Kind.SEGREDO: "[segredo]",
    Kind.CPF: "[CPF]",
    Kind.CNPJ: "[CNPJ]",
    Kind.CARTAO: "[cartão]",
    Kind.EMAIL: "[e-mail]",
    Kind.SENSIVEL: "[dado sensível]",
    Kind.TERMO: "[termo]",
}
# A person who reads a sample may also have found something no rule knows.
FOUND_BY_PEOPLE = tuple(kind for kind in Kind if kind != Kind.LONGO)
# What a proposal may not carry. An e-mail or a word about health may be its very subject.
REFUSED = frozenset({Kind.SEGREDO, Kind.CPF, Kind.CNPJ, Kind.CARTAO})
