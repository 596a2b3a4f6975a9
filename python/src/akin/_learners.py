"""A class for each learner.

Made by tools/gen.py from the registry of the library; do not edit.
"""
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
    r"""Sparse diagonal similarity by adaptive dual averaging.

    Use it for: bags of words of many dimensions; a weight per word. The
    learner `solis-ada` of `akin train`; docs/reference/learners/solis-ada.md
    explains it.

    Parameters
    ----------
    eta : float, default=0.2
        Step size; 1e-12 to 1000000.
    lambda_ : float, default=0.0
        Strength of the L1 penalty: larger sets more weights to zero; 0 to
        1000000.
    delta : float, default=3.0
        Damps the first steps of a coordinate, about delta^2 of them; 0 to
        1000000.
    clock : Literal['active', 'all'], default='active'
        Rounds that count as steps: those with a loss, or all: `active`, `all`.
    start : str, default='measure'
        Initial weights: 1 (the plain measure of the rows), zero, a weight for
        the words of the positives, or a model: `measure`, `zero`, `mask`,
        file.
    start_weight : float, default=0.3
        Weight of the words of the positives when start is mask; 0 to 1000000.
    units : Literal['relative', 'absolute'], default='relative'
        Margin, steps and lambda relative to the triplets seen, or as
        published: `relative`, `absolute`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `auto`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "solis-ada"
    _options = {
        "eta": "eta",
        "lambda_": "lambda",
        "delta": "delta",
        "clock": "clock",
        "start": "start",
        "start_weight": "start_weight",
        "units": "units",
    }

    def __init__(
        self,
        *,
        eta=0.2,
        lambda_=0.0,
        delta=3.0,
        clock='active',
        start='measure',
        start_weight=0.3,
        units='relative',
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.eta = eta
        self.lambda_ = lambda_
        self.delta = delta
        self.clock = clock
        self.start = start
        self.start_weight = start_weight
        self.units = units
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SolisAFB(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Sparse diagonal similarity by adaptive forward-backward steps.

    Use it for: like solis-ada; keeps more weights at the same lambda. The
    learner `solis-afb` of `akin train`; docs/reference/learners/solis-afb.md
    explains it.

    Parameters
    ----------
    eta : float, default=0.2
        Step size; 1e-12 to 1000000.
    lambda_ : float, default=0.0
        Strength of the L1 penalty: larger sets more weights to zero; 0 to
        1000000.
    delta : float, default=3.0
        Damps the first steps of a coordinate, about delta^2 of them; 0 to
        1000000.
    clock : Literal['active', 'all'], default='active'
        Rounds that count as steps: those with a loss, or all: `active`, `all`.
    start : str, default='measure'
        Initial weights: 1 (the plain measure of the rows), zero, a weight for
        the words of the positives, or a model: `measure`, `zero`, `mask`,
        file.
    start_weight : float, default=0.3
        Weight of the words of the positives when start is mask; 0 to 1000000.
    units : Literal['relative', 'absolute'], default='relative'
        Margin, steps and lambda relative to the triplets seen, or as
        published: `relative`, `absolute`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `auto`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "solis-afb"
    _options = {
        "eta": "eta",
        "lambda_": "lambda",
        "delta": "delta",
        "clock": "clock",
        "start": "start",
        "start_weight": "start_weight",
        "units": "units",
    }

    def __init__(
        self,
        *,
        eta=0.2,
        lambda_=0.0,
        delta=3.0,
        clock='active',
        start='measure',
        start_weight=0.3,
        units='relative',
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.eta = eta
        self.lambda_ = lambda_
        self.delta = delta
        self.clock = clock
        self.start = start
        self.start_weight = start_weight
        self.units = units
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SolisDA(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Sparse diagonal similarity by dual averaging.

    Use it for: least memory: one number per dimension. The learner `solis-da`
    of `akin train`; docs/reference/learners/solis-da.md explains it.

    Parameters
    ----------
    lambda_ : float, default=0.0
        Strength of the L1 penalty: larger sets more weights to zero; 0 to
        1000000.
    gamma : float, default=0.2
        How fast the weights may grow: smaller is faster; 1e-12 to 1000000.
    rho : float, default=0.0
        Extra L1 penalty that decreases with the rounds; 0 to 1000000.
    clock : Literal['active', 'all'], default='active'
        Rounds that count as steps: those with a loss, or all: `active`, `all`.
    start : str, default='measure'
        Initial weights: 1 (the plain measure of the rows), zero, a weight for
        the words of the positives, or a model: `measure`, `zero`, `mask`,
        file.
    start_weight : float, default=0.3
        Weight of the words of the positives when start is mask; 0 to 1000000.
    units : Literal['relative', 'absolute'], default='relative'
        Margin, steps and lambda relative to the triplets seen, or as
        published: `relative`, `absolute`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `auto`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "solis-da"
    _options = {
        "lambda_": "lambda",
        "gamma": "gamma",
        "rho": "rho",
        "clock": "clock",
        "start": "start",
        "start_weight": "start_weight",
        "units": "units",
    }

    def __init__(
        self,
        *,
        lambda_=0.0,
        gamma=0.2,
        rho=0.0,
        clock='active',
        start='measure',
        start_weight=0.3,
        units='relative',
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.lambda_ = lambda_
        self.gamma = gamma
        self.rho = rho
        self.clock = clock
        self.start = start
        self.start_weight = start_weight
        self.units = units
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SolisTG(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Sparse diagonal similarity by truncated gradient.

    Use it for: the simplest of the four; a baseline. The learner `solis-tg` of
    `akin train`; docs/reference/learners/solis-tg.md explains it.

    Parameters
    ----------
    eta : float, default=0.03
        Step size; 1e-12 to 1000000.
    lambda_ : float, default=0.0
        Strength of the L1 penalty: larger sets more weights to zero; 0 to
        1000000.
    clock : Literal['active', 'all'], default='active'
        Rounds that count as steps: those with a loss, or all: `active`, `all`.
    start : str, default='measure'
        Initial weights: 1 (the plain measure of the rows), zero, a weight for
        the words of the positives, or a model: `measure`, `zero`, `mask`,
        file.
    start_weight : float, default=0.3
        Weight of the words of the positives when start is mask; 0 to 1000000.
    units : Literal['relative', 'absolute'], default='relative'
        Margin, steps and lambda relative to the triplets seen, or as
        published: `relative`, `absolute`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `auto`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "solis-tg"
    _options = {
        "eta": "eta",
        "lambda_": "lambda",
        "clock": "clock",
        "start": "start",
        "start_weight": "start_weight",
        "units": "units",
    }

    def __init__(
        self,
        *,
        eta=0.03,
        lambda_=0.0,
        clock='active',
        start='measure',
        start_weight=0.3,
        units='relative',
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.eta = eta
        self.lambda_ = lambda_
        self.clock = clock
        self.start = start
        self.start_weight = start_weight
        self.units = units
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class OASISDiag(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Diagonal similarity by passive-aggressive steps.

    Use it for: a dense weight for every word, starting at 1. The learner
    `oasis-diag` of `akin train`; docs/reference/learners/oasis-diag.md
    explains it.

    Parameters
    ----------
    C : float, default=0.1
        Largest step for one triplet; 1e-12 to 1000000000000.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Margin and steps relative to the triplets seen, or as published; auto:
        relative for dense rows: `auto`, `relative`, `absolute`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `auto`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "oasis-diag"
    _options = {
        "C": "C",
        "units": "units",
    }

    def __init__(
        self,
        *,
        C=0.1,
        units='auto',
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.C = C
        self.units = units
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LEGODiag(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Diagonal metric by LogDet steps to target distances.

    Use it for: distances with known targets; a baseline. The learner
    `lego-diag` of `akin train`; docs/reference/learners/lego-diag.md explains
    it.

    Parameters
    ----------
    eta : float, default=0.1
        Weight of the target distance against staying; 1e-12 to 1000000000000.
    y_sim : float, default=1.0
        Target squared distance of a similar pair; 0 to 1000000000000.
    y_dis : float, default=1.9
        Target squared distance of a dissimilar pair; 0 to 1000000000000.
    targets : Literal['equality', 'inequality'], default='equality'
        Reach the targets, or only the right side of them: `equality`,
        `inequality`.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Margin and steps relative to the triplets seen, or as published; auto:
        relative for dense rows: `auto`, `relative`, `absolute`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `auto`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "lego-diag"
    _options = {
        "eta": "eta",
        "y_sim": "y_sim",
        "y_dis": "y_dis",
        "targets": "targets",
        "units": "units",
    }

    def __init__(
        self,
        *,
        eta=0.1,
        y_sim=1.0,
        y_dis=1.9,
        targets='equality',
        units='auto',
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.eta = eta
        self.y_sim = y_sim
        self.y_dis = y_dis
        self.targets = targets
        self.units = units
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class QPAO(Comparer, FromLabels, FromPairs, FromTriplets, Learner):
    r"""Non-negative diagonal similarity by a quadratic program.

    Use it for: few triplets, and time to compute the optimum. The learner
    `qpao` of `akin train`; docs/reference/learners/qpao.md explains it.

    Parameters
    ----------
    C : float, default=1.0
        Weight of a violation; 1e-12 to 1000000000000.
    w0 : float, default=-1.0
        Initial weight of every word; -1 = auto (1 in relative units, else 0);
        -1 to 1000000.
    tol : float, default=0.001
        Stop when no optimality condition is violated by more; 0 to 1.
    max_sweeps : int, default=200
        Maximum number of sweeps; 1 to 1000000000.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Margin and steps relative to the triplets seen, or as published; auto:
        relative for dense rows: `auto`, `relative`, `absolute`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `auto`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "qpao"
    _options = {
        "C": "C",
        "w0": "w0",
        "tol": "tol",
        "max_sweeps": "max_sweeps",
        "units": "units",
    }

    def __init__(
        self,
        *,
        C=1.0,
        w0=-1.0,
        tol=0.001,
        max_sweeps=200,
        units='auto',
        sample=0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.C = C
        self.w0 = w0
        self.tol = tol
        self.max_sweeps = max_sweeps
        self.units = units
        self.sample = sample
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LMNNDiag(Comparer, FromLabels, FromPairs, FromTriplets, Learner):
    r"""Large-margin diagonal metric, all triplets at once.

    Use it for: few triplets; a baseline. The learner `lmnn-diag` of `akin
    train`; docs/reference/learners/lmnn-diag.md explains it.

    Parameters
    ----------
    mu : float, default=0.99
        Weight of the margins; 1 - mu is that of the distances to positives; 0
        to 1.
    tol : float, default=0.001
        Stop when the relative improvement stays below this; 0 to 1.
    max_iterations : int, default=300
        Maximum number of iterations; 1 to 1000000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `auto`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto-minmax`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "lmnn-diag"
    _options = {
        "mu": "mu",
        "tol": "tol",
        "max_iterations": "max_iterations",
    }

    def __init__(
        self,
        *,
        mu=0.99,
        tol=0.001,
        max_iterations=300,
        sample=0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.mu = mu
        self.tol = tol
        self.max_iterations = max_iterations
        self.sample = sample
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class Loreta1(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Low-rank similarity, learned online on the manifold.

    Use it for: text: words of the same meaning become similar. The learner
    `loreta-1` of `akin train`; docs/reference/learners/loreta-1.md explains
    it.

    Parameters
    ----------
    rank : int, default=0
        Rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
        fewer columns or labels); 0 to 1000000.
    eta : float, default=0.0
        Step size; 0 = auto (3, and 0.1 in relative units; 0.3 to rank labels);
        0 to 1000000.
    max_s : float, default=1.0
        Largest step in the learned space: a longer one is cut, so that no rank
        is lost; 0 = no limit; 0 to 1000000.
    start : str, default='auto'
        Initial factors: the first RANK columns (identity), directions with
        most of the rows' length (principal; auto: for dense rows of more than
        RANK columns), those of a full matrix learned from 2 RANK mistakes,
        random, or a model: `auto`, `identity`, `principal`, `zero`, `gauss`,
        file.
    prototypes : int, default=0
        Compare rows by the nearest of at most so many clusters of the learned
        rows; 0 = off; 0 to 256.
    form : Literal['auto', 'sparse', 'dense'], default='auto'
        Whether a step updates the columns of a row or all columns; auto takes
        the faster, the result is the same: `auto`, `sparse`, `dense`.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Margin and steps relative to the triplets seen, or as published; auto:
        relative for dense rows: `auto`, `relative`, `absolute`.
    symmetry : Literal['auto', 'positive', 'none'], default='auto'
        Compare rows by the positive part of W + W', or by W as published;
        auto: positive for dense rows: `auto`, `positive`, `none`.
    average : Literal['none', 'tail'], default='none'
        The factors as they are at the end, or their mean over the later part:
        `none`, `tail`.
    task : Literal['similarity', 'rank'], default='similarity'
        Compare rows, or rank their labels: `similarity`, `rank`.
    ybar : Literal['count', 'one'], default='count'
        Push the best wrong label down once per violation, or once per row, as
        the paper prints: `count`, `one`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-tfidf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "loreta-1"
    _options = {
        "rank": "rank",
        "eta": "eta",
        "max_s": "max_s",
        "start": "start",
        "prototypes": "prototypes",
        "form": "form",
        "units": "units",
        "symmetry": "symmetry",
        "average": "average",
        "task": "task",
        "ybar": "ybar",
    }

    def __init__(
        self,
        *,
        rank=0,
        eta=0.0,
        max_s=1.0,
        start='auto',
        prototypes=0,
        form='auto',
        units='auto',
        symmetry='auto',
        average='none',
        task='similarity',
        ybar='count',
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rank = rank
        self.eta = eta
        self.max_s = max_s
        self.start = start
        self.prototypes = prototypes
        self.form = form
        self.units = units
        self.symmetry = symmetry
        self.average = average
        self.task = task
        self.ybar = ybar
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class Loreta(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Low-rank similarity, several triplets per step.

    Use it for: triplets that are noisy one by one. The learner `loreta` of
    `akin train`; docs/reference/learners/loreta.md explains it.

    Parameters
    ----------
    rank : int, default=0
        Rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
        fewer columns or labels); 0 to 1000000.
    eta : float, default=0.0
        Step size; 0 = auto (3, and 0.1 in relative units); 0 to 1000000.
    max_s : float, default=1.0
        Largest step in the learned space: a longer one is cut, so that no rank
        is lost; 0 = no limit; 0 to 1000000.
    start : str, default='auto'
        Initial factors: the first RANK columns (identity), directions with
        most of the rows' length (principal; auto: for dense rows of more than
        RANK columns), those of a full matrix learned from 2 RANK mistakes,
        random, or a model: `auto`, `identity`, `principal`, `zero`, `gauss`,
        file.
    prototypes : int, default=0
        Compare rows by the nearest of at most so many clusters of the learned
        rows; 0 = off; 0 to 256.
    form : Literal['auto', 'sparse', 'dense'], default='auto'
        Whether a step updates the columns of a row or all columns; auto takes
        the faster, the result is the same: `auto`, `sparse`, `dense`.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Margin and steps relative to the triplets seen, or as published; auto:
        relative for dense rows: `auto`, `relative`, `absolute`.
    symmetry : Literal['auto', 'positive', 'none'], default='auto'
        Compare rows by the positive part of W + W', or by W as published;
        auto: positive for dense rows: `auto`, `positive`, `none`.
    average : Literal['none', 'tail'], default='none'
        The factors as they are at the end, or their mean over the later part:
        `none`, `tail`.
    batch : int, default=4
        Triplets per step; the cost of a step grows up to cubically; 1 to 1000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-tfidf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "loreta"
    _options = {
        "rank": "rank",
        "eta": "eta",
        "max_s": "max_s",
        "start": "start",
        "prototypes": "prototypes",
        "form": "form",
        "units": "units",
        "symmetry": "symmetry",
        "average": "average",
        "batch": "batch",
    }

    def __init__(
        self,
        *,
        rank=0,
        eta=0.0,
        max_s=1.0,
        start='auto',
        prototypes=0,
        form='auto',
        units='auto',
        symmetry='auto',
        average='none',
        batch=4,
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rank = rank
        self.eta = eta
        self.max_s = max_s
        self.start = start
        self.prototypes = prototypes
        self.form = form
        self.units = units
        self.symmetry = symmetry
        self.average = average
        self.batch = batch
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LoretaPSD(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Low-rank symmetric similarity, online on the manifold.

    Use it for: text with labels; learns fast, compares by cosine. The learner
    `loreta-psd` of `akin train`; docs/reference/learners/loreta-psd.md
    explains it.

    Parameters
    ----------
    rank : int, default=0
        Rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
        fewer columns or labels); 0 to 1000000.
    eta : float, default=0.0
        Step size; 0 = auto (3, and 0.1 in relative units); 0 to 1000000.
    max_s : float, default=1.0
        Largest step in the learned space: a longer one is cut, so that no rank
        is lost; 0 = no limit; 0 to 1000000.
    start : str, default='auto'
        Initial factors: the first RANK columns (identity), directions with
        most of the rows' length (principal; auto: for dense rows of more than
        RANK columns), those of a full matrix learned from 2 RANK mistakes,
        random, or a model: `auto`, `identity`, `principal`, `zero`, `gauss`,
        file.
    prototypes : int, default=0
        Compare rows by the nearest of at most so many clusters of the learned
        rows; 0 = off; 0 to 256.
    form : Literal['auto', 'sparse', 'dense'], default='auto'
        Whether a step updates the columns of a row or all columns; auto takes
        the faster, the result is the same: `auto`, `sparse`, `dense`.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Margin and steps relative to the triplets seen, or as published; auto:
        relative for dense rows: `auto`, `relative`, `absolute`.
    symmetry : Literal['auto', 'positive', 'none'], default='auto'
        Compare rows by the positive part of W + W', or by W as published;
        auto: positive for dense rows: `auto`, `positive`, `none`.
    average : Literal['none', 'tail'], default='none'
        The factors as they are at the end, or their mean over the later part:
        `none`, `tail`.
    blend : float, default=0.0
        Weight of the cosine of the rows themselves beside the learned score,
        for classes not in the training data; 0 to 1000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-tfidf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "loreta-psd"
    _options = {
        "rank": "rank",
        "eta": "eta",
        "max_s": "max_s",
        "start": "start",
        "prototypes": "prototypes",
        "form": "form",
        "units": "units",
        "symmetry": "symmetry",
        "average": "average",
        "blend": "blend",
    }

    def __init__(
        self,
        *,
        rank=0,
        eta=0.0,
        max_s=1.0,
        start='auto',
        prototypes=0,
        form='auto',
        units='auto',
        symmetry='auto',
        average='none',
        blend=0.0,
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rank = rank
        self.eta = eta
        self.max_s = max_s
        self.start = start
        self.prototypes = prototypes
        self.form = form
        self.units = units
        self.symmetry = symmetry
        self.average = average
        self.blend = blend
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LoretaMI(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Low-rank similarity, refined inside its own space.

    Use it for: the paper's variant; loreta-1 learns more. The learner
    `loreta-mi` of `akin train`; docs/reference/learners/loreta-mi.md explains
    it.

    Parameters
    ----------
    rank : int, default=0
        Rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
        fewer columns or labels); 0 to 1000000.
    eta : float, default=0.0
        Step size; 0 = auto (3, and 0.1 in relative units); 0 to 1000000.
    max_s : float, default=1.0
        Largest step in the learned space: a longer one is cut, so that no rank
        is lost; 0 = no limit; 0 to 1000000.
    start : str, default='auto'
        Initial factors: the first RANK columns (identity), directions with
        most of the rows' length (principal; auto: for dense rows of more than
        RANK columns), those of a full matrix learned from 2 RANK mistakes,
        random, or a model: `auto`, `identity`, `principal`, `zero`, `gauss`,
        file.
    prototypes : int, default=0
        Compare rows by the nearest of at most so many clusters of the learned
        rows; 0 = off; 0 to 256.
    form : Literal['auto', 'sparse', 'dense'], default='auto'
        Whether a step updates the columns of a row or all columns; auto takes
        the faster, the result is the same: `auto`, `sparse`, `dense`.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Margin and steps relative to the triplets seen, or as published; auto:
        relative for dense rows: `auto`, `relative`, `absolute`.
    symmetry : Literal['auto', 'positive', 'none'], default='auto'
        Compare rows by the positive part of W + W', or by W as published;
        auto: positive for dense rows: `auto`, `positive`, `none`.
    inner : int, default=1
        Steps inside the learned space after each on the manifold; 0 to
        1000000.
    eta2 : float, default=0.01
        Size of a step inside the learned space; 1e-12 to 1000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-tfidf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "loreta-mi"
    _options = {
        "rank": "rank",
        "eta": "eta",
        "max_s": "max_s",
        "start": "start",
        "prototypes": "prototypes",
        "form": "form",
        "units": "units",
        "symmetry": "symmetry",
        "inner": "inner",
        "eta2": "eta2",
    }

    def __init__(
        self,
        *,
        rank=0,
        eta=0.0,
        max_s=1.0,
        start='auto',
        prototypes=0,
        form='auto',
        units='auto',
        symmetry='auto',
        inner=1,
        eta2=0.01,
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rank = rank
        self.eta = eta
        self.max_s = max_s
        self.start = start
        self.prototypes = prototypes
        self.form = form
        self.units = units
        self.symmetry = symmetry
        self.inner = inner
        self.eta2 = eta2
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class GD(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Low-rank similarity by gradient steps on its factors.

    Use it for: a baseline for loreta-1. The learner `gd` of `akin train`;
    docs/reference/learners/gd.md explains it.

    Parameters
    ----------
    rank : int, default=0
        Rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
        fewer columns or labels); 0 to 1000000.
    eta : float, default=0.0
        Step size; 0 = auto (0.3, and 0.05 in relative units); 0 to 1000000.
    start : str, default='auto'
        Initial factors: the first RANK columns (identity), directions with
        most of the rows' length (principal; auto: for dense rows of more than
        RANK columns), random, or a model: `auto`, `identity`, `principal`,
        `gauss`, file.
    prototypes : int, default=0
        Compare rows by the nearest of at most so many clusters of the learned
        rows; 0 = off; 0 to 256.
    average : Literal['none', 'tail'], default='none'
        The factors as they are at the end, or their mean over the later part:
        `none`, `tail`.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Margin and steps relative to the triplets seen, or as published; auto:
        relative for dense rows: `auto`, `relative`, `absolute`.
    symmetry : Literal['auto', 'positive', 'none'], default='auto'
        Compare rows by the positive part of W + W', or by W as published;
        auto: positive for dense rows: `auto`, `positive`, `none`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-tfidf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "gd"
    _options = {
        "rank": "rank",
        "eta": "eta",
        "start": "start",
        "prototypes": "prototypes",
        "average": "average",
        "units": "units",
        "symmetry": "symmetry",
    }

    def __init__(
        self,
        *,
        rank=0,
        eta=0.0,
        start='auto',
        prototypes=0,
        average='none',
        units='auto',
        symmetry='auto',
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rank = rank
        self.eta = eta
        self.start = start
        self.prototypes = prototypes
        self.average = average
        self.units = units
        self.symmetry = symmetry
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class PSDGD(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Low-rank symmetric similarity by gradient steps.

    Use it for: a baseline for loreta-psd. The learner `psd-gd` of `akin
    train`; docs/reference/learners/psd-gd.md explains it.

    Parameters
    ----------
    rank : int, default=0
        Rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
        fewer columns or labels); 0 to 1000000.
    eta : float, default=0.0
        Step size; 0 = auto (0.3, and 0.05 in relative units); 0 to 1000000.
    start : str, default='auto'
        Initial factors: the first RANK columns (identity), directions with
        most of the rows' length (principal; auto: for dense rows of more than
        RANK columns), random, or a model: `auto`, `identity`, `principal`,
        `gauss`, file.
    prototypes : int, default=0
        Compare rows by the nearest of at most so many clusters of the learned
        rows; 0 = off; 0 to 256.
    average : Literal['none', 'tail'], default='none'
        The factors as they are at the end, or their mean over the later part:
        `none`, `tail`.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Margin and steps relative to the triplets seen, or as published; auto:
        relative for dense rows: `auto`, `relative`, `absolute`.
    symmetry : Literal['auto', 'positive', 'none'], default='auto'
        Compare rows by the positive part of W + W', or by W as published;
        auto: positive for dense rows: `auto`, `positive`, `none`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-tfidf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "psd-gd"
    _options = {
        "rank": "rank",
        "eta": "eta",
        "start": "start",
        "prototypes": "prototypes",
        "average": "average",
        "units": "units",
        "symmetry": "symmetry",
    }

    def __init__(
        self,
        *,
        rank=0,
        eta=0.0,
        start='auto',
        prototypes=0,
        average='none',
        units='auto',
        symmetry='auto',
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rank = rank
        self.eta = eta
        self.start = start
        self.prototypes = prototypes
        self.average = average
        self.units = units
        self.symmetry = symmetry
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class PA(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Low-rank similarity by passive-aggressive steps.

    Use it for: a baseline for loreta-1; the step needs no tuning. The learner
    `pa` of `akin train`; docs/reference/learners/pa.md explains it.

    Parameters
    ----------
    rank : int, default=0
        Rank of W; 0 = auto (30, for dense rows 128; or fewer when there are
        fewer columns or labels); 0 to 1000000.
    C : float, default=0.3
        Largest step for one example; 1e-12 to 1000000000000.
    order : Literal['sequential', 'simultaneous'], default='sequential'
        Whether the second factor sees the step of the first: `sequential`,
        `simultaneous`.
    start : str, default='auto'
        Initial factors: the first RANK columns (identity), directions with
        most of the rows' length (principal; auto: for dense rows of more than
        RANK columns), those of a full matrix learned from 2 RANK mistakes (to
        rank labels only), random, or a model: `auto`, `identity`, `principal`,
        `zero`, `gauss`, file.
    prototypes : int, default=0
        Compare rows by the nearest of at most so many clusters of the learned
        rows; 0 = off; 0 to 256.
    average : Literal['none', 'tail'], default='none'
        The factors as they are at the end, or their mean over the later part:
        `none`, `tail`.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Margin and steps relative to the triplets seen, or as published; auto:
        relative for dense rows: `auto`, `relative`, `absolute`.
    symmetry : Literal['auto', 'positive', 'none'], default='auto'
        Compare rows by the positive part of W + W', or by W as published;
        auto: positive for dense rows: `auto`, `positive`, `none`.
    task : Literal['similarity', 'rank'], default='similarity'
        Compare rows, or rank their labels: `similarity`, `rank`.
    ybar : Literal['count', 'one'], default='count'
        Push the best wrong label down once per violation, or once per row, as
        the paper prints: `count`, `one`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-tfidf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "pa"
    _options = {
        "rank": "rank",
        "C": "C",
        "order": "order",
        "start": "start",
        "prototypes": "prototypes",
        "average": "average",
        "units": "units",
        "symmetry": "symmetry",
        "task": "task",
        "ybar": "ybar",
    }

    def __init__(
        self,
        *,
        rank=0,
        C=0.3,
        order='sequential',
        start='auto',
        prototypes=0,
        average='none',
        units='auto',
        symmetry='auto',
        task='similarity',
        ybar='count',
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rank = rank
        self.C = C
        self.order = order
        self.start = start
        self.prototypes = prototypes
        self.average = average
        self.units = units
        self.symmetry = symmetry
        self.task = task
        self.ybar = ybar
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class OASIS(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Bilinear similarity by passive-aggressive steps.

    Use it for: up to a few thousand columns: W is a full matrix. The learner
    `oasis` of `akin train`; docs/reference/learners/oasis.md explains it.

    Parameters
    ----------
    C : float, default=0.1
        Largest step for one triplet; 1e-12 to 1000000000000.
    memory : float, default=4.0
        Memory limit of the matrix, in GiB; 1e-06 to 1000000.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Margin and steps relative to the triplets seen, or as published; auto:
        relative for dense rows: `auto`, `relative`, `absolute`.
    symmetry : Literal['auto', 'positive', 'none'], default='auto'
        Compare rows by the positive part of W + W', or by W as published;
        auto: positive for dense rows: `auto`, `positive`, `none`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-tfidf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "oasis"
    _options = {
        "C": "C",
        "memory": "memory",
        "units": "units",
        "symmetry": "symmetry",
    }

    def __init__(
        self,
        *,
        C=0.1,
        memory=4.0,
        units='auto',
        symmetry='auto',
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.C = C
        self.memory = memory
        self.units = units
        self.symmetry = symmetry
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LEGO(Comparer, FromLabels, FromPairs, FromTriplets, Online, Learner):
    r"""Full metric by LogDet steps to target distances.

    Use it for: up to some thousand columns, distances with targets. The
    learner `lego` of `akin train`; docs/reference/learners/lego.md explains
    it.

    Parameters
    ----------
    eta : float, default=0.1
        Weight of the target distance against staying; 1e-12 to 1000000000000.
    y_sim : float, default=1.0
        Target squared distance of a similar pair; 0 to 1000000000000.
    y_dis : float, default=1.9
        Target squared distance of a dissimilar pair; 0 to 1000000000000.
    targets : Literal['equality', 'inequality'], default='equality'
        Reach the targets, or only the right side of them: `equality`,
        `inequality`.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Margin and steps relative to the triplets seen, or as published; auto:
        relative for dense rows: `auto`, `relative`, `absolute`.
    memory : float, default=4.0
        Memory limit of the matrix, in GiB; 1e-06 to 1000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    sampler : Literal['uniform', 'warp'], default='uniform'
        How negatives are drawn: uniformly, or until one is ranked too high,
        weighted by how soon that is (`warp`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-tfidf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "lego"
    _options = {
        "eta": "eta",
        "y_sim": "y_sim",
        "y_dis": "y_dis",
        "targets": "targets",
        "units": "units",
        "memory": "memory",
    }

    def __init__(
        self,
        *,
        eta=0.1,
        y_sim=1.0,
        y_dis=1.9,
        targets='equality',
        units='auto',
        memory=4.0,
        sample=0,
        passes=0,
        sampler='uniform',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.eta = eta
        self.y_sim = y_sim
        self.y_dis = y_dis
        self.targets = targets
        self.units = units
        self.memory = memory
        self.sample = sample
        self.passes = passes
        self.sampler = sampler
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class Mahalanobis(Comparer, Learner):
    r"""Inverse covariance of the rows; nothing is learned.

    Use it for: correlated columns; a baseline. The learner `mahalanobis` of
    `akin train`; docs/reference/learners/mahalanobis.md explains it.

    Parameters
    ----------
    ridge : float, default=1.0
        Share of the mean variance that is added to each; 0 to 1000000000000.
    rank : int, default=0
        Dimensions kept of the learned space, by principal components; 0: all;
        0 to 1000000.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `minmax`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "mahalanobis"
    _options = {
        "ridge": "ridge",
        "rank": "rank",
    }

    def __init__(
        self,
        *,
        ridge=1.0,
        rank=0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.ridge = ridge
        self.rank = rank
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class PCA(Comparer, Learner):
    r"""Principal components of the rows; needs no examples.

    Use it for: many correlated columns, no labels; a baseline. The learner
    `pca` of `akin train`; docs/reference/learners/pca.md explains it.

    Parameters
    ----------
    rank : int, default=0
        Components kept; auto: as `variance` says, and 200 of sparse rows at
        most; 0 to 1000000.
    variance : float, default=0.95
        Share of the variance that the components keep; 0 to 1.
    whiten : float, default=0.0
        Power of its standard deviation that a component is divided by; 1:
        equal variances; 0 to 1.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-sqrt-idf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `auto`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "pca"
    _options = {
        "rank": "rank",
        "variance": "variance",
        "whiten": "whiten",
    }

    def __init__(
        self,
        *,
        rank=0,
        variance=0.95,
        whiten=0.0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rank = rank
        self.variance = variance
        self.whiten = whiten
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LDA(Comparer, FromLabels, Learner):
    r"""Directions that separate classes best, linearly.

    Use it for: labels and dense rows; fast, and hard to beat. The learner
    `lda` of `akin train`; docs/reference/learners/lda.md explains it.

    Parameters
    ----------
    rank : int, default=0
        Directions kept; auto: classes - 1; 0 to 1000000.
    shrinkage : float, default=-1.0
        Share of the diagonal in the covariance within classes; -1: by the rule
        of Ledoit and Wolf; -1 to 1.
    directions : Literal['weighted', 'equal'], default='weighted'
        Weighted: by the share that classes have in their variance: `weighted`,
        `equal`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-sqrt-idf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `auto`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "lda"
    _options = {
        "rank": "rank",
        "shrinkage": "shrinkage",
        "directions": "directions",
    }

    def __init__(
        self,
        *,
        rank=0,
        shrinkage=-1.0,
        directions='weighted',
        sample=0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rank = rank
        self.shrinkage = shrinkage
        self.directions = directions
        self.sample = sample
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class ITML(Comparer, FromLabels, FromPairs, Learner):
    r"""Metric close to a given one that separates pairs.

    Use it for: pairs or few labels, up to a thousand columns. The learner
    `itml` of `akin train`; docs/reference/learners/itml.md explains it.

    Parameters
    ----------
    gamma : float, default=0.3
        Weight of the distance targets against staying near the start; 1e-12 to
        1000000000000.
    near : float, default=0.0
        Upper bound on the squared distance of similar pairs; 0: the 5th
        percentile of all pairs; 0 to 1000000000000.
    far : float, default=0.0
        Lower bound on the squared distance of dissimilar pairs; 0: the 95th
        percentile of all pairs; 0 to 1000000000000.
    start : Literal['identity', 'covariance'], default='identity'
        The metric to stay near: the plain one, or mahalanobis: `identity`,
        `covariance`.
    solver : Literal['newton', 'cyclic'], default='newton'
        Newton's method, or projections one pair after the other: `newton`,
        `cyclic`.
    tol : float, default=1e-06
        Stopping tolerance: the Newton decrement, or the relative change of the
        multipliers in a sweep; 0 to 1.
    max_iterations : int, default=1000
        Maximum number of iterations or sweeps; 1 to 1000000000.
    rank : int, default=0
        Dimensions kept of the learned space, by principal components; 0: all;
        0 to 1000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `minmax`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "itml"
    _options = {
        "gamma": "gamma",
        "near": "near",
        "far": "far",
        "start": "start",
        "solver": "solver",
        "tol": "tol",
        "max_iterations": "max_iterations",
        "rank": "rank",
    }

    def __init__(
        self,
        *,
        gamma=0.3,
        near=0.0,
        far=0.0,
        start='identity',
        solver='newton',
        tol=1e-06,
        max_iterations=1000,
        rank=0,
        sample=0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.gamma = gamma
        self.near = near
        self.far = far
        self.start = start
        self.solver = solver
        self.tol = tol
        self.max_iterations = max_iterations
        self.rank = rank
        self.sample = sample
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class S3ML(Comparer, FromLabels, FromPairs, Learner):
    r"""Sparse metric from few pairs, spread to all rows.

    Use it for: few labels, many rows, up to a few thousand columns. The
    learner `s3ml` of `akin train`; docs/reference/learners/s3ml.md explains
    it.

    Parameters
    ----------
    beta : str | float, default='auto'
        Weight of the pairs; auto: a share of the largest that is safe: `auto`,
        number.
    rho : str | float, default='auto'
        Penalty for entries that are not 0; auto: a share of the mean entry of
        Sigma: `auto`, number.
    beta_share : float, default=0.7
        With beta auto, the share of the largest safe one; 1e-06 to 0.999999.
    rho_share : float, default=0.5
        With rho auto, the share of the mean off the diagonal; 0 to 1000000.
    start : Literal['identity', 'covariance'], default='identity'
        M0: the identity in the units of the rows, or the inverse covariance:
        `identity`, `covariance`.
    solver : Literal['auto', 'alm', 'quic', 'paper'], default='auto'
        The method; paper: as published, slow, without exact zeros: `auto`,
        `alm`, `quic`, `paper`.
    tol : float, default=1e-06
        Stops when the duality gap is below this; 1e-14 to 1000000.
    max_iterations : int, default=0
        Maximum number of iterations; 0: depends on the solver; 0 to
        1000000000.
    rank : int, default=0
        Dimensions kept of the learned space, by principal components; 0: all;
        0 to 1000000.
    neighbours : int, default=6
        Nearest rows that a row takes its pairs from; 1 to 1000000.
    alpha : float, default=0.5
        Share that comes from these neighbours in each step; 0 to 0.99.
    theta : float, default=0.01
        Affinities below this are dropped; 0: keep all; 0 to 1.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    pair_weights : Literal['balanced', 'printed'], default='balanced'
        Matching and other pairs have the same total weight (`balanced`), or
        every pair has the same weight (`printed`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `minmax`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "s3ml"
    _options = {
        "beta": "beta",
        "rho": "rho",
        "beta_share": "beta_share",
        "rho_share": "rho_share",
        "start": "start",
        "solver": "solver",
        "tol": "tol",
        "max_iterations": "max_iterations",
        "rank": "rank",
        "neighbours": "neighbours",
        "alpha": "alpha",
        "theta": "theta",
    }

    def __init__(
        self,
        *,
        beta='auto',
        rho='auto',
        beta_share=0.7,
        rho_share=0.5,
        start='identity',
        solver='auto',
        tol=1e-06,
        max_iterations=0,
        rank=0,
        neighbours=6,
        alpha=0.5,
        theta=0.01,
        sample=0,
        pair_weights='balanced',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.beta = beta
        self.rho = rho
        self.beta_share = beta_share
        self.rho_share = rho_share
        self.start = start
        self.solver = solver
        self.tol = tol
        self.max_iterations = max_iterations
        self.rank = rank
        self.neighbours = neighbours
        self.alpha = alpha
        self.theta = theta
        self.sample = sample
        self.pair_weights = pair_weights
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class S2ML(Comparer, FromLabels, FromPairs, Learner):
    r"""Sparse metric from pairs alone.

    Use it for: pairs or few labels, up to a few thousand columns. The learner
    `s2ml` of `akin train`; docs/reference/learners/s2ml.md explains it.

    Parameters
    ----------
    beta : str | float, default='auto'
        Weight of the pairs; auto: a share of the largest that is safe: `auto`,
        number.
    rho : str | float, default='auto'
        Penalty for entries that are not 0; auto: a share of the mean entry of
        Sigma: `auto`, number.
    beta_share : float, default=0.7
        With beta auto, the share of the largest safe one; 1e-06 to 0.999999.
    rho_share : float, default=0.5
        With rho auto, the share of the mean off the diagonal; 0 to 1000000.
    start : Literal['identity', 'covariance'], default='identity'
        M0: the identity in the units of the rows, or the inverse covariance:
        `identity`, `covariance`.
    solver : Literal['auto', 'alm', 'quic', 'paper'], default='auto'
        The method; paper: as published, slow, without exact zeros: `auto`,
        `alm`, `quic`, `paper`.
    tol : float, default=1e-06
        Stops when the duality gap is below this; 1e-14 to 1000000.
    max_iterations : int, default=0
        Maximum number of iterations; 0: depends on the solver; 0 to
        1000000000.
    rank : int, default=0
        Dimensions kept of the learned space, by principal components; 0: all;
        0 to 1000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    pair_weights : Literal['balanced', 'printed'], default='balanced'
        Matching and other pairs have the same total weight (`balanced`), or
        every pair has the same weight (`printed`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `minmax`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "s2ml"
    _options = {
        "beta": "beta",
        "rho": "rho",
        "beta_share": "beta_share",
        "rho_share": "rho_share",
        "start": "start",
        "solver": "solver",
        "tol": "tol",
        "max_iterations": "max_iterations",
        "rank": "rank",
    }

    def __init__(
        self,
        *,
        beta='auto',
        rho='auto',
        beta_share=0.7,
        rho_share=0.5,
        start='identity',
        solver='auto',
        tol=1e-06,
        max_iterations=0,
        rank=0,
        sample=0,
        pair_weights='balanced',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.beta = beta
        self.rho = rho
        self.beta_share = beta_share
        self.rho_share = rho_share
        self.start = start
        self.solver = solver
        self.tol = tol
        self.max_iterations = max_iterations
        self.rank = rank
        self.sample = sample
        self.pair_weights = pair_weights
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SDML(Comparer, FromLabels, FromPairs, Learner):
    r"""Sparse metric from pairs, diagonal not penalised.

    Use it for: like s2ml; a baseline. The learner `sdml` of `akin train`;
    docs/reference/learners/sdml.md explains it.

    Parameters
    ----------
    beta : str | float, default='auto'
        Weight of the pairs; auto: a share of the largest that is safe: `auto`,
        number.
    rho : str | float, default='auto'
        Penalty for entries that are not 0; auto: a share of the mean entry of
        Sigma: `auto`, number.
    beta_share : float, default=0.7
        With beta auto, the share of the largest safe one; 1e-06 to 0.999999.
    rho_share : float, default=0.5
        With rho auto, the share of the mean off the diagonal; 0 to 1000000.
    start : Literal['identity', 'covariance'], default='identity'
        M0: the identity in the units of the rows, or the inverse covariance:
        `identity`, `covariance`.
    solver : Literal['auto', 'alm', 'quic', 'paper'], default='auto'
        The method; paper: as published, slow, without exact zeros: `auto`,
        `alm`, `quic`, `paper`.
    tol : float, default=1e-06
        Stops when the duality gap is below this; 1e-14 to 1000000.
    max_iterations : int, default=0
        Maximum number of iterations; 0: depends on the solver; 0 to
        1000000000.
    rank : int, default=0
        Dimensions kept of the learned space, by principal components; 0: all;
        0 to 1000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    pair_weights : Literal['balanced', 'printed'], default='balanced'
        Matching and other pairs have the same total weight (`balanced`), or
        every pair has the same weight (`printed`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `minmax`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "sdml"
    _options = {
        "beta": "beta",
        "rho": "rho",
        "beta_share": "beta_share",
        "rho_share": "rho_share",
        "start": "start",
        "solver": "solver",
        "tol": "tol",
        "max_iterations": "max_iterations",
        "rank": "rank",
    }

    def __init__(
        self,
        *,
        beta='auto',
        rho='auto',
        beta_share=0.7,
        rho_share=0.5,
        start='identity',
        solver='auto',
        tol=1e-06,
        max_iterations=0,
        rank=0,
        sample=0,
        pair_weights='balanced',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.beta = beta
        self.rho = rho
        self.beta_share = beta_share
        self.rho_share = rho_share
        self.start = start
        self.solver = solver
        self.tol = tol
        self.max_iterations = max_iterations
        self.rank = rank
        self.sample = sample
        self.pair_weights = pair_weights
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LMNN(Comparer, FromLabels, FromPairs, FromTriplets, Learner):
    r"""Large-margin metric for nearest neighbours.

    Use it for: many labelled rows; nearest-neighbour classes. The learner
    `lmnn` of `akin train`; docs/reference/learners/lmnn.md explains it.

    Parameters
    ----------
    mu : float, default=0.5
        Weight of the margins; 1 - mu weighs the distances to targets; 0 to 1.
    lambda_ : float, default=3.0
        Weight of staying near the Euclidean distance; 0 to 1000000000000.
    k : int, default=3
        With labels: target neighbours of a row, from its class; 1 to 1000.
    tol : float, default=1e-05
        Stops when ten iterations improve the objective by less than this
        fraction; 0 to 1.
    max_iterations : int, default=500
        Maximum number of iterations; 1 to 1000000000.
    rank : int, default=0
        Dimensions of the learned space; 0: as many as columns; 0 to 1000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `minmax`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "lmnn"
    _options = {
        "mu": "mu",
        "lambda_": "lambda",
        "k": "k",
        "tol": "tol",
        "max_iterations": "max_iterations",
        "rank": "rank",
    }

    def __init__(
        self,
        *,
        mu=0.5,
        lambda_=3.0,
        k=3,
        tol=1e-05,
        max_iterations=500,
        rank=0,
        sample=0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.mu = mu
        self.lambda_ = lambda_
        self.k = k
        self.tol = tol
        self.max_iterations = max_iterations
        self.rank = rank
        self.sample = sample
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class NCA(Comparer, FromLabels, Learner):
    r"""Transform in which neighbours share a label.

    Use it for: up to some thousand labelled rows; also for plots. The learner
    `nca` of `akin train`; docs/reference/learners/nca.md explains it.

    Parameters
    ----------
    lambda_ : float, default=0.0
        L2 penalty on the transform; 0 to 1000000000000.
    tol : float, default=1e-05
        Stops when ten iterations improve the objective by less than this
        fraction; 0 to 1.
    max_iterations : int, default=200
        Maximum number of iterations; few keep it near the start; 1 to
        1000000000.
    rank : int, default=0
        Dimensions of the learned space; 0: as many as columns; 0 to 1000000.
    start : Literal['auto', 'lda', 'identity'], default='auto'
        Lda: the directions of lda, as many as it has; auto: lda where these
        fill the learned space or rows are few, else identity, lengthened where
        the rows are close together: `auto`, `lda`, `identity`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `minmax`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "nca"
    _options = {
        "lambda_": "lambda",
        "tol": "tol",
        "max_iterations": "max_iterations",
        "rank": "rank",
        "start": "start",
    }

    def __init__(
        self,
        *,
        lambda_=0.0,
        tol=1e-05,
        max_iterations=200,
        rank=0,
        start='auto',
        sample=0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.lambda_ = lambda_
        self.tol = tol
        self.max_iterations = max_iterations
        self.rank = rank
        self.start = start
        self.sample = sample
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LRML(Comparer, FromLabels, FromPairs, Learner):
    r"""Metric from pairs and neighbours, closed form.

    Use it for: few labelled rows or pairs, many unlabelled rows. The learner
    `lrml` of `akin train`; docs/reference/learners/lrml.md explains it.

    Parameters
    ----------
    k : int, default=6
        Neighbours of a row; 1 to 1000000.
    gamma_s : float, default=1.0
        Weight of similar pairs against neighbours; 0 to 1000000000000.
    gamma_d : float, default=0.0
        Weight of dissimilar pairs; 0: a share of the largest safe one; 0 to
        1000000000000.
    share : float, default=0.9
        Share of the largest safe gamma_d that is used where gamma_d is 0; 0 to
        0.999999.
    ridge : float, default=0.0
        Ridge added to the diagonal; 0 to 1000000000000.
    rank : int, default=0
        Dimensions kept of the learned space, by principal components; 0: all;
        0 to 1000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `minmax`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "lrml"
    _options = {
        "k": "k",
        "gamma_s": "gamma_s",
        "gamma_d": "gamma_d",
        "share": "share",
        "ridge": "ridge",
        "rank": "rank",
    }

    def __init__(
        self,
        *,
        k=6,
        gamma_s=1.0,
        gamma_d=0.0,
        share=0.9,
        ridge=0.0,
        rank=0,
        sample=0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.k = k
        self.gamma_s = gamma_s
        self.gamma_d = gamma_d
        self.share = share
        self.ridge = ridge
        self.rank = rank
        self.sample = sample
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class Perceptron(Ranker, FromLabels, Online, Learner):
    r"""Ranks labels by a full matrix, learned online.

    Use it for: ranking labels, few enough for a full matrix. The learner
    `perceptron` of `akin train`; docs/reference/learners/perceptron.md
    explains it.

    Parameters
    ----------
    eta : float, default=0.0
        Step size; 0 = auto (0.1, and 0.3 in relative units); 0 to 1000000.
    ybar : Literal['count', 'one'], default='count'
        Push the best wrong label down once per violation, or once per row, as
        the paper prints: `count`, `one`.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Steps relative to the squared length of the rows, or as published;
        auto: relative for dense rows: `auto`, `relative`, `absolute`.
    constant : Literal['auto', 'none', 'one'], default='auto'
        A constant column beside those of the rows; auto: for dense rows:
        `auto`, `none`, `one`.
    average : Literal['auto', 'none', 'all'], default='auto'
        The matrix as it is at the end, or the mean of all that were before;
        auto: all for dense rows: `auto`, `none`, `all`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `auto`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `auto`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "perceptron"
    _options = {
        "eta": "eta",
        "ybar": "ybar",
        "units": "units",
        "constant": "constant",
        "average": "average",
    }

    def __init__(
        self,
        *,
        eta=0.0,
        ybar='count',
        units='auto',
        constant='auto',
        average='auto',
        sample=0,
        passes=0,
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.eta = eta
        self.ybar = ybar
        self.units = units
        self.constant = constant
        self.average = average
        self.sample = sample
        self.passes = passes
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class GroupPerceptron(Ranker, FromLabels, Online, Learner):
    r"""Ranks labels by a full matrix that uses few features.

    Use it for: ranking labels when few of the features matter. The learner
    `group-perceptron` of `akin train`;
    docs/reference/learners/group-perceptron.md explains it.

    Parameters
    ----------
    eta : float, default=3.0
        Step size; 1e-12 to 1000000.
    exponent : float, default=0.0
        Exponent of the norms of columns, 2 or more (2: the plain perceptron);
        0 = the logarithm of the dimension; 0 to 1000.
    ybar : Literal['count', 'one'], default='count'
        Push the best wrong label down once per violation, or once per row, as
        the paper prints: `count`, `one`.
    units : Literal['auto', 'relative', 'absolute'], default='auto'
        Steps relative to the squared length of the rows, or as published;
        auto: relative for dense rows: `auto`, `relative`, `absolute`.
    constant : Literal['auto', 'none', 'one'], default='auto'
        A constant column beside those of the rows; auto: for dense rows:
        `auto`, `none`, `one`.
    average : Literal['auto', 'none', 'all'], default='auto'
        The matrix as it is at the end, or the mean of all that were before;
        auto: all for dense rows: `auto`, `none`, `all`.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    passes : int, default=0
        Passes over the examples. 0: 1 for given examples, for a `sample` and
        for `partial_fit`, else as many as lower the loss, at most 30.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `auto`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `auto`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "group-perceptron"
    _options = {
        "eta": "eta",
        "exponent": "exponent",
        "ybar": "ybar",
        "units": "units",
        "constant": "constant",
        "average": "average",
    }

    def __init__(
        self,
        *,
        eta=3.0,
        exponent=0.0,
        ybar='count',
        units='auto',
        constant='auto',
        average='auto',
        sample=0,
        passes=0,
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.eta = eta
        self.exponent = exponent
        self.ybar = ybar
        self.units = units
        self.constant = constant
        self.average = average
        self.sample = sample
        self.passes = passes
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class Logistic(Ranker, Comparer, FromLabels, Learner):
    r"""Probabilities of labels, which rows are compared by.

    Use it for: labels, dense rows or documents; names labels, too. The learner
    `logistic` of `akin train`; docs/reference/learners/logistic.md explains
    it.

    Parameters
    ----------
    lambda_ : float, default=0.1
        Strength of the L2 penalty, relative to the variance of the rows; 0 to
        1000000000000.
    sharpness : float, default=2.0
        Rows are compared by this power of their probabilities; 0.001 to 1000.
    tol : float, default=0.001
        Stops when the gradient is this fraction of that at the start; 0 to 1.
    max_iterations : int, default=1000
        Maximum number of iterations; 1 to 1000000000.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-sqrt-idf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `auto`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "logistic"
    _right = True
    _options = {
        "lambda_": "lambda",
        "sharpness": "sharpness",
        "tol": "tol",
        "max_iterations": "max_iterations",
    }

    def __init__(
        self,
        *,
        lambda_=0.1,
        sharpness=2.0,
        tol=0.001,
        max_iterations=1000,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.lambda_ = lambda_
        self.sharpness = sharpness
        self.tol = tol
        self.max_iterations = max_iterations
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KernelRidge(Ranker, Comparer, FromLabels, Learner):
    r"""Probabilities of labels by the labelled rows around.

    Use it for: labels, dense rows, classes of any shape; names labels, too.
    The learner `kernel-ridge` of `akin train`;
    docs/reference/learners/kernel-ridge.md explains it.

    Parameters
    ----------
    kernel : Literal['laplacian', 'rbf'], default='laplacian'
        Falls with the distance of rows, or with its square: `laplacian`,
        `rbf`.
    narrow : float, default=1.0
        How narrow the kernel is, relative to the median distance; 1e-06 to
        1000000.
    lambda_ : float, default=0.1
        Strength of the penalty; 1e-09 to 1000000000.
    support : int, default=0
        Rows that the model keeps; 0: all, at most 2000; 0 to 20000.
    sharpness : float, default=1.0
        Rows are compared by this power of their probabilities; 0.001 to 1000.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-sqrt-idf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `auto`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "kernel-ridge"
    _options = {
        "kernel": "kernel",
        "narrow": "narrow",
        "lambda_": "lambda",
        "support": "support",
        "sharpness": "sharpness",
    }

    def __init__(
        self,
        *,
        kernel='laplacian',
        narrow=1.0,
        lambda_=0.1,
        support=0,
        sharpness=1.0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.kernel = kernel
        self.narrow = narrow
        self.lambda_ = lambda_
        self.support = support
        self.sharpness = sharpness
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class Blend(Ranker, Comparer, FromLabels, Learner):
    r"""Logistic regression and lda in one, by labels or as a distance.

    Use it for: few labels, dense rows: steadier than either of the two. The
    learner `blend` of `akin train`; docs/reference/learners/blend.md explains
    it.

    Parameters
    ----------
    with_ : Literal['classes', 'whitened', 'lda', 'rows'], default='classes'
        Classes: labels by Gaussian classes; else a distance: of whitened rows,
        of lda, or of lda and the rows: `classes`, `whitened`, `lda`, `rows`.
    share : float, default=0.5
        Of logistic regression in the blend; 0 to 1.
    lambda_ : float, default=0.01
        Strength of its penalty, as that of logistic; 0 to 1000000000000.
    shrinkage : float, default=-1.0
        Of the covariance within classes towards a multiple of the identity;
        -1: by the rule of Ledoit and Wolf; -1 to 1.
    sharpness : float, default=2.0
        Rows are compared by this power of their probabilities; 0.001 to 1000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own,
        `auto-sqrt-idf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `auto`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "blend"
    _options = {
        "with_": "with",
        "share": "share",
        "lambda_": "lambda",
        "shrinkage": "shrinkage",
        "sharpness": "sharpness",
    }

    def __init__(
        self,
        *,
        with_='classes',
        share=0.5,
        lambda_=0.01,
        shrinkage=-1.0,
        sharpness=2.0,
        sample=0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.with_ = with_
        self.share = share
        self.lambda_ = lambda_
        self.shrinkage = shrinkage
        self.sharpness = sharpness
        self.sample = sample
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class CCA(Comparer, FromLabels, FromPairs, Learner):
    r"""Directions of two kinds of rows that correlate most.

    Use it for: matching pairs of two kinds of rows. The learner `cca` of `akin
    train`; docs/reference/learners/cca.md explains it.

    Parameters
    ----------
    rank : int, default=0
        Maximum number of directions to keep; auto: 10 from a list of pairs,
        all that correlate from labels; 0 to 1000000.
    reg : float, default=-1.0
        Ridge on both covariances, as a multiple of their mean variance; -1: by
        the rule of Ledoit and Wolf; -1 to 1000000.
    power : float, default=1.0
        Directions are weighted by this power of their correlation; 0 to 10.
    blend : float, default=-1.0
        Weight of the cosine of the rows themselves beside the learned score,
        where both sides have the same columns; -1: for rows of one kind what
        does best on held-out examples; -1 to 1000000.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `global`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, yes.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "cca"
    _right = True
    _options = {
        "rank": "rank",
        "reg": "reg",
        "power": "power",
        "blend": "blend",
    }

    def __init__(
        self,
        *,
        rank=0,
        reg=-1.0,
        power=1.0,
        blend=-1.0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rank = rank
        self.reg = reg
        self.power = power
        self.blend = blend
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class ARCT(Comparer, FromLabels, FromPairs, Learner):
    r"""Similarity of full rank between two kinds of rows.

    Use it for: few rows of two kinds; a convex baseline. The learner `arc-t`
    of `akin train`; docs/reference/learners/arc-t.md explains it.

    Parameters
    ----------
    C : float, default=100.0
        Weight of the pairs against the norm of the matrix; 1e-09 to
        1000000000000.
    lower : float, default=1.0
        Least similarity wanted of a matching pair; -1000000000000 to
        1000000000000.
    upper : float, default=-1.0
        Largest similarity wanted of a pair that does not match; -1000000000000
        to 1000000000000.
    rank : int, default=0
        Directions kept of the result; 0: all; 0 to 1000000.
    blend : float, default=-1.0
        Weight of the cosine of the rows themselves beside the learned score,
        where both sides have the same columns; -1: for rows of one kind what
        does best on held-out examples; -1 to 1000000.
    tol : float, default=1e-06
        Stop when the gradient falls below this share of the first one; 0 to 1.
    max_iterations : int, default=300
        Maximum number of iterations; 1 to 1000000000.
    kernel : Literal['none', 'linear', 'rbf', 'laplacian', 'poly', 'chi2', 'intersection', 'precomputed'], default='none'
        Learn in the space of a kernel; precomputed: the rows are a kernel
        matrix: `none`, `linear`, `rbf`, `laplacian`, `poly`, `chi2`,
        `intersection`, `precomputed`.
    gamma : float, default=0.0
        Scale of rbf, laplacian, chi2 and poly; 0: from the median distance or
        the mean square length; 0 to 1000000000000.
    coef : float, default=1.0
        Constant of poly; -1000000000000 to 1000000000000.
    degree : int, default=3
        Degree of poly; 1 to 100.
    support : int, default=0
        Support rows of a kernel; 0: all, at most 4000; 0 to 1000000.
    kernel_right : Literal['same', 'none', 'linear', 'rbf', 'laplacian', 'poly', 'chi2', 'intersection', 'precomputed'], default='same'
        Kernel of the right side, if another: `same`, `none`, `linear`, `rbf`,
        `laplacian`, `poly`, `chi2`, `intersection`, `precomputed`.
    origin : Literal['mean', 'zero'], default='mean'
        In the space of a kernel, rows are centred or as they are: `mean`,
        `zero`.
    length : Literal['one', 'given'], default='one'
        In the space of a kernel, rows are scaled to a mean square length of 1,
        or not: `one`, `given`.
    pair_weights : Literal['balanced', 'printed'], default='balanced'
        Matching and other pairs have the same total weight (`balanced`), or
        every pair has the same weight (`printed`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `global`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, yes.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "arc-t"
    _right = True
    _options = {
        "C": "C",
        "lower": "lower",
        "upper": "upper",
        "rank": "rank",
        "blend": "blend",
        "tol": "tol",
        "max_iterations": "max_iterations",
        "kernel": "kernel",
        "gamma": "gamma",
        "coef": "coef",
        "degree": "degree",
        "support": "support",
        "kernel_right": "kernel_right",
        "origin": "origin",
        "length": "length",
    }

    def __init__(
        self,
        *,
        C=100.0,
        lower=1.0,
        upper=-1.0,
        rank=0,
        blend=-1.0,
        tol=1e-06,
        max_iterations=300,
        kernel='none',
        gamma=0.0,
        coef=1.0,
        degree=3,
        support=0,
        kernel_right='same',
        origin='mean',
        length='one',
        pair_weights='balanced',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.C = C
        self.lower = lower
        self.upper = upper
        self.rank = rank
        self.blend = blend
        self.tol = tol
        self.max_iterations = max_iterations
        self.kernel = kernel
        self.gamma = gamma
        self.coef = coef
        self.degree = degree
        self.support = support
        self.kernel_right = kernel_right
        self.origin = origin
        self.length = length
        self.pair_weights = pair_weights
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class Symm(Comparer, FromLabels, FromPairs, Learner):
    r"""One metric for two kinds of rows of the same columns.

    Use it for: two sources with the same columns; also new classes. The
    learner `symm` of `akin train`; docs/reference/learners/symm.md explains
    it.

    Parameters
    ----------
    gamma : float, default=0.01
        Weight of the target distances against staying near the identity; 1e-12
        to 1000000000000.
    tol : float, default=1e-06
        Stop when the Newton decrement falls below this; 0 to 1.
    max_iterations : int, default=200
        Maximum number of iterations; 1 to 1000000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto-minmax`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `global`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, yes.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "symm"
    _right = True
    _options = {
        "gamma": "gamma",
        "tol": "tol",
        "max_iterations": "max_iterations",
    }

    def __init__(
        self,
        *,
        gamma=0.01,
        tol=1e-06,
        max_iterations=200,
        sample=0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.gamma = gamma
        self.tol = tol
        self.max_iterations = max_iterations
        self.sample = sample
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SVMT(Ranker, FromLabels, Learner):
    r"""A support vector machine for each label.

    Use it for: labels on one side only; a baseline for two-sided learners. The
    learner `svm-t` of `akin train`; docs/reference/learners/svm-t.md explains
    it.

    Parameters
    ----------
    C : float, default=10.0
        Weight of the losses against the norm of the weights; 1e-09 to
        1000000000.
    bias : float, default=1.0
        Number that stands after every row, for an offset of each label; 0: no
        offset; 0 to 1000000.
    loss : Literal['hinge', 'hinge2'], default='hinge2'
        Of a margin z: max(0, 1 - z), or its square: `hinge`, `hinge2`.
    tol : float, default=1e-06
        Stop when no optimality condition is violated by more; 0 to 1.
    max_sweeps : int, default=10000
        Maximum number of sweeps; 1 to 1000000000.
    kernel : Literal['none', 'linear', 'rbf', 'laplacian', 'poly', 'chi2', 'intersection', 'precomputed'], default='none'
        Learn in the space of a kernel; precomputed: the rows are a kernel
        matrix: `none`, `linear`, `rbf`, `laplacian`, `poly`, `chi2`,
        `intersection`, `precomputed`.
    gamma : float, default=0.0
        Scale of rbf, laplacian, chi2 and poly; 0: from the median distance or
        the mean square length; 0 to 1000000000000.
    coef : float, default=1.0
        Constant of poly; -1000000000000 to 1000000000000.
    degree : int, default=3
        Degree of poly; 1 to 100.
    support : int, default=0
        Support rows of a kernel; 0: all, at most 4000; 0 to 1000000.
    origin : Literal['mean', 'zero'], default='mean'
        In the space of a kernel, rows are centred or as they are: `mean`,
        `zero`.
    length : Literal['one', 'given'], default='one'
        In the space of a kernel, rows are scaled to a mean square length of 1,
        or not: `one`, `given`.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `global`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, yes.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "svm-t"
    _options = {
        "C": "C",
        "bias": "bias",
        "loss": "loss",
        "tol": "tol",
        "max_sweeps": "max_sweeps",
        "kernel": "kernel",
        "gamma": "gamma",
        "coef": "coef",
        "degree": "degree",
        "support": "support",
        "origin": "origin",
        "length": "length",
    }

    def __init__(
        self,
        *,
        C=10.0,
        bias=1.0,
        loss='hinge2',
        tol=1e-06,
        max_sweeps=10000,
        kernel='none',
        gamma=0.0,
        coef=1.0,
        degree=3,
        support=0,
        origin='mean',
        length='one',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.C = C
        self.bias = bias
        self.loss = loss
        self.tol = tol
        self.max_sweeps = max_sweeps
        self.kernel = kernel
        self.gamma = gamma
        self.coef = coef
        self.degree = degree
        self.support = support
        self.origin = origin
        self.length = length
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class HFA(Ranker, FromLabels, Learner):
    r"""Support vector machines helped by rows of another kind.

    Use it for: few labels of the target (right rows), more of a source. The
    learner `hfa` of `akin train`; docs/reference/learners/hfa.md explains it.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the losses against the norm of the weights; 1e-09 to
        1000000000.
    lambda_ : float, default=100.0
        Largest trace of the transform that labels share; 0 to 1000000000.
    loss : Literal['hinge', 'hinge2'], default='hinge'
        Of a margin z: max(0, 1 - z), or its square: `hinge`, `hinge2`.
    tol : float, default=0.001
        Stop when the duality gap falls below this share of the objective; 0 to
        1.
    max_iterations : int, default=200
        Maximum number of iterations; 1 to 1000000000.
    max_sweeps : int, default=1000
        Maximum number of sweeps of a machine in each iteration; 1 to
        1000000000.
    kernel : Literal['none', 'linear', 'rbf', 'laplacian', 'poly', 'chi2', 'intersection', 'precomputed'], default='none'
        Learn in the space of a kernel; precomputed: the rows are a kernel
        matrix: `none`, `linear`, `rbf`, `laplacian`, `poly`, `chi2`,
        `intersection`, `precomputed`.
    gamma : float, default=0.0
        Scale of rbf, laplacian, chi2 and poly; 0: from the median distance or
        the mean square length; 0 to 1000000000000.
    coef : float, default=1.0
        Constant of poly; -1000000000000 to 1000000000000.
    degree : int, default=3
        Degree of poly; 1 to 100.
    support : int, default=0
        Support rows of a kernel; 0: all, at most 4000; 0 to 1000000.
    kernel_right : Literal['same', 'none', 'linear', 'rbf', 'laplacian', 'poly', 'chi2', 'intersection', 'precomputed'], default='same'
        Kernel of the right side, if another: `same`, `none`, `linear`, `rbf`,
        `laplacian`, `poly`, `chi2`, `intersection`, `precomputed`.
    origin : Literal['mean', 'zero'], default='mean'
        In the space of a kernel, rows are centred or as they are: `mean`,
        `zero`.
    length : Literal['one', 'given'], default='one'
        In the space of a kernel, rows are scaled to a mean square length of 1,
        or not: `one`, `given`.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `global`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, yes.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "hfa"
    _right = True
    _right_alone = True
    _options = {
        "C": "C",
        "lambda_": "lambda",
        "loss": "loss",
        "tol": "tol",
        "max_iterations": "max_iterations",
        "max_sweeps": "max_sweeps",
        "kernel": "kernel",
        "gamma": "gamma",
        "coef": "coef",
        "degree": "degree",
        "support": "support",
        "kernel_right": "kernel_right",
        "origin": "origin",
        "length": "length",
    }

    def __init__(
        self,
        *,
        C=1.0,
        lambda_=100.0,
        loss='hinge',
        tol=0.001,
        max_iterations=200,
        max_sweeps=1000,
        kernel='none',
        gamma=0.0,
        coef=1.0,
        degree=3,
        support=0,
        kernel_right='same',
        origin='mean',
        length='one',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.C = C
        self.lambda_ = lambda_
        self.loss = loss
        self.tol = tol
        self.max_iterations = max_iterations
        self.max_sweeps = max_sweeps
        self.kernel = kernel
        self.gamma = gamma
        self.coef = coef
        self.degree = degree
        self.support = support
        self.kernel_right = kernel_right
        self.origin = origin
        self.length = length
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class RSL(Comparer, FromLabels, FromPairs, Learner):
    r"""Similarity of fixed rank between two kinds of rows.

    Use it for: rows of two kinds, or pairs that match and do not. The learner
    `rsl` of `akin train`; docs/reference/learners/rsl.md explains it.

    Parameters
    ----------
    rank : int, default=0
        Rank of the similarity; 0: the number of classes, or 10; 0 to 1000000.
    lambda_ : float, default=1e-05
        Weight of the squared norm against the loss; 0 to 1000000000000.
    loss : Literal['log', 'hinge2', 'ridge'], default='log'
        Log(1 + e^-yf), max(0, 1 - yf)^2 or (f - y)^2: `log`, `hinge2`,
        `ridge`.
    loss_scale : Literal['mean', 'sum'], default='mean'
        The loss is the mean over the pairs, or their sum: `mean`, `sum`.
    reg : Literal['sq', 'fro'], default='sq'
        Half the squared norm, or the norm as published: `sq`, `fro`.
    hessian : Literal['exact', 'fd'], default='exact'
        Exact, or by differences of gradients as published: `exact`, `fd`.
    origin : Literal['classes', 'mean', 'zero'], default='classes'
        Classes: rows are centred at the mean of the class means (sparse rows
        stay sparse), pairs as mean; mean: at the mean; zero: as they are:
        `classes`, `mean`, `zero`.
    length : Literal['one', 'given'], default='one'
        One: rows are scaled to a mean square length of 1; given: not scaled:
        `one`, `given`.
    start : Literal['spectral', 'random'], default='spectral'
        The first start; further ones are random: `spectral`, `random`.
    starts : int, default=1
        Number of starts; the best result is kept; 1 to 1000000.
    tol : float, default=1e-06
        Stop when the gradient falls below this share of the first one; 0 to 1.
    max_iterations : int, default=1000
        Maximum number of iterations of each start; 0 to 1000000000.
    prototypes : int, default=1
        1: after learning from labels, compare rows by the shares of the class
        means in them (up to 256 classes); 0 to 1.
    blend : float, default=-1.0
        Weight of the cosine of the rows themselves beside the learned score,
        where both sides have the same columns; -1: for rows of one kind what
        does best on held-out examples; -1 to 1000000.
    kernel : Literal['auto', 'none', 'linear', 'rbf', 'laplacian', 'poly', 'chi2', 'intersection', 'precomputed'], default='auto'
        Learn in the space of a kernel; precomputed: the rows are a kernel
        matrix; auto: rbf for up to 4000 dense rows with labels, on at most
        1000 support rows, else none: `auto`, `none`, `linear`, `rbf`,
        `laplacian`, `poly`, `chi2`, `intersection`, `precomputed`.
    gamma : float, default=0.0
        Scale of rbf, laplacian, chi2 and poly; 0: from the median distance or
        the mean square length; 0 to 1000000000000.
    coef : float, default=1.0
        Constant of poly; -1000000000000 to 1000000000000.
    degree : int, default=3
        Degree of poly; 1 to 100.
    support : int, default=0
        Support rows of a kernel; 0: all, at most 4000; 0 to 1000000.
    kernel_right : Literal['same', 'none', 'linear', 'rbf', 'laplacian', 'poly', 'chi2', 'intersection', 'precomputed'], default='same'
        Kernel of the right side, if another: `same`, `none`, `linear`, `rbf`,
        `laplacian`, `poly`, `chi2`, `intersection`, `precomputed`.
    check_derivatives : int, default=0
        1: first check the derivatives against finite differences; 0 to 1.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    pair_weights : Literal['balanced', 'printed'], default='balanced'
        Matching and other pairs have the same total weight (`balanced`), or
        every pair has the same weight (`printed`).
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `auto-minmax`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "rsl"
    _right = True
    _options = {
        "rank": "rank",
        "lambda_": "lambda",
        "loss": "loss",
        "loss_scale": "loss_scale",
        "reg": "reg",
        "hessian": "hessian",
        "origin": "origin",
        "length": "length",
        "start": "start",
        "starts": "starts",
        "tol": "tol",
        "max_iterations": "max_iterations",
        "prototypes": "prototypes",
        "blend": "blend",
        "kernel": "kernel",
        "gamma": "gamma",
        "coef": "coef",
        "degree": "degree",
        "support": "support",
        "kernel_right": "kernel_right",
        "check_derivatives": "check_derivatives",
    }

    def __init__(
        self,
        *,
        rank=0,
        lambda_=1e-05,
        loss='log',
        loss_scale='mean',
        reg='sq',
        hessian='exact',
        origin='classes',
        length='one',
        start='spectral',
        starts=1,
        tol=1e-06,
        max_iterations=1000,
        prototypes=1,
        blend=-1.0,
        kernel='auto',
        gamma=0.0,
        coef=1.0,
        degree=3,
        support=0,
        kernel_right='same',
        check_derivatives=0,
        sample=0,
        pair_weights='balanced',
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rank = rank
        self.lambda_ = lambda_
        self.loss = loss
        self.loss_scale = loss_scale
        self.reg = reg
        self.hessian = hessian
        self.origin = origin
        self.length = length
        self.start = start
        self.starts = starts
        self.tol = tol
        self.max_iterations = max_iterations
        self.prototypes = prototypes
        self.blend = blend
        self.kernel = kernel
        self.gamma = gamma
        self.coef = coef
        self.degree = degree
        self.support = support
        self.kernel_right = kernel_right
        self.check_derivatives = check_derivatives
        self.sample = sample
        self.pair_weights = pair_weights
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class TFIDF(Comparer, Learner):
    r"""Rare words count more; nothing is learned.

    Use it for: no supervision yet; the baseline for all learners. The learner
    `tfidf` of `akin train`; docs/reference/learners/tfidf.md explains it.

    Parameters
    ----------
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `tfidf`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `none`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `l2`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "tfidf"
    _counts = True
    _options = {}

    def __init__(
        self,
        *,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class ASML(Comparer, FromCaptions, Learner):
    r"""A metric from candidate names, by margins.

    Use it for: captioned photos; distances between any faces. The learner
    `asml` of `akin train`; docs/reference/learners/asml.md explains it.

    Parameters
    ----------
    sigma : float, default=0.01
        Pull towards the plain distance; 1e-12 to 1000000000000.
    outer : int, default=5
        Rounds, each with the labels that fit best; 1 to 1000000.
    epochs : int, default=4
        Passes over the photos in a round; 1 to 1000000.
    batch : int, default=100
        Photos a step; 0: all; 0 to 1000000000.
    eps : float, default=0.0001
        Change of the metric in a round that ends it; 0 to 1.
    rank : int, default=0
        Dimensions kept of the learned space, by principal components; 0: all;
        0 to 1000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `su`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "asml"
    _options = {
        "sigma": "sigma",
        "outer": "outer",
        "epochs": "epochs",
        "batch": "batch",
        "eps": "eps",
        "rank": "rank",
    }

    def __init__(
        self,
        *,
        sigma=0.01,
        outer=5,
        epochs=4,
        batch=100,
        eps=0.0001,
        rank=0,
        sample=0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.sigma = sigma
        self.outer = outer
        self.epochs = epochs
        self.batch = batch
        self.eps = eps
        self.rank = rank
        self.sample = sample
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class MMS(Ranker, FromCaptions, Learner):
    r"""A linear score for each name, by margins.

    Use it for: captioned photos; names faces that come later. The learner
    `mms` of `akin train`; docs/reference/learners/mms.md explains it.

    Parameters
    ----------
    sigma : float, default=0.01
        Pull of the weights towards zero; 1e-12 to 1000000000000.
    outer : int, default=5
        Rounds, each with the labels that fit best; 1 to 1000000.
    epochs : int, default=4
        Passes over the photos in a round; 1 to 1000000.
    batch : int, default=20
        Photos a step; 0: all; 0 to 1000000000.
    eps : float, default=0.0001
        Change of the weights in a round that ends it; 0 to 1.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `su`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "mms"
    _options = {
        "sigma": "sigma",
        "outer": "outer",
        "epochs": "epochs",
        "batch": "batch",
        "eps": "eps",
    }

    def __init__(
        self,
        *,
        sigma=0.01,
        outer=5,
        epochs=4,
        batch=20,
        eps=0.0001,
        sample=0,
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.sigma = sigma
        self.outer = outer
        self.epochs = epochs
        self.batch = batch
        self.eps = eps
        self.sample = sample
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class MILDML(Comparer, FromCaptions, Learner):
    r"""A metric from photos that share a name.

    Use it for: captioned photos with few faces and reliable captions. The
    learner `mildml` of `akin train`; docs/reference/learners/mildml.md
    explains it.

    Parameters
    ----------
    rank : int, default=64
        Dimensions of the learned space; 1 to 1000000.
    tol : float, default=0.01
        Stops when ten iterations improve the objective by less than this
        fraction; 0 to 1.
    iterations : int, default=200
        Maximum number of iterations; 1 to 1000000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    compare : Literal['auto', 'dot', 'cosine', 'distance'], default='auto'
        How the model compares rows; `auto`: what does best on held-out
        examples.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `su`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "mildml"
    _options = {
        "rank": "rank",
        "tol": "tol",
        "iterations": "iterations",
    }

    def __init__(
        self,
        *,
        rank=64,
        tol=0.01,
        iterations=200,
        sample=0,
        compare='auto',
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        n_neighbors=1,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rank = rank
        self.tol = tol
        self.iterations = iterations
        self.sample = sample
        self.compare = compare
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LRSVM(Ranker, FromCaptions, Learner):
    r"""Faces of a name are of low rank; then machines.

    Use it for: a baseline; names faces that come later. The learner `lr-svm`
    of `akin train`; docs/reference/learners/lr-svm.md explains it.

    Parameters
    ----------
    sparse : float, default=0.3
        Weight of the deviation from low rank; 0 to 1000000000000.
    C : float, default=0.01
        Weight of the margins against short weights; 1e-09 to 1000000000.
    rho : float, default=0.1
        Initial penalty of the solver; 1e-12 to 1000000000000.
    delta_rho : float, default=0.2
        Growth of rho a step; 0 to 1000.
    eps : float, default=0.0001
        Relative residual at which it ends; 0 to 1.
    iterations : int, default=200
        Maximum number of iterations; 1 to 1000000000.
    sample : int, default=0
        Triplets (or pairs) to draw from the labels; 0: chosen from the data.
    verdict : Literal['auto', 'none'] | None, default='auto'
        Compare with the measure that learning began from, on held-out
        examples: `verdict_`.
    weights : str | None, default=None
        Weights of columns: `auto`, `none`, `binary`, `tf`, `sqrt`, `log`,
        `tfidf`, `binary-idf` or `sqrt-idf`. None: the learner's own, `none`.
    scale : str | None, default=None
        Scale of columns: `none`, `minmax`, `zscore` or `su`. None: the
        learner's own, `su`.
    norm : str | None, default=None
        Length of rows: `none`, `l2` or `global`. None: the learner's own,
        `none`.
    center : bool | None, default=None
        Subtract the mean of each column. None: the learner's own, no.
    preprocessor : Any, default=None
        Rows that indices refer to, as in metric-learn: an array or a function
        of indices.
    random_state : int | RandomState | None, default=None
        Seed of the random numbers; None: that of the library, always the same.
    n_jobs : int | None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.
    """
    _learner = "lr-svm"
    _options = {
        "sparse": "sparse",
        "C": "C",
        "rho": "rho",
        "delta_rho": "delta_rho",
        "eps": "eps",
        "iterations": "iterations",
    }

    def __init__(
        self,
        *,
        sparse=0.3,
        C=0.01,
        rho=0.1,
        delta_rho=0.2,
        eps=0.0001,
        iterations=200,
        sample=0,
        verdict='auto',
        weights=None,
        scale=None,
        norm=None,
        center=None,
        preprocessor=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.sparse = sparse
        self.C = C
        self.rho = rho
        self.delta_rho = delta_rho
        self.eps = eps
        self.iterations = iterations
        self.sample = sample
        self.verdict = verdict
        self.weights = weights
        self.scale = scale
        self.norm = norm
        self.center = center
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
