# Made by tools/gen.py; do not edit.
from typing import Any, Literal

from numpy.random import RandomState

from akin._abilities import (Comparer, FromCaptions, FromLabels, FromPairs,
                             FromTriplets, Learner, Online, Ranker)

__all__ = [
    "SolisADA", "SolisAFB", "SolisDA", "SolisTG", "OASISDiag", "LEGODiag",
    "QPAO", "LMNNDiag", "Loreta1", "Loreta", "LoretaPSD", "LoretaMI", "GD",
    "PSDGD", "PA", "OASIS", "LEGO", "Mahalanobis", "PCA", "LDA", "ITML",
    "S3ML", "S2ML", "SDML", "LMNN", "NCA", "LRML", "Perceptron",
    "GroupPerceptron", "Logistic", "KernelRidge", "Blend", "CCA", "ARCT",
    "Symm", "SVMT", "HFA", "RSL", "TFIDF", "ASML", "MMS", "MILDML", "LRSVM",
]

class SolisADA(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    eta: float
    lambda_: float
    delta: float
    clock: Literal["active", "all"]
    start: str
    start_weight: float
    units: Literal["relative", "absolute"]
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        eta: float = ...,
        lambda_: float = ...,
        delta: float = ...,
        clock: Literal["active", "all"] = ...,
        start: str = ...,
        start_weight: float = ...,
        units: Literal["relative", "absolute"] = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SolisAFB(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    eta: float
    lambda_: float
    delta: float
    clock: Literal["active", "all"]
    start: str
    start_weight: float
    units: Literal["relative", "absolute"]
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        eta: float = ...,
        lambda_: float = ...,
        delta: float = ...,
        clock: Literal["active", "all"] = ...,
        start: str = ...,
        start_weight: float = ...,
        units: Literal["relative", "absolute"] = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SolisDA(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    lambda_: float
    gamma: float
    rho: float
    clock: Literal["active", "all"]
    start: str
    start_weight: float
    units: Literal["relative", "absolute"]
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        lambda_: float = ...,
        gamma: float = ...,
        rho: float = ...,
        clock: Literal["active", "all"] = ...,
        start: str = ...,
        start_weight: float = ...,
        units: Literal["relative", "absolute"] = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SolisTG(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    eta: float
    lambda_: float
    clock: Literal["active", "all"]
    start: str
    start_weight: float
    units: Literal["relative", "absolute"]
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        eta: float = ...,
        lambda_: float = ...,
        clock: Literal["active", "all"] = ...,
        start: str = ...,
        start_weight: float = ...,
        units: Literal["relative", "absolute"] = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class OASISDiag(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    C: float
    units: Literal["auto", "relative", "absolute"]
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        C: float = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class LEGODiag(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    eta: float
    y_sim: float
    y_dis: float
    targets: Literal["equality", "inequality"]
    units: Literal["auto", "relative", "absolute"]
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        eta: float = ...,
        y_sim: float = ...,
        y_dis: float = ...,
        targets: Literal["equality", "inequality"] = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class QPAO(Comparer, FromLabels, FromPairs, FromTriplets, Learner):
    C: float
    w0: float
    tol: float
    max_sweeps: int
    units: Literal["auto", "relative", "absolute"]
    sample: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        C: float = ...,
        w0: float = ...,
        tol: float = ...,
        max_sweeps: int = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        sample: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class LMNNDiag(Comparer, FromLabels, FromPairs, FromTriplets, Learner):
    mu: float
    tol: float
    max_iterations: int
    sample: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        mu: float = ...,
        tol: float = ...,
        max_iterations: int = ...,
        sample: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class Loreta1(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    rank: int
    eta: float
    max_s: float
    start: str
    prototypes: int
    form: Literal["auto", "sparse", "dense"]
    units: Literal["auto", "relative", "absolute"]
    symmetry: Literal["auto", "positive", "none"]
    average: Literal["none", "tail"]
    task: Literal["similarity", "rank"]
    ybar: Literal["count", "one"]
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        rank: int = ...,
        eta: float = ...,
        max_s: float = ...,
        start: str = ...,
        prototypes: int = ...,
        form: Literal["auto", "sparse", "dense"] = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        symmetry: Literal["auto", "positive", "none"] = ...,
        average: Literal["none", "tail"] = ...,
        task: Literal["similarity", "rank"] = ...,
        ybar: Literal["count", "one"] = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class Loreta(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    rank: int
    eta: float
    max_s: float
    start: str
    prototypes: int
    form: Literal["auto", "sparse", "dense"]
    units: Literal["auto", "relative", "absolute"]
    symmetry: Literal["auto", "positive", "none"]
    average: Literal["none", "tail"]
    batch: int
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        rank: int = ...,
        eta: float = ...,
        max_s: float = ...,
        start: str = ...,
        prototypes: int = ...,
        form: Literal["auto", "sparse", "dense"] = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        symmetry: Literal["auto", "positive", "none"] = ...,
        average: Literal["none", "tail"] = ...,
        batch: int = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class LoretaPSD(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    rank: int
    eta: float
    max_s: float
    start: str
    prototypes: int
    form: Literal["auto", "sparse", "dense"]
    units: Literal["auto", "relative", "absolute"]
    symmetry: Literal["auto", "positive", "none"]
    average: Literal["none", "tail"]
    blend: float
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        rank: int = ...,
        eta: float = ...,
        max_s: float = ...,
        start: str = ...,
        prototypes: int = ...,
        form: Literal["auto", "sparse", "dense"] = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        symmetry: Literal["auto", "positive", "none"] = ...,
        average: Literal["none", "tail"] = ...,
        blend: float = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class LoretaMI(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    rank: int
    eta: float
    max_s: float
    start: str
    prototypes: int
    form: Literal["auto", "sparse", "dense"]
    units: Literal["auto", "relative", "absolute"]
    symmetry: Literal["auto", "positive", "none"]
    inner: int
    eta2: float
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        rank: int = ...,
        eta: float = ...,
        max_s: float = ...,
        start: str = ...,
        prototypes: int = ...,
        form: Literal["auto", "sparse", "dense"] = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        symmetry: Literal["auto", "positive", "none"] = ...,
        inner: int = ...,
        eta2: float = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class GD(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    rank: int
    eta: float
    start: str
    prototypes: int
    average: Literal["none", "tail"]
    units: Literal["auto", "relative", "absolute"]
    symmetry: Literal["auto", "positive", "none"]
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        rank: int = ...,
        eta: float = ...,
        start: str = ...,
        prototypes: int = ...,
        average: Literal["none", "tail"] = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        symmetry: Literal["auto", "positive", "none"] = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class PSDGD(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    rank: int
    eta: float
    start: str
    prototypes: int
    average: Literal["none", "tail"]
    units: Literal["auto", "relative", "absolute"]
    symmetry: Literal["auto", "positive", "none"]
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        rank: int = ...,
        eta: float = ...,
        start: str = ...,
        prototypes: int = ...,
        average: Literal["none", "tail"] = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        symmetry: Literal["auto", "positive", "none"] = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class PA(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    rank: int
    C: float
    order: Literal["sequential", "simultaneous"]
    start: str
    prototypes: int
    average: Literal["none", "tail"]
    units: Literal["auto", "relative", "absolute"]
    symmetry: Literal["auto", "positive", "none"]
    task: Literal["similarity", "rank"]
    ybar: Literal["count", "one"]
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        rank: int = ...,
        C: float = ...,
        order: Literal["sequential", "simultaneous"] = ...,
        start: str = ...,
        prototypes: int = ...,
        average: Literal["none", "tail"] = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        symmetry: Literal["auto", "positive", "none"] = ...,
        task: Literal["similarity", "rank"] = ...,
        ybar: Literal["count", "one"] = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class OASIS(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    C: float
    memory: float
    units: Literal["auto", "relative", "absolute"]
    symmetry: Literal["auto", "positive", "none"]
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        C: float = ...,
        memory: float = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        symmetry: Literal["auto", "positive", "none"] = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class LEGO(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    eta: float
    y_sim: float
    y_dis: float
    targets: Literal["equality", "inequality"]
    units: Literal["auto", "relative", "absolute"]
    memory: float
    sample: int
    passes: int
    sampler: Literal["uniform", "warp"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        eta: float = ...,
        y_sim: float = ...,
        y_dis: float = ...,
        targets: Literal["equality", "inequality"] = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        memory: float = ...,
        sample: int = ...,
        passes: int = ...,
        sampler: Literal["uniform", "warp"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class Mahalanobis(Comparer, Learner):
    ridge: float
    rank: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        ridge: float = ...,
        rank: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class PCA(Comparer, Learner):
    rank: int
    variance: float
    whiten: float
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        rank: int = ...,
        variance: float = ...,
        whiten: float = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class LDA(Comparer, FromLabels, Learner):
    rank: int
    shrinkage: float
    directions: Literal["weighted", "equal"]
    sample: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        rank: int = ...,
        shrinkage: float = ...,
        directions: Literal["weighted", "equal"] = ...,
        sample: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class ITML(Comparer, FromLabels, FromPairs, Learner):
    gamma: float
    near: float
    far: float
    start: Literal["identity", "covariance"]
    solver: Literal["newton", "cyclic"]
    tol: float
    max_iterations: int
    rank: int
    sample: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        gamma: float = ...,
        near: float = ...,
        far: float = ...,
        start: Literal["identity", "covariance"] = ...,
        solver: Literal["newton", "cyclic"] = ...,
        tol: float = ...,
        max_iterations: int = ...,
        rank: int = ...,
        sample: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class S3ML(Comparer, FromLabels, FromPairs, Learner):
    beta: str | float
    rho: str | float
    beta_share: float
    rho_share: float
    start: Literal["identity", "covariance"]
    solver: Literal["auto", "alm", "quic", "paper"]
    tol: float
    max_iterations: int
    rank: int
    neighbours: int
    alpha: float
    theta: float
    sample: int
    pair_weights: Literal["balanced", "printed"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        beta: str | float = ...,
        rho: str | float = ...,
        beta_share: float = ...,
        rho_share: float = ...,
        start: Literal["identity", "covariance"] = ...,
        solver: Literal["auto", "alm", "quic", "paper"] = ...,
        tol: float = ...,
        max_iterations: int = ...,
        rank: int = ...,
        neighbours: int = ...,
        alpha: float = ...,
        theta: float = ...,
        sample: int = ...,
        pair_weights: Literal["balanced", "printed"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class S2ML(Comparer, FromLabels, FromPairs, Learner):
    beta: str | float
    rho: str | float
    beta_share: float
    rho_share: float
    start: Literal["identity", "covariance"]
    solver: Literal["auto", "alm", "quic", "paper"]
    tol: float
    max_iterations: int
    rank: int
    sample: int
    pair_weights: Literal["balanced", "printed"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        beta: str | float = ...,
        rho: str | float = ...,
        beta_share: float = ...,
        rho_share: float = ...,
        start: Literal["identity", "covariance"] = ...,
        solver: Literal["auto", "alm", "quic", "paper"] = ...,
        tol: float = ...,
        max_iterations: int = ...,
        rank: int = ...,
        sample: int = ...,
        pair_weights: Literal["balanced", "printed"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SDML(Comparer, FromLabels, FromPairs, Learner):
    beta: str | float
    rho: str | float
    beta_share: float
    rho_share: float
    start: Literal["identity", "covariance"]
    solver: Literal["auto", "alm", "quic", "paper"]
    tol: float
    max_iterations: int
    rank: int
    sample: int
    pair_weights: Literal["balanced", "printed"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        beta: str | float = ...,
        rho: str | float = ...,
        beta_share: float = ...,
        rho_share: float = ...,
        start: Literal["identity", "covariance"] = ...,
        solver: Literal["auto", "alm", "quic", "paper"] = ...,
        tol: float = ...,
        max_iterations: int = ...,
        rank: int = ...,
        sample: int = ...,
        pair_weights: Literal["balanced", "printed"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class LMNN(Comparer, FromLabels, FromPairs, FromTriplets, Learner):
    mu: float
    lambda_: float
    k: int
    tol: float
    max_iterations: int
    rank: int
    sample: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        mu: float = ...,
        lambda_: float = ...,
        k: int = ...,
        tol: float = ...,
        max_iterations: int = ...,
        rank: int = ...,
        sample: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class NCA(Comparer, FromLabels, Learner):
    lambda_: float
    tol: float
    max_iterations: int
    rank: int
    start: Literal["auto", "lda", "identity"]
    sample: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        lambda_: float = ...,
        tol: float = ...,
        max_iterations: int = ...,
        rank: int = ...,
        start: Literal["auto", "lda", "identity"] = ...,
        sample: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class LRML(Comparer, FromLabels, FromPairs, Learner):
    k: int
    gamma_s: float
    gamma_d: float
    share: float
    ridge: float
    rank: int
    sample: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        k: int = ...,
        gamma_s: float = ...,
        gamma_d: float = ...,
        share: float = ...,
        ridge: float = ...,
        rank: int = ...,
        sample: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class Perceptron(Ranker, FromLabels, Online, Learner):
    eta: float
    ybar: Literal["count", "one"]
    units: Literal["auto", "relative", "absolute"]
    constant: Literal["auto", "none", "one"]
    average: Literal["auto", "none", "all"]
    sample: int
    passes: int
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        eta: float = ...,
        ybar: Literal["count", "one"] = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        constant: Literal["auto", "none", "one"] = ...,
        average: Literal["auto", "none", "all"] = ...,
        sample: int = ...,
        passes: int = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class GroupPerceptron(Ranker, FromLabels, Online, Learner):
    eta: float
    exponent: float
    ybar: Literal["count", "one"]
    units: Literal["auto", "relative", "absolute"]
    constant: Literal["auto", "none", "one"]
    average: Literal["auto", "none", "all"]
    sample: int
    passes: int
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        eta: float = ...,
        exponent: float = ...,
        ybar: Literal["count", "one"] = ...,
        units: Literal["auto", "relative", "absolute"] = ...,
        constant: Literal["auto", "none", "one"] = ...,
        average: Literal["auto", "none", "all"] = ...,
        sample: int = ...,
        passes: int = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class Logistic(Ranker, Comparer, FromLabels, Learner):
    lambda_: float
    sharpness: float
    tol: float
    max_iterations: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        lambda_: float = ...,
        sharpness: float = ...,
        tol: float = ...,
        max_iterations: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class KernelRidge(Ranker, Comparer, FromLabels, Learner):
    kernel: Literal["laplacian", "rbf"]
    narrow: float
    lambda_: float
    support: int
    sharpness: float
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        kernel: Literal["laplacian", "rbf"] = ...,
        narrow: float = ...,
        lambda_: float = ...,
        support: int = ...,
        sharpness: float = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class Blend(Ranker, Comparer, FromLabels, Learner):
    with_: Literal["classes", "whitened", "lda", "rows"]
    share: float
    lambda_: float
    shrinkage: float
    sharpness: float
    sample: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        with_: Literal["classes", "whitened", "lda", "rows"] = ...,
        share: float = ...,
        lambda_: float = ...,
        shrinkage: float = ...,
        sharpness: float = ...,
        sample: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class CCA(Comparer, FromLabels, FromPairs, Learner):
    rank: int
    reg: float
    power: float
    blend: float
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        rank: int = ...,
        reg: float = ...,
        power: float = ...,
        blend: float = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class ARCT(Comparer, FromLabels, FromPairs, Learner):
    C: float
    lower: float
    upper: float
    rank: int
    blend: float
    tol: float
    max_iterations: int
    kernel: Literal["none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"]
    gamma: float
    coef: float
    degree: int
    support: int
    kernel_right: Literal["same", "none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"]
    origin: Literal["mean", "zero"]
    length: Literal["one", "given"]
    pair_weights: Literal["balanced", "printed"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        C: float = ...,
        lower: float = ...,
        upper: float = ...,
        rank: int = ...,
        blend: float = ...,
        tol: float = ...,
        max_iterations: int = ...,
        kernel: Literal["none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"] = ...,
        gamma: float = ...,
        coef: float = ...,
        degree: int = ...,
        support: int = ...,
        kernel_right: Literal["same", "none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"] = ...,
        origin: Literal["mean", "zero"] = ...,
        length: Literal["one", "given"] = ...,
        pair_weights: Literal["balanced", "printed"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class Symm(Comparer, FromLabels, FromPairs, Learner):
    gamma: float
    tol: float
    max_iterations: int
    sample: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        gamma: float = ...,
        tol: float = ...,
        max_iterations: int = ...,
        sample: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SVMT(Ranker, FromLabels, Learner):
    C: float
    bias: float
    loss: Literal["hinge", "hinge2"]
    tol: float
    max_sweeps: int
    kernel: Literal["none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"]
    gamma: float
    coef: float
    degree: int
    support: int
    origin: Literal["mean", "zero"]
    length: Literal["one", "given"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        C: float = ...,
        bias: float = ...,
        loss: Literal["hinge", "hinge2"] = ...,
        tol: float = ...,
        max_sweeps: int = ...,
        kernel: Literal["none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"] = ...,
        gamma: float = ...,
        coef: float = ...,
        degree: int = ...,
        support: int = ...,
        origin: Literal["mean", "zero"] = ...,
        length: Literal["one", "given"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class HFA(Ranker, FromLabels, Learner):
    C: float
    lambda_: float
    loss: Literal["hinge", "hinge2"]
    tol: float
    max_iterations: int
    max_sweeps: int
    kernel: Literal["none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"]
    gamma: float
    coef: float
    degree: int
    support: int
    kernel_right: Literal["same", "none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"]
    origin: Literal["mean", "zero"]
    length: Literal["one", "given"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        C: float = ...,
        lambda_: float = ...,
        loss: Literal["hinge", "hinge2"] = ...,
        tol: float = ...,
        max_iterations: int = ...,
        max_sweeps: int = ...,
        kernel: Literal["none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"] = ...,
        gamma: float = ...,
        coef: float = ...,
        degree: int = ...,
        support: int = ...,
        kernel_right: Literal["same", "none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"] = ...,
        origin: Literal["mean", "zero"] = ...,
        length: Literal["one", "given"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class RSL(Comparer, FromLabels, FromPairs, Learner):
    rank: int
    lambda_: float
    loss: Literal["log", "hinge2", "ridge"]
    loss_scale: Literal["mean", "sum"]
    reg: Literal["sq", "fro"]
    hessian: Literal["exact", "fd"]
    origin: Literal["classes", "mean", "zero"]
    length: Literal["one", "given"]
    start: Literal["spectral", "random"]
    starts: int
    tol: float
    max_iterations: int
    prototypes: int
    blend: float
    kernel: Literal["auto", "none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"]
    gamma: float
    coef: float
    degree: int
    support: int
    kernel_right: Literal["same", "none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"]
    check_derivatives: int
    sample: int
    pair_weights: Literal["balanced", "printed"]
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        rank: int = ...,
        lambda_: float = ...,
        loss: Literal["log", "hinge2", "ridge"] = ...,
        loss_scale: Literal["mean", "sum"] = ...,
        reg: Literal["sq", "fro"] = ...,
        hessian: Literal["exact", "fd"] = ...,
        origin: Literal["classes", "mean", "zero"] = ...,
        length: Literal["one", "given"] = ...,
        start: Literal["spectral", "random"] = ...,
        starts: int = ...,
        tol: float = ...,
        max_iterations: int = ...,
        prototypes: int = ...,
        blend: float = ...,
        kernel: Literal["auto", "none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"] = ...,
        gamma: float = ...,
        coef: float = ...,
        degree: int = ...,
        support: int = ...,
        kernel_right: Literal["same", "none", "linear", "rbf", "laplacian", "poly", "chi2", "intersection", "precomputed"] = ...,
        check_derivatives: int = ...,
        sample: int = ...,
        pair_weights: Literal["balanced", "printed"] = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class TFIDF(Comparer, Learner):
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class ASML(Comparer, FromCaptions, Learner):
    sigma: float
    outer: int
    epochs: int
    batch: int
    eps: float
    rank: int
    sample: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        sigma: float = ...,
        outer: int = ...,
        epochs: int = ...,
        batch: int = ...,
        eps: float = ...,
        rank: int = ...,
        sample: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class MMS(Ranker, FromCaptions, Learner):
    sigma: float
    outer: int
    epochs: int
    batch: int
    eps: float
    sample: int
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        sigma: float = ...,
        outer: int = ...,
        epochs: int = ...,
        batch: int = ...,
        eps: float = ...,
        sample: int = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class MILDML(Comparer, FromCaptions, Learner):
    rank: int
    tol: float
    iterations: int
    sample: int
    compare: Literal["auto", "dot", "cosine", "distance"]
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    n_neighbors: int
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        rank: int = ...,
        tol: float = ...,
        iterations: int = ...,
        sample: int = ...,
        compare: Literal["auto", "dot", "cosine", "distance"] = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        n_neighbors: int = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class LRSVM(Ranker, FromCaptions, Learner):
    sparse: float
    C: float
    rho: float
    delta_rho: float
    eps: float
    iterations: int
    sample: int
    verdict: Literal["auto", "none"] | None
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    preprocessor: Any
    random_state: int | RandomState | None
    n_jobs: int | None
    verbose: int
    def __init__(
        self,
        *,
        sparse: float = ...,
        C: float = ...,
        rho: float = ...,
        delta_rho: float = ...,
        eps: float = ...,
        iterations: int = ...,
        sample: int = ...,
        verdict: Literal["auto", "none"] | None = ...,
        weights: str | None = ...,
        scale: str | None = ...,
        norm: str | None = ...,
        center: bool | None = ...,
        preprocessor: Any = ...,
        random_state: int | RandomState | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...
