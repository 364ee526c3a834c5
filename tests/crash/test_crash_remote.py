"""The remote is down, or says no: the page says which, and nothing is done twice."""

from __future__ import annotations

import pytest

from tests.crash.scene import Scene

pytestmark = pytest.mark.crash


def test_a_remote_that_is_down_at_the_approval_is_tried_again(scene: Scene) -> None:
    request = scene.asked()
    scene.console.children["sandbox"].stop()
    scene.approve(request)
    # Not under the supervisor's eyes: it would start the sandbox at once.
    scene.cast.aprovador.until(request.url, "o destino não respondeu; nada foi enviado")
    scene.console.restart("sandbox")
    assert scene.issues(request) == 0
    scene.says(request, "Concluída")
    assert scene.issues(request) == 1
    assert scene.sent(request) == 1
    assert scene.trail(request.run, "issue.criada", "ok") == 1


def test_a_remote_that_refuses_is_not_asked_again(scene: Scene) -> None:
    request = scene.asked()
    scene.cast.sandbox.order("refuse", status=403)
    scene.approve(request)
    scene.says(request, "o destino recusou com o código 403")
    assert "recusada pelo destino" in scene.seen(request.url)
    assert scene.issues(request) == 0
    assert scene.sent(request) == 1
    assert scene.trail(request.run, "issue.criada", "recusado") == 1
    assert scene.trail(request.run, "issue.criada", "ok") == 0
