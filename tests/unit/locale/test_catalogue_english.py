"""The English catalogue follows the code, and no word of a template stands outside it."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.template.base import Lexer, TokenType
from django.test import RequestFactory
from django.utils import translation
from django.utils.translation import gettext_lazy, trans_real

from opspilot.errors import NotFoundError
from opspilot.middleware import error_page
from opspilot.operations.management.commands import extract_translations as extraction

ROOT = Path(__file__).resolve().parents[3]
CATALOGUE = ROOT / "opspilot" / "locale" / "en" / "LC_MESSAGES" / "django.po"
# The page of all pieces shows samples: data, as if people had written it.
TEMPLATES = [p for p in sorted((ROOT / "templates").rglob("*.html")) if p.parent.name != "estilo"]
# Scripts, codes, tags, entities, and the attributes of a tag that stands in another template.
_UNSHOWN = r"<(script|code)\b.*?</\1>|<[^<>]*>|&\w+;|(?<![\w-])[\w-]+=\"[^\"]*\""
PLACEHOLDER = re.compile(r"%\(\w+\)s")
# Names, not words: the same in every language.
NAMES = {
    *("OpsPilot", "JSON", "sha", "GitLab", "Português", "PT", "English", "EN", "id"),
    *("Esc", "Enter", "Ctrl"),
}


def known() -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """(texts of the message, texts of its English) for every message of the catalogue."""
    catalogue = extraction.read(CATALOGUE)
    return [(extraction.ids(m), extraction.strings(m)) for m in catalogue if m.id]


def a_project(folder: Path, *, python: str = "", template: str = "") -> Path:
    """A root with one module and one template."""
    (folder / "audit").mkdir()
    (folder / "audit" / "words.py").write_text(python, encoding="utf-8")
    (folder / "templates").mkdir()
    (folder / "templates" / "page.html").write_text(template, encoding="utf-8")
    return folder


def ids(root: Path) -> set[object]:
    return {message.id for message in extraction.messages(root) if message.id}


def test_every_message_of_the_code_has_its_english() -> None:
    faults = extraction.compare(extraction.messages(ROOT), extraction.read(CATALOGUE))
    assert faults == extraction.Faults([], [], [], [], [])


def test_a_translation_carries_the_placeholders_of_its_message() -> None:
    wrong = [
        ids[0]
        for ids, strings in known()
        if {tuple(sorted(PLACEHOLDER.findall(text))) for text in ids}
        != {tuple(sorted(PLACEHOLDER.findall(text))) for text in strings}
    ]
    assert wrong == []


def test_a_translation_ends_as_its_message_does() -> None:
    ends = ".:?…"
    wrong = [
        ids[0]
        for ids, strings in known()
        if strings[0]
        if (ids[0][-1] in ends or strings[0][-1] in ends) and ids[0][-1] != strings[0][-1]
    ]
    assert wrong == []


def test_no_english_has_letters_that_only_portuguese_has() -> None:
    wrong = [text for _ids, strings in known() for text in strings if re.search(r"[ãõçêâ]", text)]
    assert wrong == []


def test_the_catalogue_is_written_the_same_from_the_same_messages() -> None:
    merged = extraction.merged(extraction.messages(ROOT), extraction.read(CATALOGUE))
    assert extraction.po_text(merged) == CATALOGUE.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_a_template_has_no_word_outside_the_catalogue(path: Path) -> None:
    assert loose_words(path.read_text(encoding="utf-8")) == set()


def test_a_word_beside_the_tags_of_a_template_is_found() -> None:
    assert loose_words('{% translate "Fora" %}<p title="x">Dentro {{ x }}</p>') == {"Dentro"}


def test_a_message_inside_an_f_string_is_found(tmp_path: Path) -> None:
    root = a_project(tmp_path, python="text = f\"{_('dentro')} {version}\"")
    assert ids(root) == {"dentro"}


def test_lazy_plural_and_context_forms_are_found(tmp_path: Path) -> None:
    python = "gettext_lazy('a'); ngettext_lazy('um', 'muitos', n); pgettext('lugar', 'b')"
    found = extraction.messages(a_project(tmp_path, python=python))
    assert {m.id for m in found if m.id} == {"a", ("um", "muitos"), "b"}
    assert found.get("b", "lugar") is not None


def test_a_trimmed_block_is_the_message_that_django_looks_up(tmp_path: Path) -> None:
    template = "<div>\n    {% blocktranslate trimmed %}\n      Uma\n      frase.\n    {% endblocktranslate %}\n  </div>"
    assert ids(a_project(tmp_path, template=template)) == {"Uma frase."}


def test_a_block_with_a_plural_and_a_percent_sign_is_found(tmp_path: Path) -> None:
    template = "{% blocktranslate count n=x %}{{ n }} caso{% plural %}{{ n }} casos, 5%{% endblocktranslate %}"
    assert ids(a_project(tmp_path, template=template)) == {("%(n)s caso", "%(n)s casos, 5%%")}


def test_a_text_that_changed_is_a_new_message_and_the_old_english_is_not_guessed(
    tmp_path: Path,
) -> None:
    found = extraction.messages(a_project(tmp_path, python="_('Confira os campos.')"))
    before = extraction.messages(tmp_path)
    before.delete("Confira os campos.")
    before.add("Confira o campo.", "Check the field.")
    merged = extraction.merged(found, before)
    assert [(m.id, m.string or "") for m in merged if m.id] == [("Confira os campos.", "")]


def test_each_kind_of_fault_is_told_apart(tmp_path: Path) -> None:
    found = extraction.messages(
        a_project(tmp_path, python="_('falta'); _('vazia'); _('incerta'); _('%(n)s linhas')")
    )
    catalogue = extraction.read(tmp_path / "absent.po")
    catalogue.add("velha", "old")
    catalogue.add("vazia", "")
    catalogue.add("incerta", "unsure", flags=["fuzzy"])
    catalogue.add("%(n)s linhas", "%(rows)s rows")
    assert extraction.compare(found, catalogue) == extraction.Faults(
        missing=["falta"],
        obsolete=["velha"],
        empty=["vazia"],
        fuzzy=["incerta"],
        unlike=["%(n)s linhas"],
    )


def test_a_plural_needs_each_of_its_forms(tmp_path: Path) -> None:
    root = a_project(tmp_path, python="ngettext('%(n)s caso', '%(n)s casos', n)")
    catalogue = extraction.read(tmp_path / "absent.po")
    catalogue.add(("%(n)s caso", "%(n)s casos"), ("%(n)s case", ""))
    faults = extraction.compare(extraction.messages(root), catalogue)
    assert faults.empty == ["%(n)s caso"]


def test_a_plural_carries_its_placeholders_in_each_form(tmp_path: Path) -> None:
    root = a_project(tmp_path, python="ngettext('%(n)s caso', '%(n)s casos', n)")
    catalogue = extraction.read(tmp_path / "absent.po")
    catalogue.add(("%(n)s caso", "%(n)s casos"), ("%(n)s case", "%(count)s cases"))
    faults = extraction.compare(extraction.messages(root), catalogue)
    assert faults.unlike == ["%(n)s caso"]


def test_every_plural_of_the_english_has_two_forms() -> None:
    plurals = [strings for ids, strings in known() if len(ids) > 1]
    assert len(plurals) > 5
    assert [strings for strings in plurals if len(strings) != 2 or not all(strings)] == []


def test_check_changes_nothing_and_refuses_a_catalogue_that_lacks_a_message(
    tmp_path: Path, settings: object
) -> None:
    root = a_project(tmp_path, python="_('nova')")
    settings.LOCALE_PATHS = [root / "opspilot" / "locale"]  # type: ignore[attr-defined]
    with pytest.raises(CommandError):
        call_command("extract_translations", "--check", stdout=io.StringIO())
    assert not (root / "opspilot").exists()


def test_a_page_in_english_shows_the_english_of_its_messages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    call_command("compile_translations", stdout=io.StringIO())
    monkeypatch.setattr(trans_real, "_translations", {})  # what was read before it was compiled
    with translation.override("en"):
        page = error_page(RequestFactory().get("/nada/"), NotFoundError()).content.decode()
        assert str(gettext_lazy("Esta página não existe")) == "This page does not exist"
    assert "This page does not exist" in page
    assert portuguese(page) == set()


def loose_words(source: str) -> set[str]:
    """Words that stand between the tags of a template, in a reader's view."""
    text, skipping = [], ""
    for token in Lexer(source).tokenize():
        if token.token_type == TokenType.BLOCK:
            name = token.contents.split()[0]
            if name in {"blocktranslate", "comment"}:
                skipping = name
            elif name == f"end{skipping}":
                skipping = ""
        if skipping:
            continue
        text.append(token.contents if token.token_type == TokenType.TEXT else "\x00")
    shown = re.sub(_UNSHOWN, " ", "".join(text), flags=re.DOTALL)
    words = set(re.findall(r"[^\W\d_]{2,}", shown))
    return words - NAMES


def portuguese(page: str) -> set[str]:
    """Words of the messages that are no words of their English: a leftover, if seen."""
    own = {word for ids, _english in known() for text in ids for word in _words(text)}
    english = {word for _ids, strings in known() for text in strings for word in _words(text)}
    # Codes stay as they are; a language is named in itself.
    shown = re.sub(r"<(head|code).*?</\1>|<[^<>]*>", " ", page, flags=re.DOTALL)
    return (_words(shown) & own) - english - {name.lower() for name in NAMES}


def _words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[^\W\d_]{3,}", PLACEHOLDER.sub(" ", text))}
