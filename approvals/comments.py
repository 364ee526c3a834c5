"""Words on a proposal that decide nothing: a question, an answer, what was checked elsewhere."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals import entries, neutral
from approvals.models import AgenteAprovacao, Comment
from audit.vocabulary import Authorization, Result
from opspilot.errors import InvalidInputError, RefusedError
from opspilot.tenancy.principal import Principal

MAX_COMMENT = 2_000
MOST = 500  # comments of one proposal


class CommentSizeError(InvalidInputError):
    code = "comentario_tamanho"
    title = _("O comentário não pode ser aceito")
    what = _("Um comentário tem de 1 a 2.000 caracteres.")
    next_step = _("Encurte o texto, ou divida-o em dois comentários.")


class TooManyCommentsError(RefusedError):
    code = "comentarios_demais"
    title = _("Esta proposta já tem comentários demais")
    what = _("Uma proposta tem no máximo 500 comentários. O seu não foi gravado.")
    next_step = _("Continuem a conversa onde ela já acontece, ou peçam mudanças.")


def add(*, proposal: AgenteAprovacao, author: Principal, text: str) -> Comment:
    """Append a comment; open or decided, the proposal stays as it is."""
    clean = neutral.normalise(text).strip()
    if not 0 < len(clean) <= MAX_COMMENT:
        raise CommentSizeError(**proposal.facts)
    if Comment.objects.filter(approval=proposal).count() >= MOST:
        raise TooManyCommentsError(**proposal.facts)
    row = Comment.objects.create(
        tenant_id=proposal.tenant_id,
        approval=proposal,
        subject=author.subject,
        subject_name=author.name,
        text=clean,
    )
    # What was said stays in its own table: the trail says that, by whom, and how long it was.
    entries.record(
        proposal,
        action="aprovacao.comentada",
        result=Result.OK,
        authorization=Authorization.REGRA,
        entrada_resumo=author.signature,
        saida_resumo=f"{len(clean)} caracteres",
    )
    return row
