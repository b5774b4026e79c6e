"""The weights themselves: the model and its tokens against PyTorch, Transformers, tokenizers and gguf."""

import itertools
import json
import random

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lesson import llama, smollm
from lesson.smollm import gguf
from lesson.smollm.tokens import LETTERS as LETTERS_OF_BYTES
from tests.oracles import make_llama

pytestmark = pytest.mark.skipif(not llama.installed(), reason=f"needs the weights: {smollm.INSTALL}")
RECORD = json.loads(make_llama.RECORD.read_text(encoding="utf-8"))
NEEDS = "needs pip install -r tests/oracles/requirements.txt"
LETTERS = "aáeéioöutsnrhЖжαΩعあ日本 한\u0301\u200d😀👍🏽___'’\"“.,;:!?-–()[]{}<>/\\|@#$%&*+=~^`0123456789٣"
BLANKS = "     \t\n\r\u00a0\u2003\u3000\x00\x04\x1c\x1d\x85"
WORDS = (
    "I've don't we'll it's 'S The the cat  cats Straße naïve def return <|im_start|> <|im_end|> http:// ..."
)


@pytest.mark.parametrize("answer", RECORD["answers"], ids=lambda answer: answer["prompt"][:20])
def test_ids_and_logits_are_those_that_were_recorded_of_pytorch(answer):
    model, tokenizer = llama.load()
    ids = tokenizer.encode(answer["prompt"])
    assert ids == answer["ids"] and tokenizer.decode(ids) == answer["prompt"]
    logits = llama.read(model, ids)[-1]
    assert np.argsort(-logits)[:5].tolist() == answer["tokens"]
    assert_allclose(logits[answer["tokens"]], answer["logits"], rtol=0, atol=2e-4)


@pytest.mark.slow
def test_345_most_probable_tokens_are_those_of_pytorch():
    """Notebook 10 says so."""
    model, _ = llama.load()
    written = [llama.generate(model, answer["ids"], 40, np.argmax) for answer in RECORD["answers"]]
    assert written == [answer["written"] for answer in RECORD["answers"]]
    assert sum(map(len, written)) == 345


def test_21_bytes_are_no_token_and_are_dropped():
    _, tokenizer = llama.load()
    missing = [byte for byte, letter in LETTERS_OF_BYTES.items() if letter not in tokenizer.ids]
    assert len(missing) == 21 and sum(byte < 32 for byte in missing) == 6
    assert tokenizer.decode(tokenizer.encode("a\x04b")) == "ab"


def test_half_a_character_is_decoded_as_one_that_says_so():
    _, tokenizer = llama.load()
    assert tokenizer.decode(tokenizer.encode("가")[:1]) == "\ufffd"


@pytest.mark.parametrize("method, wrong", [("encode", 3), ("decode", "a"), ("decode", [49152])])
def test_wrong_argument_of_the_tokenizer_is_named(method, wrong):
    with pytest.raises((TypeError, ValueError), match=r"^(text|ids) must "):
        getattr(llama.load()[1], method)(wrong)


def test_arrays_cannot_be_changed():
    model, _ = llama.load()
    arrays = [model.embed_tokens, model.norm, model.lm_head, *(a for layer in model.layers for a in layer)]
    assert not any(array.flags.writeable for array in arrays)


@pytest.mark.slow
def test_three_heads_of_notebook_10_are_those_that_patching_finds():
    """Each head's output at the last token is taken from the sentence with *brother* into the one with *cat*."""
    model, tokenizer = llama.load()
    her, him = tokenizer.encode(" her him")
    cat, brother = (tokenizer.encode(f"I have a {noun} and I love") for noun in ("cat", "brother"))
    outputs, preferences = [], {}
    llama.read(model, brother, attend=lambda *given: outputs.append(llama.attend(*given)) or outputs[-1])
    for layer, head in itertools.product(range(30), range(9)):
        logits = llama.read(model, cat, attend=patched(layer, head, outputs[layer][0]))[-1]
        preferences[layer, head] = logits[her] - logits[him]
    assert sorted(sorted(preferences, key=preferences.get)[:3]) == [(25, 0), (26, 2), (27, 5)]


def patched(layer, head, other):
    """llama.attend, but in one layer a head's output at the last token is the other one."""
    layers = itertools.count()

    def attend(*given):
        output, past = llama.attend(*given)
        if next(layers) == layer:
            output[head, -1] = other[head, -1]
        return output, past

    return attend


@pytest.mark.oracles
@pytest.mark.filterwarnings("ignore")
def test_pytorch_gives_the_record_again():
    pytest.importorskip("transformers", reason=NEEDS)
    for new, old in zip(make_llama.answers(), RECORD["answers"], strict=True):
        assert_allclose(new.pop("logits"), old["logits"], rtol=0, atol=1e-4)
        assert new == {name: old[name] for name in new}


@pytest.mark.oracles
@pytest.mark.filterwarnings("ignore")
def test_all_tables_equal_those_that_gguf_unpacks():
    package = pytest.importorskip("gguf", reason=NEEDS)
    path = smollm.paths()[0]
    data = path.read_bytes()
    _, tensors = gguf.read(data)
    theirs = package.GGUFReader(str(path)).tensors
    assert {tensor.name for tensor in theirs} == set(tensors) and len(theirs) == 272
    for tensor in theirs:
        table = package.quants.dequantize(tensor.data, tensor.tensor_type)
        assert_array_equal(gguf.unpack(data, *tensors[tensor.name]), table, err_msg=tensor.name)


def strings(n):
    """Random strings of letters, signs, blanks and words of many kinds, without numerals that are no decimal digits."""
    rng = random.Random(0)
    return [
        "".join(rng.choices([*LETTERS, *BLANKS, *WORDS.split(" ")], k=rng.randrange(1, 30))) for _ in range(n)
    ]


@pytest.mark.oracles
@pytest.mark.filterwarnings("ignore")
def test_5000_strings_have_the_tokens_of_the_package_tokenizers():
    transformers = pytest.importorskip("transformers", reason=NEEDS)
    from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence

    path = smollm.paths()[0]
    theirs = transformers.AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name).backend_tokenizer
    # The file says that its words are cut as SmolLM does: each digit is a word. Transformers does not read that.
    theirs.pre_tokenizer = Sequence([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)])
    assert len(theirs.pre_tokenizer.pre_tokenize_str("x² ½")) == 4  # two words here
    _, tokenizer = llama.load()
    for string in strings(5000):
        expected = theirs.encode(string, add_special_tokens=False).ids
        assert tokenizer.encode(string) == expected, ascii(string)
        assert tokenizer.decode(expected) == theirs.decode(expected, skip_special_tokens=False)
