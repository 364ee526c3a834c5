"""What a person is told when an audit pack cannot be asked for or taken along."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import NotFoundError, RefusedError


class UnknownPackError(NotFoundError):
    title = _("Esta amostra não existe")
    what = _("O endereço não corresponde a nenhuma amostra desta empresa.")
    next_step = _("Abra a lista de amostras de prova.")


class PackNotReadyError(RefusedError):
    code = "amostra_nao_pronta"
    title = _("O arquivo ainda não está pronto")
    what = _("A amostra ainda está sendo montada, ou não pôde ser montada.")
    next_step = _("Abra a lista de amostras: ela diz em que pé cada uma está.")


class PackGoneError(RefusedError):
    code = "amostra_vencida"
    http_status = 410
    title = _("O arquivo não está mais guardado")
    what = _("O arquivo de uma amostra fica 24 horas; este não sai mais.")
    next_step = _("Peça outra com o mesmo trimestre e a mesma semente: o sorteio sai igual.")
