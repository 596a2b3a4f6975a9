# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     name: python3
# ---

# %% [markdown]
# # Words that matter
#
# Documents as counts of words: most words say nothing about the topic. A sparse
# model has one weight for each word and drops the others.

# %%
import numpy as np
from scipy.sparse import csr_matrix

import akin

rng = np.random.RandomState(0)
topics = rng.randint(0, 4, 600)
rate = np.full((600, 1000), 0.03)
for t in range(4):
    rate[:, 30 * t:30 * (t + 1)] += 0.4 * (topics == t)[:, None]
counts = csr_matrix(rng.poisson(rate).astype(np.float32))

# %%
plain = akin.TFIDF().fit(counts)
solis = akin.SolisADA(lambda_=1).fit(counts[:400], topics[:400])
print(solis.verdict_)

# %% [markdown]
# Rows stay sparse, and words without a weight disappear.

# %%
before, after = plain.transform(counts), solis.transform(counts)
print("words with a weight:", len(np.unique(after.indices)), "of",
      len(np.unique(before.indices)))

# %% [markdown]
# New documents come in a stream: `partial_fit` goes on from the model, and a
# guard keeps away what would harm.

# %%
solis.partial_fit(counts[400:500], topics[400:500], guard=True)
print("told right:", round(solis.score(counts[500:], topics[500:]), 3))

# %%
assert len(np.unique(after.indices)) < 200
assert solis.score(counts[500:], topics[500:]) > 0.9
