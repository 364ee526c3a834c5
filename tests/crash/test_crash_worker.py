"""The worker dies by kill -9: before it sends, and while the remote is answering."""

from __future__ import annotations

import pytest

from tests.crash.scene import Scene

pytestmark = pytest.mark.crash


def test_a_worker_killed_while_the_remote_answers_sends_nothing_again(scene: Scene) -> None:
    request = scene.asked()
    scene.cast.sandbox.order("slow", seconds=4.0)
    scene.approve(request)
    scene.wait(lambda: scene.issues(request) == 1, "the remote has stored the issue")
    scene.kill("worker")
    assert "em envio" in scene.seen(request.url)
    scene.says(request, "O sistema procura a issue pelo marcador")
    scene.says(request, "Concluída")
    assert scene.issues(request) == 1
    assert scene.sent(request) == 1
    assert scene.trail(request.run, "issue.criada", "desconhecido") == 1
    assert scene.trail(request.run, "issue.criada", "ok") == 1


def test_an_approval_given_while_no_worker_lives_is_executed_by_the_next(scene: Scene) -> None:
    request = scene.asked()
    scene.kill("worker")
    scene.approve(request)
    assert "na fila de execução" in scene.seen(request.url)
    scene.says(request, "Concluída")
    assert scene.issues(request) == 1
    assert scene.trail(request.run, "issue.criada", "ok") == 1
