"""The console as one person's browser sees it, without a browser."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.login import record_authentication
from django.http import HttpRequest
from django.test import Client

from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from tests import factories


class Browser:
    """Somebody logged in. `read` follows redirects and gives the page's text."""

    def __init__(self, user: User) -> None:
        self.user, self.client = user, Client()
        self.client.force_login(user)

    def just_proved(self) -> Browser:
        """As if the person had only now proved who they are."""
        request = HttpRequest()
        request.session = session = self.client.session
        record_authentication(request, self.user, "password")
        session.save()
        return self

    def read(self, path: str) -> str:
        return self.client.get(path, follow=True).content.decode()

    def send(self, path: str, **data: Any) -> str:
        return self.client.post(path, data, follow=True).content.decode()

    def status(self, path: str) -> int:
        return int(self.client.get(path).status_code)


def as_(principal: Principal) -> Browser:
    return Browser(User.objects.get(pk=principal.user_id))


def a_browser(tenant: Tenant, role: Role) -> Browser:
    return Browser(factories.a_person(tenant, role))
