"""Letters between the asking and the sending: leases, patience, and saying so when it fails."""

from __future__ import annotations

import datetime as dt
import smtplib
import uuid
from collections.abc import Callable

import pytest
from django.core.mail import EmailMessage
from django.db.models.functions import Now

from opspilot.accounts import outbox
from opspilot.accounts.models import MailKind, MailState, OutgoingMail
from opspilot.connectors import mail
from opspilot.connectors.errors import RefusedByRemoteError
from opspilot.tenancy.models import User
from opspilot.worker import tasks
from tests.db import entering

pytestmark = pytest.mark.usefixtures("committed")
Failing = Callable[[Exception], None]


@pytest.fixture
def person() -> User:
    return entering.a_reachable_person()


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Failing:
    def fail(error: Exception) -> None:
        def send(_message: EmailMessage) -> int:
            raise error

        monkeypatch.setattr(EmailMessage, "send", send)

    return fail


def a_letter(person: User, **values: object) -> OutgoingMail:
    row = OutgoingMail.objects.create(user=person, kind=MailKind.PASSWORD_CHANGED)
    if values:
        OutgoingMail.objects.filter(pk=row.pk).update(**values)
    return row


def advanced(row: OutgoingMail) -> OutgoingMail:
    outbox.advance(mail_id=row.pk)
    row.refresh_from_db()
    return row


def make_due(row: OutgoingMail) -> None:
    OutgoingMail.objects.filter(pk=row.pk).update(next_at=Now() - dt.timedelta(seconds=1))


def test_a_letter_is_sent_once(person: User, mailoutbox: list[EmailMessage]) -> None:
    row = advanced(a_letter(person))
    advanced(row)
    assert row.state == MailState.SENT
    assert len(entering.letters_to(person, mailoutbox)) == 1


def test_a_letter_somebody_holds_is_left_to_them(
    person: User, mailoutbox: list[EmailMessage]
) -> None:
    held = {"claim_token": uuid.uuid4(), "lease_until": Now() + dt.timedelta(minutes=1)}
    row = a_letter(person, **held)
    assert row.pk not in outbox.due(10_000)
    assert advanced(row).state == MailState.PENDING
    assert entering.letters_to(person, mailoutbox) == []


def test_a_letter_whose_holder_died_is_taken_over(
    person: User, mailoutbox: list[EmailMessage]
) -> None:
    held = {"claim_token": uuid.uuid4(), "lease_until": Now() - dt.timedelta(seconds=1)}
    row = a_letter(person, attempts=1, **held)
    assert advanced(row).state == MailState.SENT
    assert row.attempts == 2


def test_a_late_holder_changes_nothing(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    row = a_letter(person)

    def taken_over_meanwhile(_message: EmailMessage) -> int:
        OutgoingMail.objects.filter(pk=row.pk).update(claim_token=uuid.uuid4())
        return 1

    monkeypatch.setattr(EmailMessage, "send", taken_over_meanwhile)
    assert advanced(row).state == MailState.PENDING


def test_a_silent_server_puts_the_letter_off_longer_each_time(
    person: User, failing: Failing
) -> None:
    failing(ConnectionRefusedError())
    row, waits = a_letter(person), []
    for _ in range(3):
        make_due(row)
        start = OutgoingMail.objects.annotate(at=Now()).get(pk=row.pk).at
        waits.append((advanced(row).next_at - start).total_seconds())
        assert row.state == MailState.PENDING
        assert row.lease_until is None
    assert [round(wait, -1) for wait in waits] == [30, 60, 120]


def test_after_the_last_try_it_has_failed_and_the_person_is_told(
    person: User, failing: Failing
) -> None:
    failing(TimeoutError())
    row = advanced(a_letter(person, attempts=outbox.MAX_ATTEMPTS - 1))
    assert row.state == MailState.FAILED
    page = entering.logged_in(person).get("/conta/").content.decode()
    assert "não pôde ser entregue" in page


def test_a_letter_that_kills_its_holder_each_time_ends_failed(person: User) -> None:
    row = a_letter(person, attempts=outbox.MAX_ATTEMPTS)
    assert advanced(row).state == MailState.FAILED


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (smtplib.SMTPRecipientsRefused({"x": (550, b"no such user")}), MailState.FAILED),
        (smtplib.SMTPRecipientsRefused({"x": (451, b"later")}), MailState.PENDING),
        (smtplib.SMTPDataError(554, b"refused"), MailState.FAILED),
        (smtplib.SMTPDataError(452, b"full"), MailState.PENDING),
        (smtplib.SMTPAuthenticationError(535, b"who?"), MailState.PENDING),
        (smtplib.SMTPServerDisconnected(), MailState.PENDING),
    ],
)
def test_a_refusal_for_good_is_not_tried_again(
    person: User, failing: Failing, error: Exception, state: MailState
) -> None:
    failing(error)
    assert advanced(a_letter(person)).state == state


def test_somebody_who_was_switched_off_gets_nothing(
    person: User, mailoutbox: list[EmailMessage]
) -> None:
    row = a_letter(person)
    User.objects.filter(pk=person.pk).update(is_active=False)
    assert advanced(row).state == MailState.DROPPED
    assert entering.letters_to(person, mailoutbox) == []


def test_the_worker_s_lane_sends_what_is_due(person: User, mailoutbox: list[EmailMessage]) -> None:
    a_letter(person)
    tasks.drain("mail")
    assert len(entering.letters_to(person, mailoutbox)) == 1


def test_a_letter_has_the_same_name_at_every_try(
    person: User, mailoutbox: list[EmailMessage]
) -> None:
    row = advanced(a_letter(person))
    OutgoingMail.objects.filter(pk=row.pk).update(state=MailState.PENDING)
    advanced(row)
    names = {letter.extra_headers["Message-ID"] for letter in mailoutbox}
    assert names == {f"<opspilot-mail-{row.pk}@127.0.0.1>"}


def test_a_letter_that_was_settled_long_ago_is_forgotten(person: User) -> None:
    old = a_letter(person, state=MailState.SENT, settled_at=Now() - dt.timedelta(days=31))
    advanced(a_letter(person))
    assert not OutgoingMail.objects.filter(pk=old.pk).exists()


def test_the_error_names_no_address(person: User, failing: Failing) -> None:
    failing(smtplib.SMTPRecipientsRefused({person.email: (550, b"no")}))
    letter = mail.Letter(person.email, "x", "x", "<x@x>")
    with pytest.raises(RefusedByRemoteError) as caught:
        mail.send(letter)
    assert person.email not in str(caught.value)
