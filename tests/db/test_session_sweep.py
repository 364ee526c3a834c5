"""What is left of sessions that ended: nothing, once the worker has swept."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from opspilot.worker import tasks

pytestmark = pytest.mark.usefixtures("committed")


def a_session(*, ends_in: dt.timedelta) -> str:
    store = SessionStore()
    store["texto_guardado"] = {"fields": {"motivo": "o que se escrevia"}}
    store.save()
    assert store.session_key is not None
    ends = timezone.now() + ends_in
    Session.objects.filter(session_key=store.session_key).update(expire_date=ends)
    return store.session_key


def test_a_session_that_ended_is_deleted_and_one_that_lasts_is_kept() -> None:
    ended = a_session(ends_in=dt.timedelta(seconds=-1))
    lasting = a_session(ends_in=dt.timedelta(hours=1))
    tasks.forget_sessions(timestamp=0)
    left = set(Session.objects.values_list("session_key", flat=True))
    assert ended not in left
    assert lasting in left
