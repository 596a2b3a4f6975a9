#include "tune/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "eval/queries.h"
#include "model/model.h"

enum { MAX_QUERIES = 1000 };

static bool is_word(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- purposes ---- */

akin_purpose ak_default_purpose(const akin_supervision *s, bool ranks)
{
    if (ranks)
        return AKIN_FOR_RANK;
    if (s->kind == AKIN_PAIRS || s->kind == AKIN_BAGS)
        return AKIN_FOR_VERIFY;
    if (s->kind == AKIN_LABELS && s->right == NULL &&
        !akin_rows_is_sparse(s->rows))
        return AKIN_FOR_CLASSIFY;
    return AKIN_FOR_SEARCH;
}

const char *ak_purpose_measure(akin_purpose purpose, akin_knowledge kind)
{
    if (kind == AKIN_TRIPLETS || kind == AKIN_QUADRUPLETS)
        return "accuracy";
    if (kind == AKIN_PAIRS || kind == AKIN_BAGS)
        return "auc";
    return purpose == AKIN_FOR_CLASSIFY ? "accuracy"
           : purpose == AKIN_FOR_VERIFY ? "auc"
                                        : "map";
}

/* ---- what is scored ---- */

/* The rows that those held out are of. */
static const akin_rows *asking_side(const akin_supervision *s)
{
    return s->held_out_side == AKIN_RIGHT ? s->right : s->rows;
}

/* The held-out rows, at most `most` of them by the context's seed. Each fold
 * draws its own: where files are sorted by class, the same places would be the
 * same classes in all of them. */
static akin_status choose_queries(ak_tune_held *h, akin_ctx *ctx, int64_t most)
{
    const akin_supervision *s = h->s;
    const ak_rng root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_VALIDATE);
    const bool right = s->held_out_side == AKIN_RIGHT;
    const int64_t *known = right ? s->right_known : s->known;
    const int64_t *which = s->held_out ? s->held_out : known;
    const int64_t n = s->held_out     ? s->n_held_out
                      : known == NULL ? asking_side(s)->n
                      : right         ? s->n_right_known
                                      : s->n_known;
    int64_t *rows = NULL;
    AK_CHECK(AK_SCRATCH(ctx, n, &rows));
    for (int64_t i = 0; i < n; ++i)
        rows[i] = which ? which[i] : i;
    ak_rng rng = ak_rng_split(root, n > 0 ? (uint64_t)rows[0] : 0);
    ak_rng_shuffle(&rng, n, rows);
    h->queries = rows;
    h->n_queries = ak_min_i64(n, most);
    return AKIN_OK;
}

static const char *default_measure(akin_knowledge kind)
{
    return kind == AKIN_LABELS ? "map" : kind == AKIN_PAIRS ? "auc" : "error";
}

static bool can_measure(akin_knowledge kind, const char *measure)
{
    if (is_word(measure, "error") || is_word(measure, "accuracy"))
        return kind == AKIN_LABELS || kind == AKIN_PAIRS ||
               kind == AKIN_TRIPLETS || kind == AKIN_QUADRUPLETS;
    return (kind == AKIN_LABELS && is_word(measure, "map")) ||
           ((kind == AKIN_LABELS || kind == AKIN_PAIRS) &&
            is_word(measure, "auc"));
}

static akin_status open_held(ak_tune_held *out, akin_ctx *ctx,
                             const akin_supervision *held, const char *measure,
                             int64_t most)
{
    *out = (ak_tune_held){.s = held, .measure = measure};
    if (measure == NULL)
        out->measure = default_measure(held->kind);
    out->database = held->right ? held->right : held->rows;
    out->most = most;
    if (!can_measure(held->kind, out->measure))
        return ak_fail(
            ctx, AKIN_EINVAL,
            "`measure` %s does not fit the supervision (labels: map, "
            "accuracy, error, auc; pairs: auc, accuracy, error; "
            "triplets: accuracy, error)",
            out->measure);
    return held->kind == AKIN_LABELS ? choose_queries(out, ctx, most) : AKIN_OK;
}

/* ---- labels: which rows are found ---- */

/* The rows on the found side whose labels a supervision knows. */
static void flag_known(unsigned char *flags, const akin_supervision *s,
                       bool right)
{
    const akin_rows *rows = right ? s->right : s->rows;
    const int64_t *known = right ? s->right_known : s->known;
    const int64_t n = known == NULL ? rows->n
                      : right       ? s->n_right_known
                                    : s->n_known;
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *labels;
        const int64_t row = known ? known[i] : i;
        if (akin_rows_labels(&labels, rows, row) > 0)
            flags[row] = 1;
    }
}

/* How many queries share a label with another of these rows. */
static akin_status count_answered(akin_ctx *ctx, const ak_tune_held *h,
                                  const unsigned char *flags, int64_t *answered)
{
    const akin_rows *asking = asking_side(h->s), *rows = h->database;
    int64_t *of_label;
    int32_t *map = NULL;
    AK_CHECK(AK_SCRATCH(ctx, rows->n_label_names, &of_label));
    if (asking != rows)
        AK_CHECK(ak_rows_label_map(ctx, asking, rows, &map));
    for (int64_t i = 0; i < rows->n; ++i) {
        const int32_t *labels;
        const int64_t n = flags[i] ? akin_rows_labels(&labels, rows, i) : 0;
        for (int64_t l = 0; l < n; ++l)
            ++of_label[labels[l]];
    }
    *answered = 0;
    for (int64_t t = 0; t < h->n_queries; ++t) {
        const int32_t *labels;
        const int64_t query = h->queries[t];
        const int64_t n = akin_rows_labels(&labels, asking, query);
        const int64_t self = asking == rows && flags[query];
        bool found = false;
        for (int64_t l = 0; l < n; ++l) {
            const int32_t k = map ? map[labels[l]] : labels[l];
            found = found || (k >= 0 && of_label[k] > self);
        }
        *answered += found;
    }
    return AKIN_OK;
}

/* Exclude what the queries cannot be compared with. */
static akin_status choose_database(ak_tune_held *h, akin_ctx *ctx,
                                   const akin_supervision *rest)
{
    const akin_supervision *held = h->s;
    const bool right = held->right != NULL;
    const bool is_part = held->held_out != NULL;
    const bool by_map = is_word(h->measure, "map") && !h->ranks;
    const bool by_auc = is_word(h->measure, "auc");
    unsigned char *flags;
    int64_t answered = 0;
    if (!by_map && !by_auc && !right && !is_part)
        h->database = rest->rows;
    AK_CHECK(AK_SCRATCH(ctx, h->database->n, &flags));
    if (by_map || by_auc)
        flag_known(flags, held, right);
    if (by_map)
        AK_CHECK(count_answered(ctx, h, flags, &answered));
    if (by_auc ? is_part
               : !by_map || (is_part && 10 * answered < 9 * h->n_queries))
        flag_known(flags, rest, right);
    for (int64_t i = 0; i < h->database->n; ++i)
        flags[i] = !flags[i];
    h->exclude = flags;
    return AKIN_OK;
}

/* Some pairs of each query that match, and as many that do not; no pairs at all
 * where one of the two is missing. */
static akin_status draw_pairs(ak_tune_held *h, akin_ctx *ctx)
{
    enum { EACH = 10, TRIES = 1000 };
    const akin_rows *asking = h->s->rows, *found = h->database;
    const ak_rng root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_VALIDATE);
    int32_t *map = NULL;
    int64_t matching = 0;
    if (asking != found)
        AK_CHECK(ak_rows_label_map(ctx, asking, found, &map));
    AK_CHECK(AK_SCRATCH(ctx, h->n_queries * 2 * EACH * 3, &h->pairs));
    for (int64_t t = 0; t < h->n_queries; ++t) {
        const int64_t query = h->queries[t];
        ak_rng rng = ak_rng_split(root, (uint64_t)(query + 1));
        int64_t drawn[2] = {0, 0};
        for (int64_t k = 0; k < TRIES && drawn[0] + drawn[1] < 2 * EACH; ++k) {
            const int64_t j = ak_rng_below(&rng, found->n);
            if ((h->exclude != NULL && h->exclude[j]) ||
                (asking == found && j == query))
                continue;
            const int same = ak_rows_share_label(asking, query, found, j, map);
            if (drawn[same] == EACH)
                continue;
            ++drawn[same];
            matching += same;
            int64_t *pair = h->pairs + 3 * h->n_pairs++;
            pair[0] = query;
            pair[1] = j;
            pair[2] = same ? 1 : -1;
        }
    }
    if (matching == 0 || matching == h->n_pairs)
        h->n_pairs = 0;
    return AKIN_OK;
}

akin_status ak_tune_held_new(ak_tune_held *out, akin_ctx *ctx,
                             const akin_supervision *held, const char *measure)
{
    AK_CHECK(open_held(out, ctx, held, measure, MAX_QUERIES));
    return held->kind == AKIN_LABELS && is_word(out->measure, "auc")
               ? draw_pairs(out, ctx)
               : AKIN_OK;
}

akin_status ak_tune_held_beside(ak_tune_held *out, akin_ctx *ctx,
                                const akin_supervision *held,
                                const akin_supervision *rest,
                                const char *measure, bool ranks, int64_t most)
{
    AK_CHECK(open_held(out, ctx, held, measure, most));
    out->ranks = ranks;
    if (held->kind != AKIN_LABELS)
        return AKIN_OK;
    AK_CHECK(choose_database(out, ctx, rest));
    return is_word(out->measure, "auc") ? draw_pairs(out, ctx) : AKIN_OK;
}

/* ---- each query ---- */

/* Are labels measured query by query? */
static bool asks_queries(const ak_tune_held *h)
{
    return h->s->kind == AKIN_LABELS && h->pairs == NULL;
}

static akin_status new_scores(ak_scores *s, akin_ctx *ctx,
                              const ak_tune_held *h, int64_t n)
{
    *s = (ak_scores){.measure = h->measure, .n = n};
    AK_CHECK(AK_NEW(ctx, n, &s->each));
    if (asks_queries(h)) {
        s->second_measure = is_word(h->measure, "map") ? "accuracy" : "map";
        return AK_NEW(ctx, n, &s->second);
    }
    AK_CHECK(AK_NEW(ctx, 2 * n, &s->rows));
    return is_word(h->measure, "auc") ? AK_NEW(ctx, n, &s->match) : AKIN_OK;
}

void ak_scores_free(ak_scores *s)
{
    akin_free(s->each);
    akin_free(s->second);
    akin_free(s->match);
    akin_free(s->rows);
    akin_free(s->ends);
    *s = (ak_scores){0};
}

static void to_error(double *x, int64_t n)
{
    for (int64_t t = 0; t < n; ++t)
        x[t] = 1.0 - x[t];
}

/* Queries find rows, or their labels where the model has labels of its own. */
static akin_status score_labels(ak_scores *s, akin_ctx *ctx,
                                const akin_model *m, const ak_tune_held *h,
                                akin_compare by)
{
    const bool by_map = is_word(h->measure, "map");
    double *ap = by_map ? s->each : s->second;
    double *first = by_map ? s->second : s->each;
    akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    const bool labels = akin_model_label_count(m) > 0 &&
                        (m->kind->score == NULL || !by_map);
    const bool among = h->database == asking_side(h->s);
    akin_rows *rows = NULL;
    akin_ranking k;
    akin_retrieval r;
    akin_status st = AKIN_OK;
    if (labels || !among)
        AK_TRY(akin_rows_select(&rows, ctx, asking_side(h->s), h->queries,
                                h->n_queries));
    if (labels) {
        AK_TRY(ak_eval_labels(&k, ap, first, ctx, m, rows));
    } else if (h->ranks) {
        AK_TRY(ak_eval_nearest_labels(ap, first, ctx, m, h->database,
                                      h->queries, h->n_queries, h->exclude,
                                      by));
    } else {
        o.by = by;
        o.exclude = h->exclude;
        o.queries = rows;
        o.query_rows = rows ? NULL : h->queries;
        o.n_query_rows = h->n_queries;
        AK_TRY(ak_eval_queries(&r, ap, first, ctx, m, h->database, &o));
    }
    if (is_word(h->measure, "error"))
        to_error(s->each, s->n);
done:
    akin_rows_free(rows);
    return st;
}

/* ---- each pair, triplet or quadruplet ---- */

typedef struct ranked_pair {
    double score;
    int64_t pair;
} ranked_pair;

static int by_score(const void *left, const void *right)
{
    const double a = ((const ranked_pair *)left)->score;
    const double b = ((const ranked_pair *)right)->score;
    return (a < b) - (a > b);
}

/* 1 for every pair that the best threshold for all of them gets right. */
static akin_status tell_apart(double *each, akin_ctx *ctx, const double *scores,
                              const int64_t *pairs, int64_t n)
{
    double threshold = INFINITY;
    int64_t gain = 0, most = 0;
    ranked_pair *x;
    AK_CHECK(AK_SCRATCH(ctx, n, &x));
    for (int64_t t = 0; t < n; ++t)
        x[t] = (ranked_pair){scores[t], t};
    qsort(x, (size_t)n, sizeof *x, by_score);
    for (int64_t i = 0; i < n; ++i) {
        gain += pairs[3 * x[i].pair + 2] > 0 ? 1 : -1;
        if ((i + 1 == n || x[i + 1].score < x[i].score) && gain > most) {
            most = gain;
            threshold = x[i].score;
        }
    }
    for (int64_t t = 0; t < n; ++t)
        each[t] = (double)((scores[t] >= threshold) == (pairs[3 * t + 2] > 0));
    return AKIN_OK;
}

static akin_status score_pairs(ak_scores *s, akin_ctx *ctx, const akin_model *m,
                               const ak_tune_held *h, const int64_t *pairs,
                               akin_compare by)
{
    const akin_supervision *k = h->s;
    const int64_t n = s->n;
    int64_t *ij;
    double *scores;
    AK_CHECK(ak_scratch(ctx, n, 2 * sizeof *ij, &ij));
    AK_CHECK(AK_SCRATCH(ctx, n, &scores));
    for (int64_t t = 0; t < n; ++t) {
        ij[2 * t] = s->rows[2 * t] = pairs[3 * t];
        ij[2 * t + 1] = pairs[3 * t + 1];
        s->rows[2 * t + 1] = pairs[3 * t + 1] + (k->right ? k->rows->n : 0);
    }
    AK_CHECK(akin_model_score(scores, ctx, m, k->rows,
                              k->right ? k->right : k->rows, ij, n, by));
    if (s->match == NULL)
        return tell_apart(s->each, ctx, scores, pairs, n);
    for (int64_t t = 0; t < n; ++t)
        s->match[t] = pairs[3 * t + 2] > 0;
    return ak_eval_pair_shares(s->each, ctx, scores, pairs, n);
}

/* 1 where the first pair of rows has the higher score, half for a tie. A
 * triplet q p n is the quadruplet q p q n. */
static akin_status score_orders(ak_scores *s, akin_ctx *ctx,
                                const akin_model *m, const ak_tune_held *h,
                                const int64_t *numbers, akin_compare by)
{
    const akin_supervision *k = h->s;
    const bool triplets = k->kind == AKIN_TRIPLETS;
    const int64_t n = s->n, width = triplets ? 3 : 4;
    int64_t *ij;
    double *scores;
    AK_CHECK(ak_scratch(ctx, n, 4 * sizeof *ij, &ij));
    AK_CHECK(ak_scratch(ctx, n, 2 * sizeof *scores, &scores));
    for (int64_t t = 0; t < n; ++t) {
        const int64_t *x = numbers + width * t;
        ij[4 * t] = x[0];
        ij[4 * t + 1] = x[1];
        ij[4 * t + 2] = triplets ? x[0] : x[2];
        ij[4 * t + 3] = triplets ? x[2] : x[3];
        s->rows[2 * t] = s->rows[2 * t + 1] = x[0];
    }
    AK_CHECK(akin_model_score(scores, ctx, m, k->rows,
                              k->right ? k->right : k->rows, ij, 2 * n, by));
    for (int64_t t = 0; t < n; ++t) {
        const double a = scores[2 * t], b = scores[2 * t + 1];
        s->each[t] = a > b ? 1.0 : a == b ? 0.5 : 0.0;
    }
    return AKIN_OK;
}

/* At most h->most of the examples, evenly. */
static akin_status score_examples(ak_scores *s, akin_ctx *ctx,
                                  const akin_model *m, const ak_tune_held *h,
                                  akin_compare by)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t width = h->s->kind == AKIN_QUADRUPLETS ? 4 : 3;
    const int64_t *all = h->pairs ? h->pairs : h->s->numbers;
    const int64_t count = h->pairs ? h->n_pairs : h->s->count;
    int64_t *numbers;
    akin_status st = AKIN_OK;
    if (s->n == 0)
        goto done;
    AK_TRY(ak_scratch(ctx, s->n, (size_t)width * sizeof *numbers, &numbers));
    for (int64_t t = 0; t < s->n; ++t) {
        const int64_t at = (int64_t)((double)t * (double)count / (double)s->n);
        memcpy(numbers + width * t, all + width * at,
               (size_t)width * sizeof *numbers);
    }
    AK_TRY(width == 3 && h->s->kind != AKIN_TRIPLETS
               ? score_pairs(s, ctx, m, h, numbers, by)
               : score_orders(s, ctx, m, h, numbers, by));
    if (is_word(h->measure, "error"))
        to_error(s->each, s->n);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_scores_of(ak_scores *out, akin_ctx *ctx, const akin_model *m,
                         const ak_tune_held *h, akin_compare by)
{
    const bool labels = asks_queries(h);
    ak_scores s = {0};
    akin_status st = AKIN_OK;
    AK_TRY(new_scores(&s, ctx, h,
                      labels     ? h->n_queries
                      : h->pairs ? h->n_pairs
                                 : ak_min_i64(h->s->count, h->most)));
    AK_TRY(labels ? score_labels(&s, ctx, m, h, by)
                  : score_examples(&s, ctx, m, h, by));
    *out = s;
    s = (ak_scores){0};
done:
    ak_scores_free(&s);
    return st;
}

akin_status ak_tune_score(double *score, akin_ctx *ctx, const akin_model *m,
                          const ak_tune_held *h)
{
    ak_scores s = {0};
    ak_estimate e;
    akin_status st = AKIN_OK;
    AK_TRY(ak_scores_of(&s, ctx, m, h, AKIN_BY_DEFAULT));
    AK_TRY(ak_scores_mean(&e, ctx, &s, false));
    *score = is_word(h->measure, "error") ? -e.value : e.value;
done:
    ak_scores_free(&s);
    return st;
}

/* ---- means and differences ---- */

/* Adds n elements of `size` bytes behind the first `have`; NULL stays NULL. */
static akin_status append(akin_ctx *ctx, void *array, int64_t have,
                          const void *more, int64_t n, size_t size)
{
    char **at = array;
    if (more == NULL)
        return AKIN_OK;
    AK_CHECK(ak_resize(ctx, have + n, size, array));
    if (n > 0)
        memcpy(*at + (size_t)have * size, more, (size_t)n * size);
    return AKIN_OK;
}

akin_status ak_scores_add(ak_scores *all, akin_ctx *ctx, const ak_scores *x)
{
    const int64_t have = all->n;
    all->measure = x->measure;
    all->second_measure = x->second_measure;
    AK_CHECK(append(ctx, &all->each, have, x->each, x->n, sizeof *x->each));
    AK_CHECK(
        append(ctx, &all->second, have, x->second, x->n, sizeof *x->second));
    AK_CHECK(append(ctx, &all->match, have, x->match, x->n, sizeof *x->match));
    AK_CHECK(
        append(ctx, &all->rows, 2 * have, x->rows, 2 * x->n, sizeof *x->rows));
    all->n = have + x->n;
    AK_CHECK(append(ctx, &all->ends, all->n_folds, &all->n, 1, sizeof all->n));
    ++all->n_folds;
    return AKIN_OK;
}

ak_scores ak_scores_fold(const ak_scores *all, int64_t fold)
{
    const int64_t from = fold > 0 ? all->ends[fold - 1] : 0;
    return (ak_scores){
        .measure = all->measure,
        .second_measure = all->second_measure,
        .n = all->ends[fold] - from,
        .each = all->each + from,
        .second = all->second ? all->second + from : NULL,
        .match = all->match ? all->match + from : NULL,
        .rows = all->rows ? all->rows + 2 * from : NULL,
    };
}

typedef struct part_of_row {
    int64_t row, example;
    double part;
} part_of_row;

static int by_row(const void *left, const void *right)
{
    const part_of_row *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return (a->example > b->example) - (a->example < b->example);
}

/* The variance of a sum of parts that depend on each other where they share a
 * row: all products of two such parts. */
static akin_status dependent_variance(double *out, akin_ctx *ctx,
                                      const ak_scores *s, const double *parts)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double squares = 0.0, shared = 0.0;
    int64_t n = 0, n_rows = 0;
    part_of_row *x;
    akin_status st = AKIN_OK;
    AK_TRY(ak_scratch(ctx, s->n, 2 * sizeof *x, &x));
    for (int64_t t = 0; t < s->n; ++t) {
        const int64_t *row = s->rows + 2 * t;
        squares += parts[t] * parts[t];
        x[n++] = (part_of_row){row[0], t, parts[t]};
        if (row[1] != row[0])
            x[n++] = (part_of_row){row[1], t, parts[t]};
    }
    const bool twice = n > s->n;
    qsort(x, (size_t)n, sizeof *x, by_row);
    for (int64_t i = 0; i < n; ++n_rows) {
        const int64_t row = x[i].row;
        double sum = 0.0;
        for (; i < n && x[i].row == row; ++i)
            sum += x[i].part;
        shared += sum * sum;
    }
    /* A part is in the sums of both of its rows. */
    *out = fmax(twice ? shared - squares : shared, squares);
    if (n_rows > 1)
        *out *= (double)n_rows / (double)(n_rows - 1);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* The mean of x over the examples that count, with its error. An auc is the
 * mean over the pairs that match and over the others; they vary apart. */
static akin_status estimate(ak_estimate *out, akin_ctx *ctx, const ak_scores *s,
                            const double *x)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double sum[2] = {0.0, 0.0}, variance = 0.0, *parts;
    int64_t n[2] = {0, 0};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->n, &parts));
    for (int64_t t = 0; t < s->n; ++t)
        if (!isnan(x[t])) {
            const int kind = s->match != NULL && s->match[t];
            sum[kind] += x[t];
            ++n[kind];
        }
    for (int64_t t = 0; t < s->n; ++t)
        if (!isnan(x[t])) {
            const int kind = s->match != NULL && s->match[t];
            const double count = (double)n[kind];
            parts[t] = (x[t] - sum[kind] / count) / count;
            variance += parts[t] * parts[t];
        }
    *out = (ak_estimate){NAN, NAN, n[0] + n[1]};
    if (out->n == 0 || (s->match != NULL && (n[0] == 0 || n[1] == 0)))
        goto done;
    out->value = sum[0] / (double)n[0];
    if (s->match != NULL)
        out->value = 0.5 * (out->value + sum[1] / (double)n[1]);
    if (s->rows != NULL)
        AK_TRY(dependent_variance(&variance, ctx, s, parts));
    else if (out->n > 1)
        variance *= (double)out->n / (double)(out->n - 1);
    out->se = out->n > 1 ? sqrt(variance) : NAN;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_scores_mean(ak_estimate *out, akin_ctx *ctx, const ak_scores *s,
                           bool second)
{
    return estimate(out, ctx, s, second ? s->second : s->each);
}

akin_status ak_scores_difference(ak_estimate *out, akin_ctx *ctx,
                                 const ak_scores *a, const ak_scores *b,
                                 bool second)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const double *x = second ? a->second : a->each;
    const double *y = second ? b->second : b->each;
    const bool is_error =
        is_word(second ? a->second_measure : a->measure, "error");
    double *gain;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, a->n, &gain));
    for (int64_t t = 0; t < a->n; ++t)
        gain[t] = is_error ? y[t] - x[t] : x[t] - y[t];
    AK_TRY(estimate(out, ctx, a, gain));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- examples ---- */

akin_status ak_tune_pass(int64_t *pass, akin_ctx *ctx,
                         const akin_supervision *s, bool ranks)
{
    ak_sampler *sampler = NULL;
    if (ranks || (s->kind == AKIN_LABELS && s->right != NULL)) {
        *pass = s->sample > 0 ? s->sample : akin_supervision_examples(s);
        return AKIN_OK;
    }
    if (s->kind == AKIN_NOTHING) {
        *pass = 1;
        return AKIN_OK;
    }
    const akin_status st = ak_sampler_new(&sampler, ctx, s);
    if (st == AKIN_OK)
        *pass = ak_sampler_pass(sampler);
    ak_sampler_free(sampler);
    return st;
}

static akin_status copy_known(akin_ctx *ctx, const int64_t *from, int64_t n,
                              int64_t **to, int64_t *count)
{
    if (from == NULL)
        return AKIN_OK;
    AK_CHECK(AK_NEW(ctx, n, to));
    memcpy(*to, from, (size_t)n * sizeof *from);
    *count = n;
    return AKIN_OK;
}

akin_status ak_tune_part(akin_supervision **out, akin_ctx *ctx,
                         const akin_supervision *s, int64_t pass)
{
    akin_supervision *part = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_supervision_like(&part, ctx, s));
    if (s->numbers != NULL)
        AK_TRY(akin_supervision_set(
            ctx, part, s->kind, s->numbers,
            s->kind == AKIN_TRIPLETS ? ak_min_i64(pass, s->count) : s->count));
    AK_TRY(copy_known(ctx, s->known, s->n_known, &part->known, &part->n_known));
    AK_TRY(copy_known(ctx, s->right_known, s->n_right_known, &part->right_known,
                      &part->n_right_known));
    akin_supervision_sample(part, pass, s->passes);
    *out = part;
    part = NULL;
done:
    akin_supervision_free(part);
    return st;
}
