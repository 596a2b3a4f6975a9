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
# # Which digits look alike?
#
# 1,797 digits of 8 x 8 pixels. A model learns from half of them what makes two
# pictures the same digit.

# %%
import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import akin

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.5, random_state=0, stratify=y)

# %% [markdown]
# What does well on these rows? `compare` holds out parts of the training rows.
# Plain measures are gray.

# %%
table = akin.compare(X_train, y_train, effort=1,
                     methods=["lda", "nca", "logistic", "euclidean", "cosine"])
table.plot()
table[["method", "recipe", "score", "se", "seconds"]]

# %% [markdown]
# A model, and its verdict against the plain measure that it began from.

# %%
lda = akin.LDA().fit(X_train, y_train)
print(lda.verdict_)
print("test rows told right:", round(lda.score(X_test, y_test), 3))

# %% [markdown]
# The first two directions of the learned space.

# %%
at = lda.transform(X_test)
fig, ax = plt.subplots()
ax.scatter(at[:, 0], at[:, 1], c=y_test, cmap="tab10", s=8)
ax.set_aspect("equal")

# %% [markdown]
# Which pixels make the first two test pictures similar or not?

# %%
for pixel, contribution in lda.explain(X_test, 0, 1, top=5):
    where = "all others" if pixel is None else divmod(pixel, 8)
    print(where, round(contribution, 2))

# %%
assert lda.score(X_test, y_test) > 0.9
