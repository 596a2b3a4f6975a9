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
# # The same or different?
#
# Pairs of rows, of which some are known to match. A metric is learned from half
# of the pairs, and a threshold chosen on a quarter. The last quarter says what
# that is worth.

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.metrics import RocCurveDisplay

import akin

X, y = load_wine(return_X_y=True)
rng = np.random.RandomState(0)
pairs = rng.choice(len(X), (1200, 2))
pairs = pairs[pairs[:, 0] != pairs[:, 1]]
match = np.where(y[pairs[:, 0]] == y[pairs[:, 1]], 1, -1)
learn, choose, test = np.split(np.arange(len(pairs)), [600, 900])

# %%
itml = akin.ITML().fit_pairs(X, pairs[learn], match[learn])
print(itml.verdict_)

# %% [markdown]
# At most one pair in a hundred that differs may be called the same.

# %%
itml.calibrate_threshold(X, match[choose], pairs[choose], strategy="max_tpr",
                         min_rate=0.99)
said = itml.predict(X[pairs[test]])
print(itml.threshold_)
print("false matches:", round(np.mean(said[match[test] < 0] > 0), 3))
print("missed:", round(np.mean(said[match[test] > 0] < 0), 3))

# %%
fig, ax = plt.subplots()
RocCurveDisplay.from_predictions(match[test], itml.pair_score(X, pairs[test]),
                                 name="itml", ax=ax)
ax.plot([0, 1], [0, 1], color="lightgray")

# %% [markdown]
# The model and its threshold go into one file, for `akin score --decide`, too.

# %%
itml.save("wine.safetensors")
assert akin.load("wine.safetensors").threshold_ == itml.threshold_
assert np.mean(said[match[test] < 0] > 0) < 0.05
