"""Proof of who is asking, before what is grave; and the session list, where it is used."""

from __future__ import annotations

import datetime as dt

import pytest
from allauth.usersessions.models import UserSession
from django.core.mail import EmailMessage
from django.db.models.functions import Now
from django.test import Client

from audit.models import AgenteAcao
from opspilot.tenancy import selectors
from opspilot.tenancy.models import User
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import entering

LIST, END, OTHERS = (
    "/conta/sessoes/",
    "/conta/sessoes/encerrar/",
    "/conta/sessoes/encerrar-outras/",
)
pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def person() -> User:
    return entering.a_reachable_person()


def session_of(client: Client) -> UserSession:
    return UserSession.objects.get(session_key=client.session.session_key)


def end(client: Client, session: UserSession, **headers: str) -> object:
    return client.post(END, {"sessao": session.pk}, headers=headers or None)


def test_right_after_the_login_nothing_more_is_asked(person: User) -> None:
    here, there = entering.logged_in(person), entering.logged_in(person)
    assert here.post(END, {"sessao": session_of(there).pk})["Location"] == LIST
    assert not entering.is_in(there)
    assert entering.is_in(here)


def test_later_the_act_waits_for_a_confirmation_and_is_not_done(person: User) -> None:
    here, there = entering.logged_in(person), entering.logged_in(person)
    entering.grow_old(here)
    answer = here.post(
        END, {"sessao": session_of(there).pk}, headers={"Referer": f"http://testserver{LIST}"}
    )
    assert answer["Location"] == "/conta/confirmar/?next=%2Fconta%2Fsessoes%2F"
    assert entering.is_in(there)


def test_after_the_confirmation_comes_the_page_and_the_act_works(person: User) -> None:
    here, there = entering.logged_in(person), entering.logged_in(person)
    entering.grow_old(here)
    data = {"password": factories.PASSWORD, "next": LIST}
    assert here.post("/conta/confirmar/", data)["Location"] == LIST
    here.post(END, {"sessao": session_of(there).pk})
    assert not entering.is_in(there)


def test_a_wrong_password_confirms_nothing(person: User) -> None:
    here = entering.logged_in(person)
    entering.grow_old(here)
    page = here.post("/conta/confirmar/", {"password": "errada", "next": LIST}).content.decode()
    assert "A senha não confere." in page
    assert here.post(OTHERS)["Location"].startswith("/conta/confirmar/")


def test_a_code_confirms_as_well(person: User) -> None:
    here = entering.logged_in(person)
    secret = entering.enrol(here)
    entering.grow_old(here)
    code = entering.code(secret, steps=1)
    answer = here.post("/conta/confirmar/codigo/", {"code": code, "next": LIST})
    assert answer["Location"] == LIST
    assert here.post(OTHERS)["Location"] == LIST


def test_a_fragment_is_led_to_a_whole_page_and_back_to_where_it_stood(person: User) -> None:
    here = entering.logged_in(person)
    entering.grow_old(here)
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/conta/sessoes/?a=1"}
    answer = here.post(OTHERS, headers=headers)
    assert answer["HX-Redirect"] == "/conta/confirmar/?next=%2Fconta%2Fsessoes%2F%3Fa%3D1"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/",
        "//example.com/",
        "http://testserver.example.com/",
        "javascript:alert(1)",
    ],
)
def test_the_page_that_comes_after_is_always_in_this_console(person: User, url: str) -> None:
    here = entering.logged_in(person)
    data = {"password": factories.PASSWORD, "next": url}
    assert here.post("/conta/confirmar/", data)["Location"] == "/"
    entering.grow_old(here)
    asked = here.post(OTHERS, headers={"Referer": url})["Location"]
    assert asked == "/conta/confirmar/?next=%2Fconta%2Fsessoes%2Fencerrar-outras%2F"


@pytest.mark.parametrize(
    ("url", "back"),
    [
        ("/aprovacoes/?fila=todas", "/aprovacoes/?fila=todas"),
        ("//example.com/", "/"),
        ("javascript:alert(1)", "/"),
        ("https://example.com/", "/"),
        ("", "/"),
    ],
)
def test_who_confirms_nothing_goes_back_to_the_page_they_were_on(
    person: User, url: str, back: str
) -> None:
    page = entering.logged_in(person).get("/conta/confirmar/", {"next": url}).content.decode()
    assert f'<a href="{back}" aria-keyshortcuts="Escape">' in page
    assert "Voltar sem confirmar" in page


def test_the_proof_of_one_session_is_none_for_another(person: User) -> None:
    old = entering.logged_in(person)
    entering.grow_old(old)
    entering.logged_in(person)
    assert old.post(OTHERS)["Location"].startswith("/conta/confirmar/")


def test_a_time_in_the_future_proves_nothing(person: User) -> None:
    here = entering.logged_in(person)
    entering.grow_old(here, minutes=-600)
    assert here.post(OTHERS)["Location"].startswith("/conta/confirmar/")


def test_waiting_for_a_confirmation_is_no_refusal_in_the_trail(person: User) -> None:
    here = entering.logged_in(person)
    entering.grow_old(here)
    here.post(OTHERS)
    (tenant_id,) = selectors.tenants_of(person.pk)
    with tenant_scope(tenant_id):
        assert not AgenteAcao.objects.exists()


def test_who_enters_by_the_company_is_told_to_enter_again(person: User) -> None:
    client = Client()
    person.set_unusable_password()
    person.save()
    client.force_login(person, backend="allauth.account.auth_backends.AuthenticationBackend")
    page = client.get("/conta/confirmar/?next=/aprovacoes/").content.decode()
    assert "Sair e entrar outra vez" in page
    assert "/conta/entrar/?next=%2Faprovacoes%2F" in page


def test_the_list_says_where_and_marks_this_session(person: User) -> None:
    here = entering.logged_in(person, address="10.9.8.7")
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0"
    there = Client(HTTP_USER_AGENT=agent, REMOTE_ADDR="10.9.8.6")
    entering.try_login(there, person.username)
    page = here.get(LIST).content.decode()
    assert "Firefox em Linux" in page
    assert "10.9.8.6" in page
    assert page.count("Encerrar esta") == 1
    assert agent not in page


def test_all_the_others_end_and_this_one_stays(person: User) -> None:
    here = entering.logged_in(person)
    others = [entering.logged_in(person) for _ in range(2)]
    stranger = entering.logged_in(entering.a_reachable_person())
    here.post(OTHERS)
    assert [entering.is_in(client) for client in (here, *others, stranger)] == [
        True,
        False,
        False,
        True,
    ]


def test_ending_this_session_leads_to_the_door(person: User) -> None:
    here = entering.logged_in(person)
    here.post(END, {"sessao": session_of(here).pk})
    assert not entering.is_in(here)


def test_somebody_else_s_session_is_as_unknown_as_none(person: User) -> None:
    here, stranger = entering.logged_in(person), entering.logged_in(entering.a_reachable_person())
    for number in (str(session_of(stranger).pk), "999999999", "", "x", "-1"):
        assert here.post(END, {"sessao": number}).status_code == 404
    assert entering.is_in(stranger)


def test_sessions_end_by_post_only(person: User) -> None:
    here, there = entering.logged_in(person), entering.logged_in(person)
    assert here.get(f"{END}?sessao={session_of(there).pk}")["Location"] == LIST
    assert here.get(OTHERS)["Location"] == LIST
    assert entering.is_in(there)


def test_when_it_was_last_seen_is_noted_now_and_then(person: User) -> None:
    here = entering.logged_in(person)
    old = Now() - dt.timedelta(minutes=10)
    UserSession.objects.filter(pk=session_of(here).pk).update(last_seen_at=old)
    before = session_of(here).last_seen_at
    here.get("/")
    first = session_of(here).last_seen_at
    here.get("/")
    assert first - before > dt.timedelta(minutes=9)
    assert session_of(here).last_seen_at == first


def test_changing_the_password_ends_the_others_and_tells_the_person(
    person: User, mailoutbox: list[EmailMessage]
) -> None:
    here, there = entering.logged_in(person), entering.logged_in(person)
    data = {
        "oldpassword": factories.PASSWORD,
        "password1": entering.OTHER,
        "password2": entering.OTHER,
    }
    here.post("/conta/senha/", data)
    assert (entering.is_in(here), entering.is_in(there)) == (True, False)
    entering.deliver()
    (letter,) = entering.letters_to(person, mailoutbox)
    assert letter.subject == "[OpsPilot] Sua senha foi trocada"


def test_account_pages_are_for_whoever_is_logged_in(person: User) -> None:
    for path in ("/conta/", LIST, "/conta/segundo-fator/", "/conta/senha/", "/conta/confirmar/"):
        assert Client().get(path)["Location"].startswith("/conta/entrar/?next=")


def test_somebody_of_no_company_still_reaches_their_account() -> None:
    person = factories.a_person(factories.a_tenant())
    client = entering.logged_in(person)
    for path in ("/conta/", LIST, "/conta/segundo-fator/", "/conta/senha/"):
        assert client.get(path).status_code == 200, path
