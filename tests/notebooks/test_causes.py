"""Causes that a sentence of a notebook gives and no cell shows: the run that could have refuted each."""

import numpy as np

import attention_lib as al
from attention_lib import data, model

CAT = data.load("cat_sentence")


def test_cross_looks_at_street_even_if_the_nouns_change_places():  # nb05-63-said
    for first, second in (("animal", "street"), ("street", "animal")):
        read = model.read(f"The {first} didn't cross the {second} because it was too tired.")
        cross, street = (read["tokens"].tolist().index(word) for word in ("cross", "street"))
        assert read["weights"][3, 1, cross].argmax() == street


def test_head_divided_by_the_spread_of_its_scores_forgets_the_token_before():  # nb02-49
    q, k = CAT["q"][0, 2], CAT["k"][0, 2]
    scores = al.attention_scores(q, k)
    divisors = {"as trained": 32**0.5, "by its spread": scores.var(axis=-1).mean() ** 0.5}
    before = {name: np.diagonal(al.softmax(scores / d), -1).mean() for name, d in divisors.items()}
    assert before["by its spread"] < 0.5 and before["as trained"] > 0.98


def test_no_other_head_gives_the_padding_more():  # nb04-44
    on_padding = []

    def attention(q, k, v, mask):
        without = al.scaled_dot_product_attention(q, k, v).weights[1, :, :6, 6:]
        on_padding.append(without.sum(axis=-1).mean(axis=-1))
        return al.scaled_dot_product_attention(q, k, v, mask)

    model.embed(["I have a cat and i love her.", "machine learning is fun"], attention)
    assert np.unravel_index(np.argmax(on_padding), (6, 12)) == (3, 11)
    assert f"{np.max(on_padding):.2f}" == "0.66"


def test_forgotten_axis_makes_eight_heads_of_one():  # nb05-59
    scores, mask = np.zeros((8, 1, 50, 50)), al.padding_mask([50] * 8)
    assert mask.shape == (8, 1, 50)
    assert np.where(mask, scores, -np.inf).shape == (8, 8, 50, 50)


def test_largest_score_lies_too_far_above_the_mean_in_ten_rows():  # nb03-26
    raw = al.attention_scores(CAT["q"][0, 2], CAT["k"][0, 2])
    assert (raw.max(axis=-1) - raw.mean(axis=-1) > np.log(np.finfo(np.float32).max)).sum() == 10
    assert round(float((raw.max() - raw.max(axis=-1)).max())) == 77
    assert np.exp(np.float32(-104)) == 0 < np.exp(np.float32(-103))


def test_feed_forward_network_holds_two_thirds_of_a_layer():  # nb06-after
    matrices = data.load("model")
    network, attention = (
        sum(matrices[name].size for name in names)
        for names in (("w_up", "w_down"), ("w_q", "w_k", "w_v", "w_o"))
    )
    assert 3 * network == 2 * (network + attention)


def test_query_of_her_and_key_of_cat_are_longer_than_normalized_ones():  # nb07-normed-said
    assert min(np.linalg.norm(CAT["q"][1, 3, 8]), np.linalg.norm(CAT["k"][1, 3, 4])) > 32**0.5
