"""The one door to the mail server: Django's backend, as EMAIL_URL names it.

Where OPSPILOT_EGRESS_MAIL names domains, letters go to addresses there and to no others.
"""

from __future__ import annotations

import smtplib
from dataclasses import dataclass

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from opspilot.connectors import egress
from opspilot.connectors.errors import NotAllowedError, NotSentError, RefusedByRemoteError


@dataclass(frozen=True, slots=True)
class Letter:
    """`message_id` is the same at every try, so that a letter sent twice shows once."""

    to: str
    subject: str
    text: str
    message_id: str
    html: str = ""


def send(letter: Letter) -> None:
    """Hand the letter over, within EMAIL_TIMEOUT seconds a step.

    Raises NotSentError (try again) or RefusedByRemoteError (this address or letter never will, or
    as NotAllowedError our own list does not have its domain). A server that took the letter and
    then fell silent counts as not sent: mail may come twice.
    """
    if not egress.mail_is_allowed(letter.to, domains=settings.OPSPILOT_EGRESS_MAIL):
        raise NotAllowedError("the egress list does not have this domain")
    headers = {"Message-ID": letter.message_id, "Auto-Submitted": "auto-generated"}
    message = EmailMultiAlternatives(letter.subject, letter.text, to=[letter.to], headers=headers)
    if letter.html:
        message.attach_alternative(letter.html, "text/html")
    try:
        message.send()
    except smtplib.SMTPRecipientsRefused as exc:
        codes = [code for code, _text in exc.recipients.values()]
        raise _refused(codes) from exc
    except smtplib.SMTPAuthenticationError as exc:
        raise NotSentError("the mail server did not accept our credentials") from exc
    except smtplib.SMTPResponseException as exc:
        raise _refused([exc.smtp_code]) from exc
    except (smtplib.SMTPException, OSError) as exc:
        raise NotSentError("the mail server could not be used") from exc


def _refused(codes: list[int]) -> NotSentError | RefusedByRemoteError:
    """5xx is for good, 4xx for now."""
    if codes and all(code >= 500 for code in codes):
        return RefusedByRemoteError("the mail server refused the letter", codes[0])
    return NotSentError("the mail server put the letter off")
