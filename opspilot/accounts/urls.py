"""The addresses of the account, under /conta/. allauth's own names, so that it finds its pages;
the ones left out (signing up, changing the e-mail, login by code) do not exist here."""

from __future__ import annotations

from allauth.account import views as account
from allauth.mfa.base import views as factor
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from opspilot.accounts import factor_views, session_views, sso_views, views

_own = [
    path("", views.index, name="index"),
    path("sessoes/encerrar/", session_views.end, name="end_session"),
    path("sessoes/encerrar-outras/", session_views.end_others, name="end_other_sessions"),
    path("segundo-fator/aplicativo/qr.svg", factor_views.qr, name="qr"),
    path("oidc/entrar/", sso_views.begin, name="sso"),
]

_password = [
    path("senha/", account.password_change, name="account_change_password"),
    path("senha/definir/", views.no_password, name="account_set_password"),
    path("senha/esqueci/", account.password_reset, name="account_reset_password"),
    path("senha/esqueci/enviado/", account.password_reset_done, name="account_reset_password_done"),
    path(
        "senha/nova/pronta/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    re_path(
        r"^senha/nova/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
]

_confirm = [
    path("confirmar/", views.ConfirmPage.as_view(), name="account_reauthenticate"),
    path("confirmar/codigo/", factor.reauthenticate, name="mfa_reauthenticate"),
    path(
        "confirmar/chave/",
        factor_views.ConfirmKeyPage.as_view(),
        name="mfa_reauthenticate_webauthn",
    ),
]

_factor = [
    path("", factor.index, name="mfa_index"),
    path("entrar/", factor.authenticate, name="mfa_authenticate"),
    path("aplicativo/", totp.activate_totp, name="mfa_activate_totp"),
    path("aplicativo/remover/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("codigos/", recovery.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("codigos/gerar/", recovery.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path("chaves/", RedirectView.as_view(pattern_name="mfa_index"), name="mfa_list_webauthn"),
    path("chaves/adicionar/", factor_views.AddKeyPage.as_view(), name="mfa_add_webauthn"),
    path("chaves/<int:pk>/remover/", webauthn.remove_webauthn, name="mfa_remove_webauthn"),
    path("chaves/<int:pk>/renomear/", webauthn.edit_webauthn, name="mfa_edit_webauthn"),
]

_sso = [
    path("oidc/cancelado/", sso_views.cancelled, name="socialaccount_login_cancelled"),
    path("oidc/<slug:provider_id>/retorno/", sso_views.finish, name="openid_connect_callback"),
]

urlpatterns = [
    path("", include((_own, "accounts"))),
    path("entrar/", views.LoginPage.as_view(), name="account_login"),
    path("sair/", account.logout, name="account_logout"),
    path("inativa/", account.account_inactive, name="account_inactive"),
    path("sessoes/", session_views.sessions, name="usersessions_list"),
    path("segundo-fator/", include(_factor)),
    *_password,
    *_confirm,
    *_sso,
]
