"""Browsers in words, and the mail server's one name."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from opspilot.accounts.agents import described
from opspilot.settings.email import email

CHROME = "Mozilla/5.0 ({}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36"


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (CHROME.format("X11; Linux x86_64"), "Chrome em Linux"),
        (CHROME.format("Windows NT 10.0; Win64") + " Edg/156.0", "Edge em Windows"),
        (CHROME.format("Linux; Android 16"), "Chrome em Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1", "Safari em iPhone"),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
            "Firefox em Linux",
        ),
        ("curl/8.0 <script>", "navegador não reconhecido"),
        ("", "navegador não reconhecido"),
    ],
)
def test_a_browser_is_said_in_words_and_never_shown_raw(agent: str, words: str) -> None:
    assert described(agent) == words


def test_an_address_of_a_mail_server_is_read() -> None:
    found = email("smtp+tls://user%40x:p%3Aw@mail.example")
    assert (found.host, found.port, found.starttls, found.tls) == ("mail.example", 587, True, False)
    assert (found.user, found.password) == ("user@x", "p:w")


def test_a_folder_takes_letters_as_files() -> None:
    found = email("file:///srv/opspilot/mail")
    assert found.folder == "/srv/opspilot/mail"
    assert found.backend.endswith("filebased.EmailBackend")


def test_no_address_is_the_machine_s_own_mail_server() -> None:
    assert (email("").host, email("").port) == ("localhost", 25)


@pytest.mark.parametrize(
    "url", ["smtps://mail.example", "mail.example", "smtp://", "http://x", "file:"]
)
def test_an_address_that_says_too_little_stops_the_process(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL"):
        email(url)
