"""Answers that were written without sight of the checker, with labels that others verified.

`told` is the id by which a wrong one was named; where no mistake of the lists fits, it is missing.
"""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import attention_lib as al
from attention_lib import data, learning
from tests.check.verdicts import verdict_on

ANSWERS = tomllib.loads(Path(__file__).with_name("blind_answers.toml").read_text(encoding="utf-8"))["answers"]


@pytest.mark.slow
@pytest.mark.parametrize("answer", [pytest.param(answer, id=answer["name"]) for answer in ANSWERS])
def test_blind_answer(answer):
    names = {"np": np, "al": al, "data": data, "learning": learning}
    exec(answer["source"], names)
    verdict = verdict_on(answer["exercise"], names[answer["exercise"]])
    assert verdict.passed == answer["right"], verdict.message
    if "told" in answer:
        assert answer["told"] in (verdict.mistake, *verdict.also), verdict.message
