"""What each letter says, in the person's language. The reset link is made here, when it is sent."""

from __future__ import annotations

from urllib.parse import urlsplit

from allauth.account import app_settings
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from opspilot.accounts.models import MailKind, OutgoingMail
from opspilot.connectors.mail import Letter
from opspilot.presentation import formats
from opspilot.tenancy.models import User

_HAPPENED: dict[MailKind, Promise] = {
    MailKind.PASSWORD_RESET: gettext_lazy("Sua senha foi redefinida"),
    MailKind.PASSWORD_CHANGED: gettext_lazy("Sua senha foi trocada"),
    MailKind.APP_ADDED: gettext_lazy("Um aplicativo de códigos foi ligado à sua conta"),
    MailKind.APP_REMOVED: gettext_lazy("O aplicativo de códigos foi removido da sua conta"),
    MailKind.CODES_MADE: gettext_lazy("Novos códigos de recuperação foram gerados"),
    MailKind.KEY_ADDED: gettext_lazy("Uma chave de segurança foi adicionada à sua conta"),
    MailKind.KEY_REMOVED: gettext_lazy("Uma chave de segurança foi removida da sua conta"),
}


def written(row: OutgoingMail, user: User) -> Letter:
    with translation.override(user.language or settings.LANGUAGE_CODE):
        subject, text = _reset(user) if row.kind == MailKind.RESET else _notice(row, user)
    host = urlsplit(settings.OPSPILOT_BASE_URL).hostname
    return Letter(user.email, f"[OpsPilot] {subject}", text, f"<opspilot-mail-{row.pk}@{host}>")


def reset_link(user: User) -> str:
    """Good once and for PASSWORD_RESET_TIMEOUT; a login or another password ends it too."""
    token = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    person = user_pk_to_url_str(user)
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": person, "key": token})
    return address(path)


def address(path: str) -> str:
    return f"{settings.OPSPILOT_BASE_URL.rstrip('/')}{path}"


def _reset(user: User) -> tuple[str, str]:
    minutes = settings.PASSWORD_RESET_TIMEOUT // 60
    lines = [
        _("Olá, %(name)s.") % {"name": user},
        _("Alguém pediu uma nova senha para o usuário %(username)s. Se foi você, abra:")
        % {"username": user.get_username()},
        reset_link(user),
        _("O endereço vale uma vez, por %(minutes)s minutos.") % {"minutes": minutes},
        _("Se não foi você, não faça nada: sua senha continua a mesma."),
    ]
    return _("Nova senha"), _joined(lines)


def _notice(row: OutgoingMail, user: User) -> tuple[str, str]:
    happened = str(_HAPPENED[MailKind(row.kind)])
    zone = user.preferences.zone or timezone.get_default_timezone()
    at = row.created_at.astimezone(zone)
    moment = formats.moment_text(at, language=translation.get_language() or "")
    lines = [
        _("Olá, %(name)s.") % {"name": user},
        _("%(happened)s em %(moment)s (%(zone)s).")
        % {"happened": happened, "moment": moment, "zone": formats.offset_text(at)},
        _("Se não foi você, troque a senha e avise um admin da sua empresa:"),
        address(reverse("account_change_password")),
    ]
    return happened, _joined(lines)


def _joined(lines: list[str]) -> str:
    return "\n\n".join([*lines, f"OpsPilot\n{settings.OPSPILOT_BASE_URL}"]) + "\n"
