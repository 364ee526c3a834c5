"""A new password by e-mail: who gets a letter, what it is good for, and what a stranger learns."""

from __future__ import annotations

import datetime as dt
import re
import uuid

import pytest
from allauth.account.utils import user_pk_to_url_str
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from opspilot.accounts.models import MailKind, MailState, OutgoingMail
from opspilot.tenancy.models import User
from tests.db import entering
from tests.db.test_console_access import without_noise

ASK = "/conta/senha/esqueci/"
pytestmark = pytest.mark.usefixtures("committed")


def ask(email: str) -> Client:
    client = Client(REMOTE_ADDR=entering.an_address())
    assert client.post(ASK, {"email": email}).status_code == 302
    return client


def link_for(person: User, mailoutbox: list[EmailMessage]) -> str:
    ask(person.email)
    entering.deliver()
    (letter,) = entering.letters_to(person, mailoutbox)
    found = re.search(r"http://[^/]+(/conta/senha/nova/\S+)", letter.body)
    assert found
    return found[1]


def choose(client: Client, link: str, password: str = entering.OTHER) -> str:
    page = client.get(link, follow=True)
    if not page.redirect_chain:
        return page.content.decode()
    data = {"password1": password, "password2": password}
    return client.post(page.redirect_chain[-1][0], data, follow=True).content.decode()


def test_the_link_of_the_letter_sets_a_new_password(mailoutbox: list[EmailMessage]) -> None:
    person = entering.a_reachable_person()
    page = choose(Client(), link_for(person, mailoutbox))
    assert "Senha nova gravada" in page
    assert entering.try_login(Client(), person.username, entering.OTHER).status_code == 302
    assert entering.try_login(Client(), person.username).status_code == 200


def test_the_link_works_once(mailoutbox: list[EmailMessage]) -> None:
    person = entering.a_reachable_person()
    link = link_for(person, mailoutbox)
    choose(Client(), link)
    assert "não vale mais" in choose(Client(), link, "terceira-senha-longa-3")
    assert entering.try_login(Client(), person.username, entering.OTHER).status_code == 302


def test_the_link_ends_after_an_hour(
    mailoutbox: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    person = entering.a_reachable_person()
    link = link_for(person, mailoutbox)
    later = dt.datetime.now() + dt.timedelta(minutes=61)  # noqa: DTZ005 - as the generator reads it
    monkeypatch.setattr(
        "django.contrib.auth.tokens.PasswordResetTokenGenerator._now", lambda _self: later
    )
    assert "não vale mais" in choose(Client(), link)


def test_a_login_ends_the_link(mailoutbox: list[EmailMessage]) -> None:
    person = entering.a_reachable_person()
    link = link_for(person, mailoutbox)
    entering.logged_in(person)
    assert "não vale mais" in choose(Client(), link)


def test_a_link_of_one_person_is_no_use_for_another(mailoutbox: list[EmailMessage]) -> None:
    one, other = entering.a_reachable_person(), entering.a_reachable_person()
    link = link_for(one, mailoutbox)
    swapped = re.sub(r"nova/[^-]+-", f"nova/{user_pk_to_url_str(other)}-", link)
    assert "não vale mais" in choose(Client(), swapped)


def test_a_new_password_ends_every_session(mailoutbox: list[EmailMessage]) -> None:
    person = entering.a_reachable_person()
    session = Client()
    session.force_login(person, backend="allauth.account.auth_backends.AuthenticationBackend")
    person.refresh_from_db()
    link = link_for(person, mailoutbox)
    choose(Client(), link)
    assert not entering.is_in(session)


def link_for_again(person: User, mailoutbox: list[EmailMessage]) -> str:
    person.refresh_from_db()
    mailoutbox.clear()
    return link_for(person, mailoutbox)


def test_a_reset_asks_for_the_second_factor_all_the_same(mailoutbox: list[EmailMessage]) -> None:
    person = entering.a_reachable_person()
    entering.enrol(entering.logged_in(person))
    entering.deliver()
    choose(Client(), link_for_again(person, mailoutbox))
    client = Client()
    answer = entering.try_login(client, person.username, entering.OTHER)
    assert answer["Location"] == "/conta/segundo-fator/entrar/"
    assert not entering.is_in(client)


def test_an_easy_password_is_not_taken(mailoutbox: list[EmailMessage]) -> None:
    person = entering.a_reachable_person()
    assert "Senha nova gravada" not in choose(Client(), link_for(person, mailoutbox), "password")
    assert entering.try_login(Client(), person.username).status_code == 302


def test_the_token_is_in_no_row_of_the_outbox(mailoutbox: list[EmailMessage]) -> None:
    person = entering.a_reachable_person()
    token = link_for(person, mailoutbox).rstrip("/").rpartition("-")[2]
    with connection.cursor() as cursor:
        cursor.execute("SELECT m::text FROM outgoing_mail m WHERE user_id = %s", [person.pk])
        assert not [text for (text,) in cursor.fetchall() if token in text]


def test_the_letter_says_who_and_is_in_the_person_s_language(
    mailoutbox: list[EmailMessage],
) -> None:
    person = entering.a_reachable_person()
    link_for(person, mailoutbox)
    (letter,) = entering.letters_to(person, mailoutbox)
    assert letter.subject == "[OpsPilot] Nova senha"
    assert person.username in letter.body
    assert "60 minutos" in letter.body


def test_an_address_of_no_account_gets_no_letter(mailoutbox: list[EmailMessage]) -> None:
    unknown = f"{uuid.uuid4().hex}@aurora.example"
    ask(unknown)
    entering.deliver()
    assert unknown not in {address for letter in mailoutbox for address in letter.to}


def test_a_stranger_cannot_tell_a_known_address_from_an_unknown_one() -> None:
    person = entering.a_reachable_person()
    unknown = f"p-{uuid.uuid4().hex[:10]}@aurora.example"
    pages, counts = [], []
    for email in (person.email, unknown):
        client = Client(REMOTE_ADDR=entering.an_address())
        with CaptureQueriesContext(connection) as queries:
            answer = client.post(ASK, {"email": email})
        page = client.get(answer["Location"]).content.decode()
        pages.append((answer.status_code, answer["Location"], without_noise(page)))
        counts.append([query["sql"].split()[0] for query in queries])
    assert pages[0] == pages[1]
    assert counts[0] == counts[1]


def test_who_enters_by_the_company_gets_no_password_this_way(
    mailoutbox: list[EmailMessage],
) -> None:
    person = entering.a_reachable_person()
    person.set_unusable_password()
    person.save()
    ask(person.email)
    entering.deliver()
    assert entering.letters_to(person, mailoutbox) == []


def test_asking_again_and_again_is_refused_for_any_address() -> None:
    for email in (entering.a_reachable_person().email, f"{uuid.uuid4().hex}@aurora.example"):
        client = Client(REMOTE_ADDR=entering.an_address())
        answers = [client.post(ASK, {"email": email}).status_code for _ in range(21)]
        assert answers == [302] * 20 + [429]


def test_a_row_for_an_unknown_address_is_dropped_by_the_worker() -> None:
    before = OutgoingMail.objects.filter(user=None).count()
    ask(f"{uuid.uuid4().hex}@aurora.example")
    row = OutgoingMail.objects.filter(user=None).latest("id")
    assert OutgoingMail.objects.filter(user=None).count() == before + 1
    assert row.kind == MailKind.RESET
    entering.deliver()
    row.refresh_from_db()
    assert row.state == MailState.DROPPED
    assert row.settled_at is not None
    assert abs((timezone.now() - row.settled_at).total_seconds()) < 60


def test_asking_often_sends_one_letter_and_says_the_same(mailoutbox: list[EmailMessage]) -> None:
    person = entering.a_reachable_person()
    for _ in range(5):
        ask(person.email)
    entering.deliver()
    assert len(entering.letters_to(person, mailoutbox)) == 1


def test_a_stranger_who_asks_often_does_not_keep_the_owner_from_asking() -> None:
    person = entering.a_reachable_person()
    stranger = Client(REMOTE_ADDR=entering.an_address())
    for _ in range(8):
        stranger.post(ASK, {"email": person.email})
    ask(person.email)
