#include "tune/candidates.h"

#include <math.h>
#include <string.h>

#include "data/recipe/recipe.h"
#include "learn/learner.h"

enum { DRAW_TRIES = 50 };

#define RECIPE(w, s, n, c)                                                 \
    {                                                                      \
        .size = sizeof(akin_recipe_options), .weights = (w), .scale = (s), \
        .norm = (n), .center = (c)                                         \
    }

static bool is_word(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- the list ---- */

bool ak_candidate_is_plain(const ak_candidate *c)
{
    return akin_model_is_builtin(c->method);
}

bool ak_recipe_options_equal(const akin_recipe_options *a,
                             const akin_recipe_options *b)
{
    return is_word(a->weights, b->weights) && is_word(a->scale, b->scale) &&
           is_word(a->norm, b->norm) && a->center == b->center;
}

static bool same_options(const akin_options *a, const akin_options *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->size == b->size && memcmp(a, b, (size_t)a->size) == 0;
}

static bool has(const ak_candidate_list *c, const ak_candidate *x)
{
    for (int64_t i = 0; i < c->n; ++i)
        if (is_word(c->list[i].method, x->method) &&
            c->list[i].passes == x->passes &&
            ak_recipe_options_equal(&c->list[i].recipe, &x->recipe) &&
            same_options(c->list[i].options, x->options))
            return true;
    return false;
}

/* Add it with a copy of its options, unless it is there already. */
static akin_status add_candidate(ak_candidate_list *c, akin_ctx *ctx,
                                 ak_candidate x)
{
    const akin_options *options = x.options;
    akin_status st = AKIN_OK;
    x.options = NULL;
    if (options != NULL) {
        AK_TRY(ak_alloc(ctx, (int64_t)options->size, 1, &x.options));
        memcpy(x.options, options, (size_t)options->size);
    }
    if (has(c, &x))
        goto done;
    AK_TRY(ak_grow(ctx, c->n + 1, &c->room, sizeof *c->list, &c->list));
    c->list[c->n++] = x;
    x.options = NULL;
done:
    akin_free(x.options);
    return st;
}

void ak_candidates_free(ak_candidate_list *c)
{
    for (int64_t i = 0; i < c->n; ++i)
        akin_free(c->list[i].options);
    akin_free(c->list);
    *c = (ak_candidate_list){0};
}

/* ---- recipes ---- */

/* Recipes that suit these rows, the one to begin with first. */
typedef struct recipes {
    akin_recipe_options list[6];
    int64_t n;
} recipes;

static bool is_never_negative(const akin_rows *rows)
{
    const int64_t n = rows->offsets ? rows->offsets[rows->n]
                                    : rows->n * rows->d;
    for (int64_t i = 0; i < n; ++i)
        if (rows->vals[i] < 0.0f)
            return false;
    return true;
}

static recipes recipes_for(const akin_supervision *s)
{
    const akin_rows *rows = s->rows;
    recipes r = {.n = 0};
    const bool counts = is_never_negative(rows);
    if (!akin_rows_is_sparse(rows)) {
        if (s->kind == AKIN_BAGS)
            r.list[r.n++] =
                (akin_recipe_options)RECIPE("none", "su", "none", 0);
        r.list[r.n++] =
            (akin_recipe_options)RECIPE("none", "minmax", "none", 0);
        r.list[r.n++] = (akin_recipe_options)RECIPE("none", "none", "none", 0);
        r.list[r.n++] =
            (akin_recipe_options)RECIPE("none", "zscore", "none", 0);
        if (counts)
            r.list[r.n++] =
                (akin_recipe_options)RECIPE("sqrt", "none", "l2", 0);
        return r;
    }
    if (counts) {
        r.list[r.n++] = (akin_recipe_options)RECIPE("tfidf", "none", "l2", 0);
        r.list[r.n++] =
            (akin_recipe_options)RECIPE("binary-idf", "none", "l2", 0);
        r.list[r.n++] =
            (akin_recipe_options)RECIPE("sqrt-idf", "none", "l2", 0);
    }
    r.list[r.n++] = (akin_recipe_options)RECIPE("none", "none", "l2", 0);
    return r;
}

/* What a recipe adds to what is expected: rows as they are where columns have
 * one unit, scaled ones where they have not. */
static double recipe_prior(const akin_recipe_options *r, bool mixed)
{
    const bool scaled = !is_word(r->scale, "none");
    if (!is_word(r->weights, "none"))
        return mixed ? -0.08 : -0.01;
    if (mixed)
        return scaled ? 0.0 : -0.1;
    return is_word(r->scale, "zscore") ? -0.005 : scaled ? 0.0 : 0.015;
}

/* ---- plain measures ---- */

static bool wants(const ak_candidates_wanted *w, const char *method)
{
    if (w->methods == NULL)
        return true;
    for (int64_t i = 0; w->methods[i] != NULL; ++i)
        if (is_word(w->methods[i], method))
            return true;
    return false;
}

static akin_status add_measure(ak_candidate_list *c, akin_ctx *ctx,
                               const ak_candidates_wanted *w,
                               const char *measure,
                               const akin_recipe_options *recipe)
{
    const bool dense = !akin_rows_is_sparse(w->data->rows);
    const double prior = dense && is_word(measure, "cosine") ? -0.01 : 0.0;
    if (!wants(w, measure))
        return AKIN_OK;
    return add_candidate(c, ctx,
                         (ak_candidate){.method = measure,
                                        .recipe = *recipe,
                                        .as_is = w->as_is,
                                        .prior = prior});
}

/* Every plain measure over every recipe. Rows of length 1 rank alike by cosine
 * and by distance, so there is one of the two for them. Between rows of two
 * kinds there is no plain measure, unless they have the same columns; and none
 * ranks labels. */
static akin_status add_plain(ak_candidate_list *c, akin_ctx *ctx,
                             const ak_candidates_wanted *w, const recipes *r)
{
    const akin_supervision *s = w->data;
    if ((s->right != NULL && s->right->d != s->rows->d) ||
        w->purpose == AKIN_FOR_RANK)
        return AKIN_OK;
    for (int64_t i = 0; i < r->n; ++i) {
        if (!is_word(r->list[i].norm, "l2"))
            AK_CHECK(add_measure(c, ctx, w, "euclidean", &r->list[i]));
        if (!is_word(r->list[i].weights, "tfidf") || w->base != NULL)
            AK_CHECK(add_measure(c, ctx, w, "cosine", &r->list[i]));
    }
    return AKIN_OK;
}

/* ---- learners ---- */

/* The learners that a race begins with, for dense rows, sparse rows and rows of
 * two kinds, with settings beside the defaults, and what is expected of each
 * before anything was measured: the gain in accuracy over the distance of the
 * rows. Those not listed are for a large effort, and are expected to be a
 * little worse. docs/explanation/defaults.md has the figures. */
typedef enum { DENSE = 1, SPARSE = 2, TWO_SIDES = 4 } rows_kind;

static const struct shortlist {
    const char *learner;
    const char *option, *value;  // NULL: the defaults
    int rows;                    // rows_kind, or-ed
    double prior;
    bool every_recipe;
} shortlist[] = {
    {"logistic", NULL, NULL, DENSE | SPARSE | TWO_SIDES, 0.033, true},
    {"logistic", "lambda", "0.01", DENSE, 0.036, true},
    {"kernel-ridge", NULL, NULL, DENSE, 0.045, true},
    {"kernel-ridge", "kernel", "rbf", DENSE, 0.04, true},
    {"blend", NULL, NULL, DENSE, 0.041, true},
    {"blend", "share", "0", DENSE, 0.03, true},
    {"blend", "with", "whitened", DENSE, 0.036, true},
    {"blend", "with", "lda", DENSE, 0.032, true},
    {"blend", "with", "rows", DENSE, 0.031, true},
    {"lda", NULL, NULL, DENSE, 0.012, true},
    {"nca", NULL, NULL, DENSE, 0.01, true},
    {"lmnn", NULL, NULL, DENSE, 0.005, true},
    {"itml", NULL, NULL, DENSE, 0.0, false},
    {"lrml", NULL, NULL, DENSE, 0.0, false},
    {"s3ml", NULL, NULL, DENSE, 0.0, false},
    {"mahalanobis", NULL, NULL, DENSE, -0.02, false},
    {"tfidf", NULL, NULL, SPARSE, 0.0, false},
    {"solis-ada", NULL, NULL, SPARSE, 0.0, false},
    {"loreta-psd", NULL, NULL, SPARSE, 0.01, false},
    {"rsl", NULL, NULL, TWO_SIDES, 0.02, false},
    {"rsl", "lambda", "3e-6", TWO_SIDES, 0.02, false},
    {"rsl", "lambda", "1e-6", TWO_SIDES, 0.02, false},
    {"cca", NULL, NULL, TWO_SIDES, 0.0, false},
};

enum { SHORT = sizeof shortlist / sizeof shortlist[0] };

static int kind_of(const akin_supervision *s)
{
    return s->right != NULL               ? TWO_SIDES
           : akin_rows_is_sparse(s->rows) ? SPARSE
                                          : DENSE;
}

/* The entry of a learner for these rows; NULL: none. */
static const struct shortlist *find_short(const char *learner,
                                          const akin_supervision *s)
{
    for (int i = 0; i < SHORT; ++i)
        if (is_word(shortlist[i].learner, learner) &&
            (shortlist[i].rows & kind_of(s)))
            return &shortlist[i];
    return NULL;
}

/* Can it learn from this supervision, and be measured for this purpose? NULL,
 * or the reason why not. */
static const char *unfit(const akin_learner_info *l,
                         const ak_candidates_wanted *w)
{
    const akin_supervision *s = w->data;
    const bool ranks = is_word(l->makes, "ranker");
    if (is_word(l->name, "tfidf") &&
        !(akin_rows_is_sparse(s->rows) && is_never_negative(s->rows)))
        return "weighs the counts of sparse rows";
    if (l->names_faces == 2)
        return "names faces and trains no model";
    if (l->takes != AKIN_NOTHING && !(l->takes & (int64_t)s->kind))
        return "does not learn from this kind of supervision";
    if (s->right != NULL && l->takes_right == 0)
        return "does not compare rows of two kinds";
    if (s->right == NULL && l->takes_right == 2)
        return "compares rows of two kinds";
    if (l->most_columns > 0 && s->rows->d > l->most_columns)
        return "does not support so many columns";
    if (ranks && w->purpose != AKIN_FOR_RANK && w->purpose != AKIN_FOR_CLASSIFY)
        return "ranks labels and does not compare rows";
    return NULL;
}

/* A learner with these options over its own recipe, and over every recipe that
 * suits the rows where that is asked for. */
static akin_status add_over_recipes(ak_candidate_list *c, akin_ctx *ctx,
                                    const ak_candidates_wanted *w,
                                    ak_candidate x, const recipes *r)
{
    const struct shortlist *known = find_short(x.method, w->data);
    AK_CHECK(add_candidate(c, ctx, x));
    if (!w->all_recipes || !known || !known->every_recipe || w->as_is ||
        w->data->right != NULL)
        return AKIN_OK;
    for (int64_t i = 0; i < r->n; ++i) {
        x.recipe = r->list[i];
        x.is_own_recipe = false;
        AK_CHECK(add_candidate(c, ctx, x));
    }
    return AKIN_OK;
}

/* Probabilities that rank the nearest row by its label: sharper where few
 * labels make them even, but not so sharp that many rows have the same. */
static akin_status sharpen(akin_ctx *ctx, akin_options *o,
                           const akin_supervision *s)
{
    const akin_learner_info *l = akin_learner_find(o->learner);
    const bool few = akin_supervision_examples(s) <= AK_FEW_LABELS;
    for (int64_t i = 0; i < l->n_options; ++i)
        if (is_word(l->options[i].name, "sharpness"))
            return akin_options_set(ctx, o, "sharpness", few ? "4" : "1");
    return AKIN_OK;
}

static akin_status add_learner(ak_candidate_list *c, akin_ctx *ctx,
                               const ak_candidates_wanted *w,
                               const akin_options *options, const recipes *r)
{
    const akin_recipe_options *given = w->recipe ? w->recipe
                                                 : akin_options_recipe(options);
    const struct shortlist *known = find_short(options->learner, w->data);
    const ak_learner *l = ak_learner_find(options->learner);
    akin_options *o = NULL;
    ak_candidate x = {.method = l->info.name,
                      .recipe = AKIN_RECIPE_DEFAULTS,
                      .as_is = w->as_is,
                      .prior = known ? known->prior : -0.01};
    akin_status st = AKIN_OK;
    AK_TRY(ak_alloc(ctx, (int64_t)options->size, 1, &o));
    memcpy(o, options, (size_t)options->size);
    if (w->purpose == AKIN_FOR_RANK && l->rank != NULL && l->online != NULL)
        AK_TRY(akin_options_set(ctx, o, "task", "rank"));
    if (w->purpose == AKIN_FOR_CLASSIFY && w->all_recipes)
        AK_TRY(sharpen(ctx, o, w->data));
    x.options = o;
    if (given != NULL && !w->as_is)
        x.recipe = *given;
    x.is_own_recipe = w->recipe == NULL;
    AK_TRY(ak_recipe_settle(&x.recipe, ctx, w->data->rows));
    AK_TRY(add_over_recipes(c, ctx, w, x, r));
    for (int i = 0; i < SHORT && w->all_recipes; ++i) {
        const struct shortlist *more = &shortlist[i];
        if (more->option == NULL || !is_word(more->learner, x.method) ||
            !(more->rows & kind_of(w->data)))
            continue;
        memcpy(o, options, (size_t)options->size);
        if (w->purpose == AKIN_FOR_CLASSIFY && !is_word(more->option, "with"))
            AK_TRY(sharpen(ctx, o, w->data));
        AK_TRY(akin_options_set(ctx, o, more->option, more->value));
        x.prior = more->prior;
        AK_TRY(add_over_recipes(c, ctx, w, x, r));
    }
done:
    akin_free(o);
    return st;
}

static akin_status check_methods(akin_ctx *ctx, const ak_candidates_wanted *w)
{
    for (int64_t i = 0; w->methods != NULL && w->methods[i] != NULL; ++i) {
        const akin_learner_info *l = akin_learner_find(w->methods[i]);
        if (l == NULL && !akin_model_is_builtin(w->methods[i]))
            return ak_fail(ctx, AKIN_EINVAL, "there is no learner '%s'",
                           w->methods[i]);
        if (l != NULL && unfit(l, w) != NULL)
            return ak_fail(ctx, AKIN_EINVAL, "%s %s", l->name, unfit(l, w));
    }
    return AKIN_OK;
}

/* One learner, beside the plain measures over its recipe. */
static akin_status list_one(ak_candidate_list *c, akin_ctx *ctx,
                            const ak_candidates_wanted *w, recipes r)
{
    akin_status st = AKIN_OK;
    AK_TRY(add_learner(c, ctx, w, w->base, &r));
    if (w->as_is || w->recipe != NULL) {
        r.list[0] = c->list[0].recipe;
        r.n = 1;
    }
    AK_TRY(add_plain(c, ctx, w, &r));
done:
    return st;
}

static akin_status list_all(ak_candidate_list *c, akin_ctx *ctx,
                            const ak_candidates_wanted *w, const recipes *r)
{
    const akin_learner_info *l;
    AK_CHECK(check_methods(ctx, w));
    AK_CHECK(add_plain(c, ctx, w, r));
    for (int64_t i = 0; (l = akin_learner_at(i)) != NULL; ++i)
        if (unfit(l, w) == NULL && wants(w, l->name) &&
            (w->all_learners || find_short(l->name, w->data) != NULL))
            AK_CHECK(add_learner(c, ctx, w, l->defaults, r));
    return AKIN_OK;
}

/* What is expected, for dense rows: a linear learner gains by what it leaves
 * out, so less where there are few columns. */
static void adjust_prior(ak_candidate *x, int64_t columns, bool mixed)
{
    static const double HALF = 8.0;  // of the square, half is expected
    const double square = (double)columns * (double)columns;
    const bool linear = !is_word(x->method, "kernel-ridge");
    if (x->options != NULL && x->prior > 0.0 && linear)
        x->prior *= square / (square + HALF);
    x->prior += recipe_prior(&x->recipe, mixed);
}

akin_status ak_candidates_list(ak_candidate_list *out, akin_ctx *ctx,
                               const ak_candidates_wanted *w)
{
    const recipes as_they_are = {.n = 1, .list = {AKIN_RECIPE_DEFAULTS}};
    const recipes r = w->as_is ? as_they_are : recipes_for(w->data);
    ak_candidate_list c = {0};
    bool mixed = false;
    akin_status st = ak_rows_have_mixed_units(&mixed, ctx, w->data->rows);
    if (st == AKIN_OK)
        st = w->base != NULL ? list_one(&c, ctx, w, r)
                             : list_all(&c, ctx, w, &r);
    for (int64_t i = 0; i < c.n && !akin_rows_is_sparse(w->data->rows); ++i)
        adjust_prior(&c.list[i], w->data->rows->d, mixed);
    if (st == AKIN_OK)
        *out = c;
    else
        ak_candidates_free(&c);
    return st;
}

/* ---- further options of a learner ---- */

static bool is_fixed(const char *const *fixed, const char *name)
{
    for (; fixed != NULL && *fixed != NULL; ++fixed)
        if (is_word(*fixed, name))
            return true;
    return false;
}

static void set_number(akin_options *o, const akin_option *row, double x)
{
    const int64_t i = (int64_t)x;
    if (row->type == AKIN_F64)
        memcpy((char *)o + row->offset, &x, sizeof x);
    else
        memcpy((char *)o + row->offset, &i, sizeof i);
}

/* Is the word one of "a|b|FILE"? */
static bool is_choice(const char *choices, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = choices; *p != '\0'; p += *p == '|') {
        const size_t length = strcspn(p, "|");
        if (length == n && strncmp(p, word, n) == 0)
            return true;
        p += length;
    }
    return false;
}

/* One of the choices of a start; options point at these words. NULL: none of
 * them is known here. */
static const char *draw_word(const char *choices, ak_rng *rng)
{
    static const char *const words[] = {
        "zero",   "mask",    "identity", "covariance", "spectral",
        "random", "measure", "lda",      "pca",
    };
    const char *found[sizeof words / sizeof words[0]];
    int64_t n = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (is_choice(choices, words[i]))
            found[n++] = words[i];
    return n > 0 ? found[ak_rng_below(rng, n)] : NULL;
}

static void draw_option(akin_options *o, const akin_option *row,
                        const ak_draw *draw, ak_rng *rng)
{
    if (is_fixed(draw->fixed, row->name))
        return;
    if (row->n_grid > 0)
        set_number(o, row, row->grid[ak_rng_below(rng, row->n_grid)]);
    else if (draw->start && row->type == AKIN_STRING &&
             is_word(row->name, "start")) {
        const char *word = draw_word(row->choices, rng);
        if (word != NULL && ak_rng_below(rng, 2) == 0)
            memcpy((char *)o + row->offset, &word, sizeof word);
    }
}

/* Half of the draws keep the recipe and the passes of the first. */
static void draw_others(ak_candidate *x, const ak_draw *draw,
                        const akin_supervision *data, ak_rng *rng)
{
    static const int64_t passes[] = {1, 3, 10};
    const recipes r = recipes_for(data);
    const bool online = akin_learner_find(x->method)->is_online != 0;
    if (draw->recipes && ak_rng_below(rng, 2) == 0) {
        const akin_recipe_options *drawn = &r.list[ak_rng_below(rng, r.n)];
        x->is_own_recipe = x->is_own_recipe &&
                           ak_recipe_options_equal(drawn, &x->recipe);
        x->recipe = *drawn;
    }
    if (draw->passes && online && ak_rng_below(rng, 2) == 0)
        x->passes = passes[ak_rng_below(rng, 3)];
}

akin_status ak_candidates_draw(ak_candidate_list *c, akin_ctx *ctx,
                               int64_t from, const ak_draw *draw,
                               const akin_supervision *data, ak_rng *rng,
                               bool *added)
{
    const ak_candidate base = c->list[from];
    const akin_learner_info *l = akin_learner_find(base.method);
    const int64_t n = c->n;
    akin_options *o = NULL;
    akin_status st = AKIN_OK;
    *added = false;
    if (base.options == NULL)
        return AKIN_OK;
    AK_TRY(ak_alloc(ctx, (int64_t)base.options->size, 1, &o));
    for (int tries = 0; tries < DRAW_TRIES && !*added; ++tries) {
        ak_candidate x = base;
        memcpy(o, base.options, (size_t)base.options->size);
        for (int64_t i = 0; i < l->n_options; ++i)
            draw_option(o, &l->options[i], draw, rng);
        draw_others(&x, draw, data, rng);
        x.options = o;
        AK_TRY(add_candidate(c, ctx, x));
        *added = c->n > n;
    }
done:
    akin_free(o);
    return st;
}

/* ---- how much work it is ---- */

/* Work grows with the rows, with the pairs of rows, with the rows times those
 * that a model keeps, or with the examples drawn, each times the size of the
 * parameters. `factor` is the number of passes that
 * were seen on tables of 5 to 600 columns. */
typedef enum { BY_ROWS, BY_PAIRS, BY_SUPPORT, BY_EXAMPLES } growth;

static const struct {
    const char *learner;
    growth by;
    double factor;
    double cubes;  // decompositions of the metric, for each pass
} costs[] = {
    {"nca", BY_PAIRS, 50.0, 0.0},           {"lmnn", BY_PAIRS, 30.0, 10.0},
    {"kernel-ridge", BY_SUPPORT, 1.0, 0.0}, {"itml", BY_EXAMPLES, 20.0, 0.0},
    {"s3ml", BY_PAIRS, 30.0, 1.0},          {"s2ml", BY_ROWS, 40.0, 0.0},
    {"sdml", BY_ROWS, 40.0, 0.0},           {"lrml", BY_PAIRS, 0.1, 10.0},
    {"lego", BY_EXAMPLES, 1.0, 0.0},        {"oasis", BY_EXAMPLES, 1.0, 0.0},
};

static double examples_of(const akin_supervision *s, double n)
{
    enum { PER_ROW = 20, MOST_DRAWN = 100000 };
    if (s->kind != AKIN_LABELS)
        return (double)akin_supervision_examples(s);
    return n * PER_ROW < MOST_DRAWN ? n * PER_ROW : MOST_DRAWN;
}

double ak_candidate_work(const ak_candidate *c, const akin_supervision *data,
                         int64_t n_rows)
{
    const akin_rows *rows = data->rows;
    const double d = (double)rows->d, n = (double)n_rows;
    const double kept = fmin(n, AK_KEPT_ROWS);
    const double nonzeros =
        rows->n > 0 ? (double)akin_rows_nonzeros(rows) / (double)rows->n : 0.0;
    if (c->options == NULL)
        return n * nonzeros;
    if (is_word(c->method, "logistic") || is_word(c->method, "blend"))
        return 100.0 * n * nonzeros * (double)rows->n_label_names +
               (is_word(c->method, "blend") ? 2.0 * n * d * (n < d ? n : d)
                                            : 0.0);
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; ++i)
        if (is_word(costs[i].learner, c->method))
            switch (costs[i].by) {
            case BY_ROWS:
                return costs[i].factor * (n * d * d + d * d * d);
            case BY_PAIRS:
                return costs[i].factor *
                       (n * n * d + n * d * d + costs[i].cubes * d * d * d);
            case BY_SUPPORT:
                return costs[i].factor * n * kept * (d + kept);
            case BY_EXAMPLES:
                return costs[i].factor * examples_of(data, n) * d * d;
            }
    return is_word(akin_learner_find(c->method)->makes, "metric")
               ? n * d * d + d * d * d
               : examples_of(data, n) * 30.0 * nonzeros;
}
