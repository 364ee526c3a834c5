"""Somebody at the door: password, codes, letters, and the passing of time in a session."""

from __future__ import annotations

import time
import uuid
from typing import Any

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.mail import EmailMessage
from django.http import HttpResponse
from django.test import Client

from opspilot.accounts import outbox
from opspilot.accounts.models import OutgoingMail
from opspilot.tenancy.models import User
from opspilot.tenancy.principal import Role
from tests import factories

LOGIN = "/conta/entrar/"
OTHER = "outra-senha-longa-de-teste-2"


def a_reachable_person(*roles: Role) -> User:
    person = factories.a_person(factories.a_tenant(), *(roles or (Role.OPERADOR,)))
    person.email = f"{person.username}@aurora.example"
    person.save(update_fields=["email"])
    return person


def an_address() -> str:
    """An address of its own, so that no test counts another's failures."""
    number = uuid.uuid4().int
    return f"10.{number % 250}.{number // 250 % 250}.{number // 62500 % 250}"


def try_login(
    client: Client, name: str, password: str = factories.PASSWORD, *, address: str = ""
) -> HttpResponse:
    data = {"login": name, "password": password}
    extra = {"REMOTE_ADDR": address} if address else {}
    return client.post(LOGIN, data, **extra)  # type: ignore[return-value, arg-type]


def logged_in(person: User, *, address: str = "") -> Client:
    """By the page, as a person does: the session is listed and counts as a recent proof."""
    client = Client(REMOTE_ADDR=address or an_address())
    assert try_login(client, person.username).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def grow_old(client: Client, *, minutes: float = 6) -> None:
    """As if the person had proved who they are that long ago."""
    session = client.session
    records = session["account_authentication_methods"]
    session["account_authentication_methods"] = [
        record | {"at": record["at"] - minutes * 60} for record in records
    ]
    session.save()


def code(secret: str, *, steps: int = 0) -> str:
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps)))


def enrol(client: Client) -> str:
    """Turn an app on; its secret."""
    client.get("/conta/segundo-fator/aplicativo/")
    secret: str = client.session["mfa.totp.secret"]
    done = client.post("/conta/segundo-fator/aplicativo/", {"code": code(secret)})
    assert done.status_code == 302, done.content.decode()
    return secret


def deliver() -> None:
    """What the worker does when woken."""
    for mail_id in outbox.due(1000):
        outbox.advance(mail_id=mail_id)


def letters_to(person: User, box: list[EmailMessage]) -> list[Any]:
    return [letter for letter in box if letter.to == [person.email]]


def rows_of(person: User) -> list[OutgoingMail]:
    return list(OutgoingMail.objects.filter(user=person).order_by("id"))
