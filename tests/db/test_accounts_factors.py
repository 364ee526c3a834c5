"""The second factor: enrolling, entering, recovering, taking it off."""

from __future__ import annotations

import re

import pytest
from allauth.mfa.models import Authenticator
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client

from opspilot.tenancy.models import User
from tests.db import entering

FACTOR, APP = "/conta/segundo-fator/", "/conta/segundo-fator/aplicativo/"
CODES, ENTER = "/conta/segundo-fator/codigos/", "/conta/segundo-fator/entrar/"
pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def person() -> User:
    return entering.a_reachable_person()


def at_the_second_step(person: User) -> Client:
    client = Client(REMOTE_ADDR=entering.an_address())
    assert entering.try_login(client, person.username)["Location"] == ENTER
    return client


def recovery_codes(client: Client) -> list[str]:
    return re.findall(r"<li><code>(\d{8})</code></li>", client.get(CODES).content.decode())


def test_after_enrolling_the_password_alone_does_not_open(person: User) -> None:
    entering.enrol(entering.logged_in(person))
    client = at_the_second_step(person)
    assert not entering.is_in(client)


def test_the_app_s_code_opens(person: User) -> None:
    secret = entering.enrol(entering.logged_in(person))
    client = at_the_second_step(person)
    assert client.post(ENTER, {"code": entering.code(secret, steps=1)})["Location"] == "/"
    assert entering.is_in(client)


def test_a_code_opens_once(person: User) -> None:
    secret = entering.enrol(entering.logged_in(person))
    code = entering.code(secret, steps=1)
    at_the_second_step(person).post(ENTER, {"code": code})
    client = at_the_second_step(person)
    assert "não confere" in client.post(ENTER, {"code": code}).content.decode()


def test_codes_cannot_be_guessed_at_leisure(person: User) -> None:
    secret = entering.enrol(entering.logged_in(person))
    for _ in range(5):
        at_the_second_step(person).post(ENTER, {"code": "000000"})
    client = at_the_second_step(person)
    page = client.post(ENTER, {"code": entering.code(secret, steps=1)}).content.decode()
    assert "Muitas tentativas" in page
    assert not entering.is_in(client)


def test_a_wrong_code_enrols_nothing(person: User) -> None:
    client = entering.logged_in(person)
    client.get(APP)
    assert client.post(APP, {"code": "000000"}).status_code == 200
    assert not Authenticator.objects.filter(user=person).exists()


def test_the_drawing_is_an_image_of_our_own_and_its_secret_is_text_too(person: User) -> None:
    client = entering.logged_in(person)
    page = client.get(APP).content.decode()
    drawing = client.get("/conta/segundo-fator/aplicativo/qr.svg")
    assert 'src="/conta/segundo-fator/aplicativo/qr.svg"' in page
    assert "data:image" not in page
    assert drawing["Content-Type"] == "image/svg+xml"
    assert b"<script" not in drawing.content
    assert "no-store" in drawing["Cache-Control"]
    assert client.session["mfa.totp.secret"] in page


def test_the_drawing_is_there_only_while_enrolling(person: User) -> None:
    assert (
        entering.logged_in(person).get("/conta/segundo-fator/aplicativo/qr.svg").status_code == 404
    )


def test_no_secret_of_the_factor_is_readable_in_the_database(person: User) -> None:
    secret = entering.enrol(entering.logged_in(person))
    with connection.cursor() as cursor:
        cursor.execute("SELECT a::text FROM mfa_authenticator a WHERE user_id = %s", [person.pk])
        texts = " ".join(text for (text,) in cursor.fetchall())
    assert secret not in texts
    assert texts.count("gAAAA") == 2  # the app's secret and the codes' seed, encrypted


def test_recovery_codes_are_shown_once(person: User) -> None:
    client = entering.logged_in(person)
    entering.enrol(client)
    assert len(recovery_codes(client)) == 10
    assert recovery_codes(client) == []


def test_a_recovery_code_opens_once(person: User) -> None:
    client = entering.logged_in(person)
    entering.enrol(client)
    code = recovery_codes(client)[0]
    first = at_the_second_step(person)
    first.post(ENTER, {"code": code})
    assert entering.is_in(first)
    second = at_the_second_step(person)
    second.post(ENTER, {"code": code})
    assert not entering.is_in(second)


def test_new_codes_end_the_old_ones(person: User) -> None:
    client = entering.logged_in(person)
    entering.enrol(client)
    old = recovery_codes(client)
    client.post(f"{CODES}gerar/")
    new = recovery_codes(client)
    assert len(new) == 10
    assert set(old).isdisjoint(new)
    late = at_the_second_step(person)
    late.post(ENTER, {"code": old[0]})
    assert not entering.is_in(late)


@pytest.mark.parametrize("path", [APP, f"{APP}remover/", CODES, f"{CODES}gerar/"])
def test_touching_the_factor_asks_for_a_recent_proof(person: User, path: str) -> None:
    client = entering.logged_in(person)
    if path != APP:
        entering.enrol(client)
    entering.grow_old(client)
    answer = client.get(path)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/conta/confirmar/?next=%2Fconta%2Fsegundo-fator%2F")


def test_a_post_without_proof_removes_nothing(person: User) -> None:
    client = entering.logged_in(person)
    entering.enrol(client)
    entering.grow_old(client)
    assert client.post(f"{APP}remover/")["Location"].startswith("/conta/confirmar/")
    assert Authenticator.objects.filter(user=person, type="totp").exists()


def test_removing_the_app_takes_its_recovery_codes_along(
    person: User, mailoutbox: list[EmailMessage]
) -> None:
    client = entering.logged_in(person)
    entering.enrol(client)
    client.post(f"{APP}remover/")
    assert not Authenticator.objects.filter(user=person).exists()
    entering.deliver()
    subjects = [letter.subject for letter in entering.letters_to(person, mailoutbox)]
    assert subjects == [
        "[OpsPilot] Um aplicativo de códigos foi ligado à sua conta",
        "[OpsPilot] O aplicativo de códigos foi removido da sua conta",
    ]


def test_a_key_of_another_person_is_as_unknown_as_none(person: User) -> None:
    other = entering.a_reachable_person()
    key = Authenticator.objects.create(user=other, type="webauthn", data={"name": "x"})
    client = entering.logged_in(person)
    for act in ("remover", "renomear"):
        assert client.get(f"/conta/segundo-fator/chaves/{key.pk}/{act}/").status_code == 404
    assert client.post(f"/conta/segundo-fator/chaves/{key.pk}/remover/").status_code == 404
    assert Authenticator.objects.filter(pk=key.pk).exists()


@pytest.mark.parametrize(
    "credential", ["", "x", "{}", '{"id": 1}', "[]", "null", '{"response": {}}']
)
def test_a_credential_that_is_none_is_refused_calmly(person: User, credential: str) -> None:
    client = entering.logged_in(person)
    client.get("/conta/segundo-fator/chaves/adicionar/")
    answer = client.post("/conta/segundo-fator/chaves/adicionar/", {"credential": credential})
    assert answer.status_code == 200
    assert "A chave não foi aceita." in answer.content.decode()


def test_the_second_step_is_closed_to_who_did_not_pass_the_first() -> None:
    assert Client().get(ENTER)["Location"] == "/conta/entrar/"
    assert Client().post(ENTER, {"code": "123456"})["Location"] == "/conta/entrar/"
