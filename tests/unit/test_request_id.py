from __future__ import annotations

import uuid

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from opspilot import request_id
from opspilot.request_id import RequestIdMiddleware


def answered_with(header: str) -> str:
    middleware = RequestIdMiddleware(lambda request: HttpResponse(request_id.current()))
    response = middleware(RequestFactory().get("/", headers={"X-Request-ID": header}))
    assert response.content.decode() == response["X-Request-ID"]
    return str(response["X-Request-ID"])


@pytest.mark.parametrize("given", [str(uuid.uuid4()), uuid.uuid4().hex])
def test_a_well_formed_id_is_kept(given: str) -> None:
    assert answered_with(given) == given


@pytest.mark.parametrize(
    "given", ["52998224725", "", "x" * 64, "a\nb", "pessoa-example-com", "../" * 12]
)
def test_anything_else_is_replaced_because_the_trail_keeps_it(given: str) -> None:
    made = answered_with(given)
    assert made != given
    assert len(made) == 32


def test_outside_a_request_there_is_none() -> None:
    assert request_id.current() == ""
