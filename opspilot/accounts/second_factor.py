"""How allauth's second factor behaves here. Its secrets are encrypted in the database."""

from __future__ import annotations

import base64
import hashlib
import hmac
from functools import cache
from typing import Any

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from qrcode import QRCode
from qrcode.image.svg import SvgPathFillImage

from opspilot.tenancy.models import User

NAME = "OpsPilot"


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": gettext_lazy("Este código não confere. Use o mais recente."),
        "cannot_generate_recovery_codes": gettext_lazy(
            "Códigos de recuperação existem só junto de um segundo fator."
        ),
    }

    def get_totp_label(self, user: User) -> str:
        return user.get_username()

    def build_totp_svg(self, url: str) -> str:
        """The drawing has an address of its own: a data: image is not allowed by our CSP."""
        return ""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Raises when OPSPILOT_HMAC_KEY has changed: an empty secret would have known codes."""
        return _cipher().decrypt(encrypted_text.encode()).decode()

    def generate_authenticator_name(self, user: User, type: Any) -> str:
        return _("Chave de segurança")

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {"id": context.request.get_host().partition(":")[0], "name": NAME}

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        name = user.get_username()
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return entity | {"name": name}


def qr_svg(text: str) -> bytes:
    """Black on white whatever the theme: a camera reads it, not a person."""
    code = QRCode(border=4)
    code.add_data(text)
    drawing: bytes = code.make_image(image_factory=SvgPathFillImage).to_string()
    return drawing


@cache
def _cipher() -> Fernet:
    key = settings.OPSPILOT_HMAC_KEY.encode()
    derived = hmac.new(key, b"second factor", hashlib.sha256).digest()
    return Fernet(base64.urlsafe_b64encode(derived))
