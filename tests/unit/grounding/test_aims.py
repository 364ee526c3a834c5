from __future__ import annotations

import pytest

from grounding.reading.aims import Aim, aim
from grounding.reading.analysis import QueryTerms, Question


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("O que fazer quando a fila está parada?", "action"),
        ("Como reinicio o consumidor?", "action"),
        ("Em que ordem reinicio os nós?", "action"),
        ("What should I do if the lag is high?", "action"),
        ("How do I drain a node?", "action"),
        ("In which order are the nodes restarted?", "action"),
        ("When should I fail over the collectors?", "moment"),
        ("Quando devo escalar?", "moment"),
        ("Posso apagar arquivos?", "permission"),
        ("Devo reiniciar o nó?", "permission"),
        ("Can I clear the cache when it is slow?", "permission"),
        ("Qual é o ramal do plantonista?", "fact"),
        ("Até quando renovar o certificado e quem emite?", "fact"),
        ("Vários clientes sem sinal: fibra ou energia?", "fact"),
        ("", "fact"),
    ],
)
def test_the_words_of_a_question_tell_what_it_is_after(question: str, wanted: Aim) -> None:
    assert aim(question) == wanted


def test_two_bare_words_ask_what_to_do() -> None:
    assert aim("fila parada?") == "action"


def test_a_short_question_with_a_question_word_asks_for_a_fact() -> None:
    assert aim("qual ramal?") == "fact"


def test_the_terms_of_a_question_keep_its_aim() -> None:
    assert QueryTerms.of(Question("Posso apagar isso?")).aim == "permission"
