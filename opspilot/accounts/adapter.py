"""How allauth behaves here: nobody signs up, no view sends mail, addresses come by our own rule."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from opspilot.accounts import devices, lockout, outbox
from opspilot.accounts.address import client_address
from opspilot.accounts.models import MailKind
from opspilot.tenancy import reauthentication
from opspilot.tenancy.models import User

_LETTERS = {
    "account/email/password_reset": MailKind.PASSWORD_RESET,
    "account/email/password_changed": MailKind.PASSWORD_CHANGED,
    "mfa/email/totp_activated": MailKind.APP_ADDED,
    "mfa/email/totp_deactivated": MailKind.APP_REMOVED,
    "mfa/email/recovery_codes_generated": MailKind.CODES_MADE,
    "mfa/email/webauthn_added": MailKind.KEY_ADDED,
    "mfa/email/webauthn_removed": MailKind.KEY_REMOVED,
}
_MESSAGES = {
    "account/messages/password_changed.txt": _("Senha trocada. As outras sessões terminaram."),
    "mfa/messages/totp_activated.txt": _("Aplicativo de códigos ligado."),
    "mfa/messages/totp_deactivated.txt": _("Aplicativo de códigos removido."),
    "mfa/messages/webauthn_added.txt": _("Chave de segurança adicionada."),
    "mfa/messages/webauthn_removed.txt": _("Chave de segurança removida."),
}
_WAYS = {
    "reauthenticate": _("Usar a senha"),
    "mfa_reauthenticate": _("Usar um código do aplicativo ou de recuperação"),
    "mfa_reauthenticate:webauthn": _("Usar a chave de segurança"),
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": _("Usuário ou senha incorretos."),
        "enter_current_password": _("A senha atual não confere."),
        "incorrect_password": _("A senha não confere."),
        "too_many_login_attempts": _("Muitas tentativas seguidas. Espere alguns minutos."),
        "rate_limited": _("Muitas tentativas seguidas. Espere alguns minutos."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Failed logins are counted by accounts.lockout alone, in the database."""

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def is_safe_url(self, url: str | None) -> bool:
        """Inside this console only, whatever other hosts the settings trust."""
        return url_has_allowed_host_and_scheme(url, allowed_hosts=None)

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """One rule for allauth's pages and ours."""
        return not reauthentication.is_recent(context.request)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [way | {"description": _WAYS[way["id"]]} for way in ways]

    def set_password(self, user: User, password: str) -> None:
        super().set_password(user, password)
        lockout.forget(user)

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **kwargs)
        devices.remember(request, response, user)
        return response

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        words = message or _MESSAGES.get(message_template or "")
        if words:
            super().add_message(request, level, message=words, extra_tags=extra_tags)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        outbox.post(user=user, kind=_LETTERS[template_prefix])

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """No view calls the outside world; and only these kinds of letters exist."""
        raise NotImplementedError(template_prefix)
