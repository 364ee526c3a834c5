"""When the door closes after failed logins, for whom, and that strangers cannot close it for others."""

from __future__ import annotations

import uuid

import pytest
from axes.models import AccessAttempt
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.db import connection
from django.test import Client

from opspilot.accounts import lockout
from opspilot.tenancy.models import User
from tests import factories
from tests.db import entering
from tests.db.test_accounts_reset import choose, link_for
from tests.db.test_console_access import without_noise

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def person() -> User:
    return entering.a_reachable_person()


def fail(name: str, times: int, *, address: str, client: Client | None = None) -> list[int]:
    browser = client or Client()
    return [
        entering.try_login(browser, name, "errada", address=address).status_code
        for _ in range(times)
    ]


def pass_time(minutes: int = 16) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE axes_accessattempt SET attempt_time = attempt_time - make_interval(mins => %s)",
            [minutes],
        )


def test_the_fifth_failure_closes_the_door_from_there(person: User) -> None:
    address = entering.an_address()
    assert fail(person.username, 5, address=address) == [200] * 4 + [429]
    answer = entering.try_login(Client(), person.username, address=address)
    page = answer.content.decode()
    assert answer.status_code == 429
    assert "muitas_tentativas" in page
    assert "15 minutos" in page
    assert answer["Retry-After"] == "900"


def test_from_elsewhere_the_person_still_comes_in(person: User) -> None:
    fail(person.username, 5, address=entering.an_address())
    answer = entering.try_login(Client(), person.username, address=entering.an_address())
    assert answer.status_code == 302


def test_after_a_quarter_of_an_hour_it_opens(person: User) -> None:
    address = entering.an_address()
    fail(person.username, 5, address=address)
    pass_time()
    assert entering.try_login(Client(), person.username, address=address).status_code == 302


def test_a_locked_attempt_neither_counts_nor_prolongs_the_lock(person: User) -> None:
    address = entering.an_address()
    fail(person.username, 5, address=address)
    pass_time(14)
    fail(person.username, 3, address=address)
    pass_time(2)
    assert entering.try_login(Client(), person.username, address=address).status_code == 302


def test_failures_long_apart_do_not_add_up(person: User) -> None:
    address = entering.an_address()
    fail(person.username, 4, address=address)
    pass_time()
    assert fail(person.username, 4, address=address) == [200] * 4


def test_a_success_clears_the_count(person: User) -> None:
    address = entering.an_address()
    fail(person.username, 4, address=address)
    entering.try_login(Client(), person.username, address=address)
    assert fail(person.username, 4, address=address) == [200] * 4


def test_the_name_s_case_and_the_browser_do_not_make_a_new_count(person: User) -> None:
    address = entering.an_address()
    names = [person.username, person.username.upper(), person.username.title()]
    for number in range(4):
        agent = Client(HTTP_USER_AGENT=f"browser {number}")
        fail(names[number % 3], 1, address=address, client=agent)
    assert fail(person.username, 1, address=address) == [429]


def test_many_accounts_from_one_address_close_it_for_strange_browsers(person: User) -> None:
    address = entering.an_address()
    for _ in range(lockout.PER_ADDRESS // 4 + 1):
        fail(f"p-{uuid.uuid4().hex[:10]}", 4, address=address)
    assert entering.try_login(Client(), person.username, address=address).status_code == 429


def test_a_guesser_s_own_success_does_not_clear_their_address(person: User) -> None:
    address = entering.an_address()
    guesser = entering.a_reachable_person()
    fail(person.username, 4, address=address)
    entering.try_login(Client(), guesser.username, address=address)
    assert fail(person.username, 1, address=address) == [429]


def test_one_account_from_many_addresses_is_closed_in_the_end(person: User) -> None:
    for _ in range(lockout.PER_PERSON // 5):
        fail(person.username, 5, address=entering.an_address())
    answer = entering.try_login(Client(), person.username, address=entering.an_address())
    assert answer.status_code == 429


def test_strangers_never_lock_the_browser_a_person_uses(person: User) -> None:
    address = entering.an_address()
    own = entering.logged_in(person, address=address)
    own.post("/conta/sair/")
    fail(person.username, 5, address=address)  # a colleague behind the same address
    for _ in range(lockout.PER_PERSON // 5):
        fail(person.username, 5, address=entering.an_address())
    assert entering.try_login(own, person.username, address=address).status_code == 302


def test_the_browser_a_person_uses_has_a_limit_too(person: User) -> None:
    own = entering.logged_in(person)
    own.post("/conta/sair/")
    statuses = [entering.try_login(own, person.username, "errada").status_code for _ in range(5)]
    assert statuses == [200] * 4 + [429]


def test_a_browser_known_for_one_person_is_strange_for_another(person: User) -> None:
    address = entering.an_address()
    own = entering.logged_in(entering.a_reachable_person(), address=address)
    own.post("/conta/sair/")
    fail(person.username, 5, address=address)
    assert entering.try_login(own, person.username, address=address).status_code == 429


def test_an_unknown_name_is_locked_just_like_a_known_one(person: User) -> None:
    unknown = f"p-{uuid.uuid4().hex[:10]}"
    pages = []
    for name in (person.username, unknown):
        address = entering.an_address()
        fail(name, 5, address=address)
        answer = entering.try_login(Client(), name, address=address)
        pages.append((answer.status_code, without_noise(answer.content.decode())))
    assert pages[0] == pages[1]


def test_neither_a_password_nor_what_else_was_posted_is_kept(person: User) -> None:
    secret, address = f"segredo-{uuid.uuid4().hex}", entering.an_address()
    entering.try_login(Client(), person.username, secret, address=address)
    entering.try_login(Client(), secret, "errada", address=address)  # in the wrong field
    with connection.cursor() as cursor:
        cursor.execute("SELECT a::text FROM axes_accessattempt a WHERE ip_address = %s", [address])
        texts = [text for (text,) in cursor.fetchall()]
    assert len(texts) == 2
    assert not [text for text in texts if secret in text]
    assert set(
        AccessAttempt.objects.filter(ip_address=address).values_list("post_data", "get_data")
    ) == {("", "")}


def test_a_header_from_a_stranger_does_not_change_the_address(person: User) -> None:
    address = entering.an_address()
    for number in range(5):
        client = Client(HTTP_X_FORWARDED_FOR=f"203.0.113.{number}")
        status = fail(person.username, 1, address=address, client=client)
    assert status == [429]


def test_a_new_password_by_mail_opens_the_door(
    person: User, mailoutbox: list[EmailMessage]
) -> None:
    address = entering.an_address()
    fail(person.username, 5, address=address)
    choose(Client(), link_for(person, mailoutbox))
    answer = entering.try_login(Client(), person.username, entering.OTHER, address=address)
    assert answer.status_code == 302


@pytest.mark.parametrize("command", ["axes_reset_username", "axes_reset_ip"])
def test_an_operator_opens_it_by_the_person_or_the_address(person: User, command: str) -> None:
    address = entering.an_address()
    fail(person.username, 5, address=address)
    call_command(command, person.username if command.endswith("username") else address)
    assert entering.try_login(Client(), person.username, address=address).status_code == 302


def test_confirming_with_wrong_passwords_is_limited_too(person: User) -> None:
    client = entering.logged_in(person)
    answers = [
        client.post("/conta/confirmar/", {"password": "errada"}).status_code for _ in range(5)
    ]
    assert answers == [200] * 4 + [429]
    assert client.post("/conta/confirmar/", {"password": factories.PASSWORD}).status_code == 429


def test_a_login_elsewhere_does_not_reopen_the_door_for_strangers(person: User) -> None:
    theirs, mine = entering.an_address(), entering.an_address()
    fail(person.username, 5, address=theirs)
    entering.logged_in(person, address=mine)
    answer = entering.try_login(Client(), person.username, address=theirs)
    assert answer.status_code == 429
