"""The web server dies by kill -9 while a person waits for an upload."""

from __future__ import annotations

import uuid
from urllib.parse import parse_qs, urlsplit

import pytest

from opspilot.smoke.knowing import COLLECTION, runbook
from tests.crash.scene import PATIENCE, Scene

pytestmark = pytest.mark.crash


def test_an_upload_ends_published_although_the_web_server_died(scene: Scene) -> None:
    name = f"Jequitibá{uuid.uuid4().hex[:6]}"
    file = (f"{name}.md", runbook(name).encode(), "text/markdown")
    admin = scene.cast.admin
    form = admin.open("/conhecimento/").form("/conhecimento/enviar/")
    page = admin.submit(form, files=[("arquivos", file)], colecao=COLLECTION)
    assert page.poll
    scene.kill("web")
    scene.wait(lambda: scene.text_of("/conhecimento/") != "", "the console answers again")
    rows = [row.text for row in admin.settled(page, patience=PATIENCE).all("tr")]
    assert [" ativo " in row for row in rows if name in row] == [True, True]
    batch = parse_qs(urlsplit(page.url).query)["envio"][0]
    assert scene.trail(batch, "conhecimento.publicado", "ok") == 1


def test_an_approval_stands_although_the_web_server_died_after_it(scene: Scene) -> None:
    request = scene.asked()
    scene.approve(request)
    scene.kill("web")
    scene.says(request, "Concluída")
    assert scene.issues(request) == 1
    assert scene.trail(request.run, "issue.criada", "ok") == 1
