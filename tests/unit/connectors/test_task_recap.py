"""The proof of a run is its recap: who was touched, and what each came to."""

from __future__ import annotations

import pytest

from opspilot.connectors.tasks import MAX_NAME, MAX_RECAP, HostResult, RemoteTask, plain, recap

STARS = "PLAY RECAP *********************************************************************"
ROW = "host-1                     : ok=3    changed=1    unreachable=0    failed=0"
REST = "    skipped=0    rescued=0    ignored=0   "
FINE = HostResult(ok=3, changed=1, unreachable=0, failed=0)


@pytest.mark.parametrize(
    "output",
    [
        f"{STARS}\n{ROW}{REST}\n",
        f"{STARS}\n{ROW}\n",
        f"{STARS}\r\n{ROW}{REST}\r\n",
        f"\n{STARS}\n\n{ROW}{REST}\n\n",
        f"PLAY [x] ****\n\nTASK [y] ***\nok: [host-1]\n\n{STARS}\n{ROW}{REST}",
        f"{STARS}\n\x1b[0;33mhost-1\x1b[0m                     : \x1b[0;32mok=3   \x1b[0m"
        " \x1b[0;33mchanged=1   \x1b[0m unreachable=0    failed=0    skipped=0\n",
        f"--limit=host-1\n{STARS}\n{ROW}{REST}\nTask finished\n",
    ],
)
def test_a_recap_is_read_in_each_of_its_shapes(output: str) -> None:
    assert recap(output) == {"host-1": FINE}


@pytest.mark.parametrize(
    "output",
    [
        "",
        "ERROR! Specified inventory leaves us with no hosts to target.\n",
        f"{STARS}\n",
        f"{ROW}{REST}\n",
        f"{ROW}{REST}\n{STARS}\n",
        f"{STARS}\nhost-1                     : ok=3    changed=1    unreach",
        f"{STARS}\nhost-1                     : ok=3    changed=1    unreachable=0    failed=",
        f'    "msg": "{STARS}"\n{ROW}{REST}\n',
        f"  {STARS}\n{ROW}{REST}\n",
        f"PLAY RECAP\n{ROW}{REST}\n",
        f"{STARS}\nok: [host-1]\n{ROW}{REST}\n",
    ],
)
def test_without_a_whole_recap_there_is_none(output: str) -> None:
    assert recap(output) == {}


def test_each_host_has_its_own_counts() -> None:
    rows = [
        "app-01                     : ok=1    changed=0    unreachable=1    failed=0    skipped=0",
        "a-very-long-name-of-a-host.example : ok=2 changed=1 unreachable=0 failed=10 skipped=0",
    ]
    found = recap("\n".join([STARS, *rows]))
    assert found == {
        "app-01": HostResult(1, 0, 1, 0),
        "a-very-long-name-of-a-host.example": HostResult(2, 1, 0, 10),
    }


def test_a_second_recap_hides_nothing_of_the_first() -> None:
    failed = "host-2                     : ok=0    changed=0    unreachable=0    failed=1"
    good = "host-2                     : ok=1    changed=0    unreachable=0    failed=0"
    found = recap(f"{STARS}\n{ROW}\n{failed}\n\n{STARS}\n{good}\n")
    assert found == {"host-1": FINE, "host-2": HostResult(1, 0, 0, 1)}


def test_terminal_codes_are_taken_out() -> None:
    assert plain("\x1b[1;31merro\x1b[0m\x1b[K fim") == "erro fim"


def test_signs_that_cannot_be_kept_are_taken_out() -> None:
    assert plain("a\x00b\x1bc\td\r\ne\ud800") == "abc\td\ne\ufffd"


def test_an_absurd_count_hides_no_row() -> None:
    rows = [ROW.replace("ok=3", f"ok={'9' * 5000}"), ROW.replace("host-1", "host-2")]
    found = recap("\n".join([STARS, *rows]))
    assert found == {"host-1": HostResult(999_999_999, 1, 0, 0), "host-2": FINE}


def test_a_name_too_long_for_a_host_is_cut_and_is_nobody_else_s() -> None:
    (host,) = recap(f"{STARS}\n{ROW.replace('host-1', 'h' * 5000)}\n")
    assert len(host) == MAX_NAME
    assert host != "h" * MAX_NAME


def test_a_recap_tells_a_bounded_number_of_hosts() -> None:
    rows = [ROW.replace("host-1", f"host-{number}") for number in range(MAX_RECAP + 5)]
    assert len(recap("\n".join([STARS, *rows]))) == MAX_RECAP


@pytest.mark.parametrize(
    ("status", "ended"),
    [
        ("success", True),
        ("error", True),
        ("stopped", True),
        ("running", False),
        ("stopping", False),
        ("rejected", False),
        ("", False),
        ("novo", False),
    ],
)
def test_a_status_we_do_not_know_is_unfinished(status: str, ended: bool) -> None:
    task = RemoteTask(1, 4, 21, status, "", (), "", 7, "", None)
    assert task.ended is ended
