"""The database dies by kill -9: what was committed is executed, and once."""

from __future__ import annotations

import pytest

from tests.crash.scene import Scene

pytestmark = pytest.mark.crash


def test_a_database_killed_right_after_the_approval_loses_nothing(scene: Scene) -> None:
    request = scene.asked()
    scene.approve(request)
    scene.kill("database")
    scene.says(request, "Concluída")
    assert scene.issues(request) == 1
    assert scene.trail(request.run, "issue.criada", "ok") == 1
    assert scene.trail(request.run, "aprovacao.concedida", "ok") == 1


def test_a_database_killed_before_the_answer_is_written_leaves_one_issue(scene: Scene) -> None:
    request = scene.asked()
    scene.cast.sandbox.order("slow", seconds=2.0)
    scene.approve(request)
    scene.wait(lambda: scene.issues(request) == 1, "the remote has stored the issue")
    scene.kill("database")
    scene.says(request, "Concluída")
    assert scene.issues(request) == 1
    assert scene.sent(request) == 1
    assert scene.trail(request.run, "issue.criada", "ok") == 1


def test_questions_are_answered_after_the_database_came_back(scene: Scene) -> None:
    scene.kill("database")
    scene.wait(lambda: scene.text_of("/perguntar/") != "", "the console answers again")
    person = scene.cast.operador
    form = person.open("/perguntar/").form("/perguntar/enviar/")
    url = person.submit(form, pergunta="Quando se reinicia um nó do barramento?").url
    scene.wait(lambda: "cobertura" in scene.text_of(url), "the question is answered")
