"""allauth's forms where ours differ: no mail from a view, and failed codes go to the log."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from allauth.account.forms import ChangePasswordForm, ResetPasswordForm
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from opspilot.accounts import outbox
from opspilot.accounts.security_log import log

# What reading a made-up credential raises, from JSON down to its binary parts.
_MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError, struct.error)


class ResetForm(ResetPasswordForm):  # type: ignore[misc]
    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """The same row and the same answer, whether the address has an account or not."""
        outbox.ask_for_reset(users=self.users)
        return str(self.cleaned_data["email"])


class PasswordForm(ChangePasswordForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = _("Senha atual")
        self.fields["oldpassword"].help_text = ""
        self.fields["password1"].label = _("Nova senha")
        self.fields["password2"].label = _("Nova senha outra vez")


class AppForm(ActivateTOTPForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Código que o aplicativo mostra")


class RenameKeyForm(EditWebAuthnForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Nome da chave")


class CodeForm(AuthenticateForm):  # type: ignore[misc]
    def _emit_authentication_failed(self, authenticator: Any) -> None:
        log.warning("second factor failed", user=self.user.get_username())
        super()._emit_authentication_failed(authenticator)


class ConfirmCodeForm(ReauthenticateForm):  # type: ignore[misc]
    def _emit_authentication_failed(self, authenticator: Any) -> None:
        log.warning("confirmation failed", user=self.user.get_username())
        super()._emit_authentication_failed(authenticator)


class AddKeyForm(AddWebAuthnForm):  # type: ignore[misc]
    def clean(self) -> dict[str, Any]:
        try:
            cleaned: dict[str, Any] = super().clean()
        except _MALFORMED as exc:
            raise get_adapter().validation_error("incorrect_code") from exc
        return cleaned


class KeyForm(AuthenticateWebAuthnForm):  # type: ignore[misc]
    def clean_credential(self) -> Authenticator:
        return _read(self, super().clean_credential)


class ConfirmKeyForm(ReauthenticateWebAuthnForm):  # type: ignore[misc]
    def clean_credential(self) -> Authenticator:
        return _read(self, super().clean_credential)


def _read(form: Any, read: Callable[[], Authenticator]) -> Authenticator:
    try:
        return read()
    except _MALFORMED as exc:
        log.warning("security key failed", user=form.user.get_username())
        raise get_adapter().validation_error("incorrect_code") from exc
