from __future__ import annotations

import pytest

from opspilot.presentation.addresses import came_from

HERE = "/trilha/correlacao/1/"


def back(referrer: str) -> str:
    return came_from(referrer, host="console.example", under="/trilha/", here=HERE)


def test_the_page_that_led_here_is_the_way_back_with_what_it_asked_for() -> None:
    found = back("https://console.example/trilha/consultas/x/?periodo=7d#fim")
    assert found == "/trilha/consultas/x/?periodo=7d"


@pytest.mark.parametrize(
    "referrer",
    [
        "",
        "https://other.example/trilha/",
        "//console.example/trilha/",
        "javascript:alert(1)",
        "https://console.example/aprovacoes/",
        f"https://console.example{HERE}?depois=1",
        "https://[console.example/trilha/",
    ],
)
def test_what_is_not_another_page_under_that_path_is_no_way_back(referrer: str) -> None:
    assert back(referrer) == ""
