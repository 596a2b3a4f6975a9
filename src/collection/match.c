/* Why two pictures are alike: which of their features are the same word, and
 * whether these agree on a motion.
 *
 * A pair of features says how one picture moves into the other: by the ratio of
 * their sizes, the difference of their angles, and then their places. Each pair
 * is tried, and the motion that most pairs follow is taken. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collection/collection.h"
#include "collection/derive.h"

enum { WORD_MOST = 8 };  // pairs of one word, more are of a pattern

#define SIDE_MOST 16384.0F
#define NEAR 0.06  // of a picture's longer side, for pairs that agree

/* The features of a picture, sorted by word. */
typedef struct features {
    int64_t n;
    double side;
    int32_t *words, *sorted;
    ak_sift_frame *frames;
} features;

/* Places within a picture, sizes no larger. */
static bool are_frames(const features *f)
{
    for (int64_t i = 0; i < f->n; ++i) {
        const ak_sift_frame *a = &f->frames[i];
        if (!(a->x >= -1.0F && a->x <= SIDE_MOST && a->y >= -1.0F &&
              a->y <= SIDE_MOST && a->scale > 0.0F && a->scale <= SIDE_MOST &&
              isfinite(a->angle)))
            return false;
    }
    return true;
}

static akin_status load(features *f, const akin_collection *c, akin_ctx *ctx,
                        int64_t row)
{
    sqlite3_stmt *q = NULL;
    bool found;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q,
                      "SELECT row, frames, max(width, height) FROM features "
                      "JOIN items ON id = ?1 WHERE key = 16 * ?1",
                      "i", ak_collection_id(c, row)));
    AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &found));
    f->n = found ? sqlite3_column_bytes(q, 0) / (int64_t)sizeof *f->words : 0;
    if (!found ||
        sqlite3_column_bytes(q, 1) != (int)((size_t)f->n * sizeof *f->frames))
        AK_TRY(ak_fail(ctx, found ? AKIN_EFORMAT : AKIN_ESHAPE,
                       "%s: no picture %" PRId64, c->catalog.folder, row));
    f->side = sqlite3_column_double(q, 2);
    AK_TRY(AK_SCRATCH(ctx, f->n, &f->words));
    AK_TRY(AK_SCRATCH(ctx, f->n, &f->sorted));
    AK_TRY(AK_SCRATCH(ctx, f->n, &f->frames));
    if (f->n > 0) {
        memcpy(f->words, sqlite3_column_blob(q, 0),
               (size_t)f->n * sizeof *f->words);
        memcpy(f->frames, sqlite3_column_blob(q, 1),
               (size_t)f->n * sizeof *f->frames);
        memcpy(f->sorted, f->words, (size_t)f->n * sizeof *f->words);
    }
    if (!are_frames(f))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: picture %" PRId64 " has invalid features",
                       c->catalog.sql.path, row));
done:
    sqlite3_finalize(q);
    return st;
}

/* Both as rows of counts. */
static akin_status bags_of(akin_rows **out, akin_ctx *ctx, features f[2],
                           int64_t words)
{
    int64_t offsets[3] = {0, 0, 0};
    int32_t *cols;
    float *vals;
    AK_CHECK(AK_SCRATCH(ctx, f[0].n + f[1].n, &cols));
    AK_CHECK(AK_SCRATCH(ctx, f[0].n + f[1].n, &vals));
    for (int k = 0; k < 2; ++k)
        offsets[k + 1] = offsets[k] + ak_bag_of_words(f[k].sorted, f[k].n,
                                                      cols + offsets[k],
                                                      vals + offsets[k]);
    return akin_rows_new_sparse(out, ctx, 2, words, offsets, cols, vals);
}

static akin_status explain(akin_reason *reasons, int64_t *count, double *score,
                           akin_ctx *ctx, const akin_model *m,
                           const akin_rows *bags, int64_t top)
{
    const int64_t ij[2] = {0, 1};
    akin_rows *left = NULL, *right = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_model_prepare(&left, ctx, m, bags, AKIN_LEFT));
    AK_TRY(akin_model_prepare(&right, ctx, m, bags, AKIN_RIGHT));
    AK_TRY(akin_model_explain(reasons, count, ctx, m, left, 0, right, 1, top,
                              AKIN_BY_DEFAULT));
    AK_TRY(
        akin_model_score(score, ctx, m, left, right, ij, 1, AKIN_BY_DEFAULT));
done:
    akin_rows_free(left);
    akin_rows_free(right);
    return st;
}

/* ---- pairs ---- */

typedef struct pairs {
    akin_match *at;
    float (*turn)[2];  // angles of both
    int64_t n, room;
} pairs;

static akin_status add_pair(pairs *p, akin_ctx *ctx, const akin_match *m,
                            const ak_sift_frame *a, const ak_sift_frame *b)
{
    int64_t room = p->room;
    AK_CHECK(ak_grow(ctx, p->n + 1, &room, sizeof *p->at, &p->at));
    AK_CHECK(ak_grow(ctx, p->n + 1, &p->room, sizeof *p->turn, &p->turn));
    p->at[p->n] = *m;
    p->turn[p->n][0] = a->angle;
    p->turn[p->n][1] = b->angle;
    ++p->n;
    return AKIN_OK;
}

static int64_t count_word(const features *f, int32_t word)
{
    int64_t n = 0;
    for (int64_t i = 0; i < f->n; ++i)
        n += f->words[i] == word;
    return n;
}

static akin_status pair_word(pairs *p, akin_ctx *ctx, const features f[2],
                             const akin_reason *reason)
{
    const int32_t word = (int32_t)reason->feature;
    const int64_t all = count_word(&f[0], word) * count_word(&f[1], word);
    if (all > WORD_MOST)
        return AKIN_OK;
    for (int64_t i = 0; i < f[0].n; ++i)
        for (int64_t j = 0; f[0].words[i] == word && j < f[1].n; ++j) {
            const ak_sift_frame *a = &f[0].frames[i], *b = &f[1].frames[j];
            if (f[1].words[j] != word)
                continue;
            const akin_match m = {word,
                                  reason->contribution / (double)all,
                                  {a->x, a->y, a->scale},
                                  {b->x, b->y, b->scale},
                                  0};
            AK_CHECK(add_pair(p, ctx, &m, a, b));
        }
    return AKIN_OK;
}

/* Where the motion of pair k takes the place of pair i, and how far that is
 * from where it is. */
static double error_of(const pairs *p, int64_t k, int64_t i)
{
    const akin_match *m = &p->at[k], *x = &p->at[i];
    const double s = m->right[2] / m->left[2];
    const double t = (double)(p->turn[k][1] - p->turn[k][0]);
    const double u = x->left[0] - m->left[0], v = x->left[1] - m->left[1];
    const double to_x = m->right[0] + s * (u * cos(t) - v * sin(t));
    const double to_y = m->right[1] + s * (u * sin(t) + v * cos(t));
    return hypot(to_x - x->right[0], to_y - x->right[1]);
}

static void find_agreement(pairs *p, double side)
{
    int64_t best = -1, most = 2;  // two agree by chance
    for (int64_t k = 0; k < p->n; ++k) {
        int64_t n = 0;
        for (int64_t i = 0; i < p->n; ++i)
            n += error_of(p, k, i) < NEAR * side;
        if (n > most) {
            most = n;
            best = k;
        }
    }
    for (int64_t i = 0; best >= 0 && i < p->n; ++i)
        p->at[i].agrees = error_of(p, best, i) < NEAR * side;
}

static int by_size(const void *a, const void *b)
{
    const akin_match *x = a, *y = b;
    const double u = fabs(x->contribution), v = fabs(y->contribution);
    if (u != v)
        return u < v ? 1 : -1;
    return (x->word > y->word) - (x->word < y->word);
}

/* ---- matches ---- */

static akin_status match(pairs *p, double *score, akin_ctx *ctx,
                         const akin_collection *c, const akin_model *m,
                         const int64_t row[2])
{
    features f[2] = {{0}, {0}};
    akin_reason *reasons;
    akin_rows *bags = NULL;
    int64_t count = 0;
    akin_status st = AKIN_OK;
    for (int k = 0; k < 2; ++k)
        AK_TRY(load(&f[k], c, ctx, row[k]));
    AK_TRY(bags_of(&bags, ctx, f, c->codebook->k));
    AK_TRY(AK_SCRATCH(ctx, f[0].n + 2, &reasons));
    AK_TRY(explain(reasons, &count, score, ctx, m, bags,
                   ak_max_i64(1, ak_min_i64(f[0].n, c->codebook->k))));
    for (int64_t r = 0; r < count; ++r)
        if (reasons[r].feature >= 0)
            AK_TRY(pair_word(p, ctx, f, &reasons[r]));
    find_agreement(p, f[1].side);
    if (p->n > 0)
        qsort(p->at, (size_t)p->n, sizeof *p->at, by_size);
done:
    akin_rows_free(bags);
    return st;
}

akin_status akin_collection_match(akin_match **out, int64_t *n, double *score,
                                  akin_ctx *ctx, akin_collection *c,
                                  const akin_model *model, int64_t i, int64_t j)
{
    const int64_t row[2] = {i, j};
    const ak_mark mark = ak_scratch_begin(ctx);
    pairs p = {0};
    akin_status st = AKIN_OK;
    if (c->codebook == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s is incomplete; rerun the command that started it",
                       c->catalog.folder));
    if (model == NULL) {
        AK_TRY(ak_collection_segments(c, ctx));
        model = akin_index_model(c->segments[0].x);
    }
    AK_TRY(match(&p, score, ctx, c, model, row));
    *out = p.at;
    *n = p.n;
    p.at = NULL;
done:
    akin_free(p.at);
    akin_free(p.turn);
    ak_scratch_end(ctx, mark);
    return st;
}
