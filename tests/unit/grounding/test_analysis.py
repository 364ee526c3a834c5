from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding.reading.analysis import (
    MAX_QUESTION,
    MAX_TERM,
    RARE_LOG_TERMS,
    QueryTerms,
    Question,
    frequencies,
    identifiers,
    language,
    reduce_pasted_log,
    terms,
    told_language,
)

LOG = (
    "I0430 03:25:38.440217    7755 update.go:2618] Running: rpm-ostree rebase\n"
    "error: Transaction in progress: (null)\n"
    "E0430 03:26:07.101775    7755 writer.go:226] Marking Degraded due to: failed to update OS\n"
    'ts=2025-03-02T13:20:46.004Z level=error msg="endpoints is forbidden" resource=17\n'
    "o que eu reinicio nesse nó?"
)


def pt(text: str) -> list[str]:
    return terms(text, languages=("pt",))


def en(text: str) -> list[str]:
    return terms(text, languages=("en",))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("quais as causas mais comuns e o que eu olho", "pt"),
        ("da pra diminiur depois?", "pt"),
        ("apago um ReplicaSet e os pods continuam rodando", "pt"),
        ("what should I look at on the workers?", "en"),
        ("KubePodCrashLooping", "en"),
        ("reiniciar nó", "pt"),
        ("", "en"),
    ],
)
def test_the_language_is_told_by_function_words(text: str, wanted: str) -> None:
    assert language(text) == wanted


@pytest.mark.parametrize("text", ["fila parada?", "KubePodCrashLooping", ""])
def test_words_that_do_not_tell_leave_the_language_of_a_question_undecided(text: str) -> None:
    assert told_language(text) is None
    assert QueryTerms.of(Question(text)).language is None


@pytest.mark.parametrize(
    "text", ["operação após a falha de conexão", "replicação não avança", "índice único"]
)
def test_accents_case_and_unicode_form_make_no_difference(text: str) -> None:
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    assert set(pt(bare)) == set(pt(text))
    assert pt(unicodedata.normalize("NFD", text)) == pt(text)
    assert pt(text.upper()) == pt(text)


def test_singular_and_plural_meet() -> None:
    assert pt("operação conexão") == pt("operações conexões")
    assert en("restarting nodes") == en("restart node")


@pytest.mark.parametrize("word", ["não", "nao", "nunca", "sem", "not", "never", "without"])
def test_negation_is_kept(word: str) -> None:
    assert len(terms(f"{word} reiniciar", languages=("pt", "en"))) > len(
        terms("reiniciar", languages=("pt", "en"))
    )


def test_function_words_are_dropped() -> None:
    assert pt("o que é que há com a fila") == ["fil"]
    assert en("what is the state of the queue") == en("state queue")


def test_the_noun_node_is_not_taken_for_the_preposition() -> None:
    assert "no" in pt("no nó")
    assert pt("no no") == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("KubePodCrashLooping", {"kubepodcrashlooping", "pod", "crash", "loop"}),
        ("etcdHTTPSlow", {"etcdhttpslow", "etcd", "http", "slow"}),
        ("pg_wal", {"pg_wal", "pg", "wal"}),
        ("ORA-00942", {"ora-00942", "ora", "00942"}),
        ("/var/lib/kubelet/pods", {"var/lib/kubelet/pods", "kubelet", "pod"}),
        ("kubectl -n openshift-etcd", {"-n", "openshift-etcd", "etcd"}),
        ("--dry-run", {"--dry-run", "run"}),
    ],
)
def test_identifiers_are_found_whole_and_in_parts(text: str, wanted: set[str]) -> None:
    assert wanted <= set(en(text))


def test_an_alert_name_is_found_by_its_words() -> None:
    assert set(en("crash looping")) <= set(en("KubePodCrashLooping"))


@given(st.text(max_size=300))
def test_no_term_is_too_long_or_empty(text: str) -> None:
    assert all(0 < len(term) <= MAX_TERM for term in terms(text, languages=("pt", "en")))


@given(st.text(max_size=300))
def test_a_question_made_of_a_document_finds_only_its_terms(text: str) -> None:
    assert set(terms(text, languages=("en",))) == set(frequencies(text, "en"))


def test_frequencies_count_every_occurrence() -> None:
    assert frequencies("node down, nodes down, down", "en") == {"node": 2, "down": 3}


def test_threads_stem_alike() -> None:
    text = "restarting operators running replication connections"
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(en, [text] * 200))
    assert all(result == en(text) for result in results)


def test_names_are_told_from_words() -> None:
    text = "deu KubePodNotReady e ORA-00942, veja pg_wal, as VMs e o always-on"
    assert identifiers(text) == ["kubepodnotready", "ora-00942", "pg_wal"]


@pytest.mark.parametrize("own", ["wrk-07", "db01", "10.0.0.1", "/var/log", "v1.2.3", "a@b.com"])
def test_what_only_the_operator_knows_is_no_name_that_a_runbook_must_have(own: str) -> None:
    assert identifiers(f"o disco de {own} lotou") == []


def test_every_name_is_also_a_term() -> None:
    text = "KubePodNotReady ORA-00942 node_load15 NooBaaWarning95s"
    assert set(identifiers(text)) <= set(en(text))


def test_a_pasted_log_is_parted_from_the_question() -> None:
    question = reduce_pasted_log(LOG)
    assert question.prose == "o que eu reinicio nesse nó?"
    assert len(question.log) == 4


def test_what_is_embedded_has_the_question_and_the_last_errors_without_numbers() -> None:
    dense = reduce_pasted_log(LOG).dense()
    assert dense.startswith("o que eu reinicio")
    assert "endpoints is forbidden" in dense
    assert "failed to update OS" in dense
    assert not any(character.isdigit() for character in dense)


def test_a_translation_takes_the_place_of_the_prose_only() -> None:
    dense = reduce_pasted_log(LOG).dense("what do I restart?")
    assert dense.startswith("what do I restart?\n")
    assert "forbidden" in dense


def test_a_question_without_a_log_is_left_alone() -> None:
    assert reduce_pasted_log("o nó caiu.\nPor onde começo?").log == ()


def test_a_single_line_is_always_the_question() -> None:
    line = "error: Transaction in progress: (null)"
    assert reduce_pasted_log(line) == Question(line)


def test_a_long_log_keeps_its_end_and_the_question_in_front() -> None:
    question = reduce_pasted_log("o que houve?\n" + "level=info n=1 msg=ok\n" * 900 + "error: fim")
    assert question.prose == "o que houve?"
    assert question.log[-1] == "error: fim"
    assert sum(map(len, question.log)) <= MAX_QUESTION


def test_a_long_question_is_cut() -> None:
    assert len(reduce_pasted_log("palavra " * 900).prose) <= MAX_QUESTION


def test_both_languages_ask_once_each() -> None:
    asked = QueryTerms.of(Question("o nó caiu"), english="the node is down")
    assert asked.language == "pt"
    assert {"node", "down", "caiu"} <= set(asked.terms)
    assert len(asked.terms) == len(set(asked.terms))


def test_of_a_log_the_rarest_known_words_are_asked() -> None:
    words = [f"palavra{number}" for number in range(10, 36)]
    asked = QueryTerms.of(Question("o que houve?", (" ".join(words),)))
    known = {word: 100 - rank for rank, word in enumerate(words[:20])}
    rare = asked.with_rarest_log_terms(known)
    assert set(rare.log) == set(words[20 - RARE_LOG_TERMS : 20])
    assert rare.identifiers == asked.identifiers
