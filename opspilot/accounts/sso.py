"""allauth's OpenID Connect, tightened: PKCE, a nonce, a signature that is always checked.

The provider comes from the settings only. Nothing the browser sends chooses scopes, the process or
extra parameters of the authorization request, as allauth would let it.
"""

from __future__ import annotations

import secrets
from typing import Any

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from opspilot.accounts import admission, identity
from opspilot.accounts.errors import ProviderSilentError
from opspilot.accounts.security_log import log


class SsoAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """The one of the settings; the library's own table is not read."""
        if not settings.OPSPILOT_OIDC_ISSUER:
            return []
        if provider not in {None, "openid_connect", admission.PROVIDER}:
            return []
        return [_app()]

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return False

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """After this the login is one of an account that exists, or there is none."""
        account = admission.admit(claims=sociallogin.claims)
        sociallogin.account, sociallogin.user = account, account.user

    def on_authentication_error(self, request: HttpRequest, provider: Any, **kwargs: Any) -> None:
        log.warning("sso failed", error=type(kwargs.get("exception")).__name__)


class SsoFlow(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """One login: from the authorization code to verified claims."""

    nonce = ""

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: Any, **kwargs: Any
    ) -> SocialLogin:
        try:
            claims = self._claims(kwargs["response"], token.token)
        except (identity.IdentityError, KeyError, TypeError, ValueError) as exc:
            raise OAuth2Error("the provider's answer cannot be accepted") from exc
        login = self.get_provider().sociallogin_from_response(request, {"id_token": claims})
        login.account.extra_data = {}  # who they are is enough; nothing else is kept
        login.claims = claims
        return login

    def _claims(self, response: Any, access: str) -> dict[str, Any]:
        config = self.openid_config
        if config["issuer"].rstrip("/") != settings.OPSPILOT_OIDC_ISSUER.rstrip("/"):
            raise identity.IdentityError("the provider says it is another one")
        claims = identity.verified(
            response["id_token"],
            keys=self._keys(),
            issuer=config["issuer"],
            client_id=settings.OPSPILOT_OIDC_CLIENT_ID,
            nonce=self.nonce,
        )
        if settings.OPSPILOT_OIDC_GROUPS_CLAIM in claims or "userinfo_endpoint" not in config:
            return claims
        return self._with_groups(claims, self._fetch_user_info(access))

    def _with_groups(self, claims: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
        """Only the groups: what the signature covers is not replaced by what it does not."""
        if info.get("sub") != claims["sub"]:
            raise identity.IdentityError("the user information is somebody else's")
        name = settings.OPSPILOT_OIDC_GROUPS_CLAIM
        return claims | ({name: info[name]} if name in info else {})

    def _keys(self) -> dict[str, Any]:
        with SsoAdapter().get_requests_session() as session:
            response = session.get(self.openid_config["jwks_uri"])
            response.raise_for_status()
            keys: dict[str, Any] = response.json()
        return keys


class SsoCallback(OAuth2CallbackView):  # type: ignore[misc]
    """The nonce waits with the state of its own login, so two tabs do not mix."""

    adapter: SsoFlow

    def _get_state(self, request: HttpRequest, provider: Any) -> tuple[Any, Any]:
        state, response = super()._get_state(request, provider)
        self.adapter.nonce = str((state or {}).get("data") or "")
        return state, response


def begin(request: HttpRequest, *, next_url: str) -> HttpResponse:
    """To the provider. Raises ProviderSilentError when its own description cannot be read."""
    provider, nonce = SsoFlow(request, admission.PROVIDER).get_provider(), secrets.token_urlsafe(24)
    try:
        response: HttpResponse = provider.redirect(
            request,
            process="login",
            next_url=next_url or None,
            data=nonce,
            auth_params={"nonce": nonce},
        )
    except (OSError, KeyError, ValueError) as exc:
        raise ProviderSilentError from exc
    return response


def finish(request: HttpRequest) -> HttpResponse:
    """Back from the provider, with a code or with its refusal."""
    view = SsoCallback.adapter_view(SsoFlow(request, admission.PROVIDER))
    response: HttpResponse = view(request)
    return response


def _app() -> SocialApp:
    return SocialApp(
        provider="openid_connect",
        provider_id=admission.PROVIDER,
        name="SSO",
        client_id=settings.OPSPILOT_OIDC_CLIENT_ID,
        secret=settings.OPSPILOT_OIDC_CLIENT_SECRET,
        settings={
            "server_url": settings.OPSPILOT_OIDC_ISSUER.rstrip("/"),
            "oauth_pkce_enabled": True,
        },
    )
