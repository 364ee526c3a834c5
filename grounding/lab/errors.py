"""Refusals of the laboratory."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from opspilot.errors import InvalidInputError, OpsPilotError


class UnknownDocumentError(InvalidInputError):
    """A label names a document that is not published, or not granted."""

    code = "documento_desconhecido"
    what = _("Um dos documentos marcados não está mais entre os publicados. Nada foi gravado.")
    next_step = _("Abra a pergunta de novo e marque outra vez.")


class LabelMissingError(InvalidInputError):
    """A test question needs the documents that answer it, or the word that none does."""

    code = "rotulo_ausente"
    what = _("Falta dizer que documento responde a esta pergunta. Nada foi gravado.")
    next_step = _("Marque ao menos um documento, ou diga que nenhum responde.")


class ReasonForFloorError(InvalidInputError):
    """The labelled questions do not speak for this fusion, and no reason was written."""

    code = "motivo_abaixo_do_piso"
    what = _("As medidas não sustentam esta mudança. Nada foi publicado.")
    next_step = _("Escreva o motivo, com dez letras ou mais, ou deixe como está.")


class SameFusionError(InvalidInputError):
    code = "fusao_igual"
    what = _("Esta fusão já está em vigor. Nada foi gravado.")
    next_step = _("Escolha a outra, ou deixe como está.")


class SilentEmbedderError(OpsPilotError):
    """The configured embeddings endpoint gave no vector."""

    code = "modelo_sem_resposta"
    http_status = 503
    what = _("O serviço de embeddings não respondeu. Nada foi medido.")
    next_step = _("Tente de novo em um minuto; se continuar, avise quem opera o sistema.")
