"""Collection: of documents, vectors, images and faces; feedback and learning."""
import os

import numpy as np
import pytest

import akin

TEXTS = {
    "sea-1": "the ship sailed over the sea with its sails and crew",
    "sea-2": "a crew of sailors repaired the sails of the old ship",
    "sea-3": "waves of the sea broke over the harbour and the ship",
    "oven-1": "bake the bread in the oven with flour and yeast",
    "oven-2": "flour, yeast and water make bread that bakes in an oven",
    "oven-3": "the baker kneads flour for bread and cake",
}


@pytest.fixture
def documents(tmp_path):
    folder = tmp_path / "texts"
    for name, said in TEXTS.items():
        (folder / name[:-2]).mkdir(parents=True, exist_ok=True)
        (folder / name[:-2] / f"{name}.txt").write_text(said)
    return akin.Collection.documents(tmp_path / "d.akin", folder)


def test_documents(documents):
    assert documents.kind == "documents" and len(documents) == 6
    hits = documents.search(text="sailing a ship on the sea", k=3)
    assert all(hit.name.startswith("sea") for hit in hits)
    assert [h.score for h in hits] == sorted((h.score for h in hits),
                                             reverse=True)
    first = documents.search("oven/oven-1.txt", k=2)
    assert first[0].labels == ["oven"] and first[0].name != "oven/oven-1.txt"
    item = documents.item(first[0].id)
    assert item.name == first[0].name and "flour" in item.snippet
    assert {i.name for i in documents} == {f"{n[:-2]}/{n}.txt" for n in TEXTS}


def test_items_by_id(documents):
    wanted = documents.search("sea/sea-1.txt", k=2)
    number = documents.item("sea/sea-1.txt").id
    for one in (number, np.int64(number), np.uint32(number)):
        assert documents.item(one).name == "sea/sea-1.txt"
        assert documents.search(one, k=2) == wanted
        assert documents.search(like=[one], k=2) == wanted
        documents.feedback(one, good=[np.int64(wanted[0].id)])
    for bad in (1.5, True):
        with pytest.raises(TypeError, match="an id is"):
            documents.search(like=[bad])
    with pytest.raises(ValueError):
        documents.search(10 ** 6)


def test_documents_change(documents, tmp_path):
    (tmp_path / "texts" / "sea" / "sea-4.txt").write_text("a ship at sea again")
    documents.add(tmp_path / "texts")
    assert len(documents) == 7
    assert documents.remove(["sea/sea-4.txt"]) == 1
    assert len(documents) == 6
    with pytest.raises(ValueError):
        documents.remove(["nobody"])
    X, y = documents.rows()
    assert X.shape == (6, documents.dim) and sorted(set(y)) == ["oven", "sea"]
    described = documents.describe(texts=["bread and flour", "sea"])
    assert described.shape == (2, documents.dim)


def test_feedback_counts_and_is_learned(tmp_path):
    rng = np.random.RandomState(0)
    X = rng.rand(120, 10).astype(np.float32)
    kind = (X[:, 0] > 0.5).astype(int)
    names = [f"v{i}" for i in range(len(X))]
    with akin.Collection.vectors(tmp_path / "v.akin", X, names=names) as c:
        assert c.version == 0 and c.versions()[0].in_use
        for q in range(40):
            others = [i for i in rng.permutation(len(X)) if i != q][:16]
            number = c.feedback(
                names[q], key=f"k{q}",
                good=[names[i] for i in others if kind[i] == kind[q]],
                bad=[names[i] for i in others if kind[i] != kind[q]])
            assert number == q + 1
        assert c.feedback("v0", good=["v1"], key="k0") == 1
        learned = c.learn()
        assert learned.events == 40 and learned.held_out > learned.baseline
        assert c.version == learned.version == c.versions()[-1].version
        c.rollback(0)
        assert c.version == 0
        with pytest.raises(ValueError):
            c.feedback("v0", good=["nobody"])


def test_vectors(tmp_path, wine):
    X, y = wine
    c = akin.Collection.vectors(tmp_path / "v.akin", X, y=y)
    wanted = akin.Index(X).search(X[5], k=3)[1][0]
    assert len(c) == len(X) and c.item("5").labels == [str(y[5])]
    got = c.search(X[5], k=3, by="distance")
    assert got[0].name == "5" == str(wanted[0])
    assert all(hit.labels == ["0"] for hit in
               c.search(X[5], k=4, where="label = '0'"))
    c.set_model(akin.LDA(verdict="none").fit(X, y))
    assert c.version == 1
    assert c.search(X[5], k=1)[0].name == "5"
    c.add(X[:2] + 1, names=["new 1", "new 2"])
    assert len(c) == len(X) + 2
    c.close()
    with pytest.raises(ValueError, match="closed"):
        len(c)


def test_it_exists_already(documents, tmp_path):
    with pytest.raises(ValueError):
        akin.Collection.vectors(tmp_path / "d.akin", np.eye(3))
    with pytest.raises(akin.MissingFileError):
        akin.Collection(tmp_path / "nothing.akin")


def test_images(tmp_path):
    pytest.importorskip("PIL")
    from PIL import Image
    if "AKIN_LIBEXEC" not in os.environ:
        pytest.skip("AKIN_LIBEXEC does not say where akin-decode is")
    rng = np.random.RandomState(0)
    for kind in ("fine", "coarse"):
        (tmp_path / "p" / kind).mkdir(parents=True)
        for i in range(3):
            cell = 8 if kind == "fine" else 32
            tile = rng.randint(0, 255, (256 // cell, 256 // cell)).astype("uint8")
            Image.fromarray(np.kron(tile, np.ones((cell, cell), "uint8"))).save(
                tmp_path / "p" / kind / f"{i}.png")
    c = akin.Collection.images(tmp_path / "p.akin", tmp_path / "p", words=32)
    assert c.kind == "images" and len(c) == 6
    assert c.search(file=tmp_path / "p" / "fine" / "0.png", k=1)[0].name == \
        "fine/0.png"
    assert len(c.search("coarse/1.png", k=5)) == 5


def test_faces(tmp_path):
    rng = np.random.RandomState(0)
    people = rng.randn(3, 16)
    who = np.repeat(np.arange(3), 6)
    X = (people[who] + 0.1 * rng.randn(18, 16)).astype(np.float32)
    captions = [([i], [f"Person {who[i]}"]) for i in range(18)]
    c = akin.Collection.faces(tmp_path / "f.akin", X, captions=captions)
    assert c.kind == "faces" and len(c) == 18
    assert c.search(X[0], k=6)[0].score >= c.search(X[0], k=6)[5].score
