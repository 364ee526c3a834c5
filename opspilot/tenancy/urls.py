"""Login and logout only: accounts are made by an admin, and other account pages come later."""

from __future__ import annotations

from allauth.account.views import LoginView, LogoutView
from django.urls import path

urlpatterns = [
    path("entrar/", LoginView.as_view(), name="account_login"),
    path("sair/", LogoutView.as_view(), name="account_logout"),
]
