"""A target is one host, spelt out; whatever Ansible would read as more than one is none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from approvals.tasks import hosts

PATTERNS = [
    "", " ", ",", "*", "all", "ALL", "ungrouped", "localhost", "LOCALHOST", "localhost.localdomain",
    "127.0.0.1", "127.1", "0.0", "0", "::1", "!srv-1", "~srv.*", "a:b", "a&b", "@file", "srv-*",
    "srv-?", "srv-[1:3]", "srv-1,srv-2", "srv-1, ", ",srv-1", "srv-1 srv-2", "srv-1\nsrv-2",
    "srv-1;id", "$(id)", "`id`", "{{ groups.all }}", "../srv", "srv/1", "srv\\1", "srv_1", "-srv",
    "srv-", ".srv", "srv.", "a..b", "--limit=all", "srv\x00", "srv-1\u200b", "srv\u2011" "1",
    "\u212a-1", "\u0455rv-1", "\uff53rv-1", "\u00a0srv-1", "sr\u0301v", "a" * 64, "a." * 127 + "a",
    "none", "null",
]  # fmt: skip
ONE_HOST = ["srv-1", "a", "9", "srv-pag-02.aurora.example", "10.0.0.7", "xn--srv-3na", "a" * 63]


@pytest.mark.parametrize("text", PATTERNS, ids=ascii)
def test_what_could_mean_another_host_is_no_host(text: str) -> None:
    assert not hosts.is_host(hosts.normalise(text))


@pytest.mark.parametrize("text", ONE_HOST)
def test_the_name_of_one_host_is_a_host(text: str) -> None:
    assert hosts.is_host(text)


@pytest.mark.parametrize("text", [" SRV-Pag-02 ", "srv-pag-02\n", "\tSRV-PAG-02\r\n"])
def test_a_target_is_trimmed_and_lower_cased_before_it_is_shown(text: str) -> None:
    assert hosts.normalise(text) == "srv-pag-02"


@given(st.text(max_size=300))
def test_only_ascii_letters_digits_hyphens_and_points_ever_pass(text: str) -> None:
    target = hosts.normalise(text)
    if hosts.is_host(target):
        assert re.fullmatch(r"[a-z0-9][a-z0-9.-]*", target, re.ASCII)
        assert target not in hosts.RESERVED


@given(st.text(max_size=300))
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert hosts.normalise(hosts.normalise(text)) == hosts.normalise(text)


@given(st.from_regex(hosts.GRAMMAR, fullmatch=True), st.sampled_from(" ,*!:&~@[]{}?/\\%|;\n\t\0"))
def test_a_sign_that_acts_anywhere_in_a_host_makes_it_none(host: str, sign: str) -> None:
    for at in (0, len(host) // 2, len(host)):
        spoilt = host[:at] + sign + host[at:]
        assert not hosts.is_host(spoilt)


@given(st.text(alphabet=st.characters(min_codepoint=128), min_size=1, max_size=5))
def test_no_sign_beyond_ascii_turns_into_a_plain_one(odd: str) -> None:
    for text in (f"srv{odd}1", f"{odd}srv", f"srv{odd}"):
        assert not hosts.is_host(hosts.normalise(text))
