/* Which features of two pictures are the same word, which of these move
 * together, and pictures that a search found put in order by that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collection/collection.h"
#include "collection/derive.h"
#include "collection/pictures/geometry.h"

enum { WORD_MOST = 8 };  // pairs of one word, more are of a pattern

#define SIDE_MOST 16384.0F

/* A feature by its word. */
typedef struct word_place {
    int32_t word, feature;
} word_place;

typedef struct features {
    int64_t n;
    double side;  // the longer one of the picture
    const ak_sift_frame *frames;
    word_place *places;  // n, by word and then by feature
} features;

static int by_word(const void *a, const void *b)
{
    const word_place *x = a, *y = b;
    if (x->word != y->word)
        return x->word < y->word ? -1 : 1;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

static akin_status sort_words(features *f, akin_ctx *ctx, const int32_t *words)
{
    AK_CHECK(AK_SCRATCH(ctx, f->n, &f->places));
    for (int64_t i = 0; i < f->n; ++i)
        f->places[i] = (word_place){words[i], (int32_t)i};
    if (f->n > 0)
        qsort(f->places, (size_t)f->n, sizeof *f->places, by_word);
    return AKIN_OK;
}

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
    ak_sift_frame *frames;
    int32_t *words;
    bool found;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->catalog.sql, ctx, &q,
                      "SELECT row, frames, max(width, height) FROM features "
                      "JOIN items ON id = ?1 WHERE key = 16 * ?1",
                      "i", ak_collection_id(c, row)));
    AK_TRY(ak_sql_next(&c->catalog.sql, ctx, q, &found));
    f->n = found ? sqlite3_column_bytes(q, 0) / (int64_t)sizeof *words : 0;
    if (!found ||
        sqlite3_column_bytes(q, 1) != (int)((size_t)f->n * sizeof *frames))
        AK_TRY(ak_fail(ctx, found ? AKIN_EFORMAT : AKIN_ESHAPE,
                       "%s: no picture %" PRId64, c->catalog.folder, row));
    f->side = sqlite3_column_double(q, 2);
    AK_TRY(AK_SCRATCH(ctx, f->n, &words));
    AK_TRY(AK_SCRATCH(ctx, f->n, &frames));
    if (f->n > 0) {
        memcpy(words, sqlite3_column_blob(q, 0), (size_t)f->n * sizeof *words);
        memcpy(frames, sqlite3_column_blob(q, 1),
               (size_t)f->n * sizeof *frames);
    }
    f->frames = frames;
    if (!are_frames(f))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: picture %" PRId64 " has invalid features",
                       c->catalog.sql.path, row));
    AK_TRY(sort_words(f, ctx, words));
done:
    sqlite3_finalize(q);
    return st;
}

/* ---- what a word adds to the score ---- */

/* Pictures as rows of counts. */
static akin_status bags_of(akin_rows **out, akin_ctx *ctx, const features *f,
                           int64_t n, int64_t words)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *offsets, all = 0, longest = 0;
    int32_t *cols, *sorted;
    float *vals;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < n; ++k) {
        all += f[k].n;
        longest = ak_max_i64(longest, f[k].n);
    }
    AK_TRY(AK_SCRATCH(ctx, n + 1, &offsets));
    AK_TRY(AK_SCRATCH(ctx, longest, &sorted));
    AK_TRY(AK_SCRATCH(ctx, all, &cols));
    AK_TRY(AK_SCRATCH(ctx, all, &vals));
    for (int64_t k = 0; k < n; ++k) {
        const int64_t at = offsets[k];
        for (int64_t i = 0; i < f[k].n; ++i)
            sorted[i] = f[k].places[i].word;
        offsets[k + 1] = at +
                         ak_bag_of_words(sorted, f[k].n, cols + at, vals + at);
    }
    AK_TRY(akin_rows_new_sparse(out, ctx, n, words, offsets, cols, vals));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Pictures, of which the first is the query, and how their words count. */
typedef struct pictures {
    features *f;
    int64_t n;
    const akin_model *model;  // NULL: every word counts the same
    akin_rows *left, *right;  // prepared for the model
    akin_reason *reasons;     // of the last pair
    int64_t count;
} pictures;

static akin_status weigh_words(pictures *p, akin_ctx *ctx,
                               const akin_collection *c)
{
    akin_rows *bags = NULL;
    ak_space words;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->f[0].n + 2, &p->reasons));
    if (p->model == NULL)
        return AKIN_OK;
    AK_TRY(ak_space_find(&c->catalog, ctx, "words", &words));
    AK_TRY(bags_of(&bags, ctx, p->f, p->n, words.dim));
    AK_TRY(akin_model_prepare(&p->left, ctx, p->model, bags, AKIN_LEFT));
    AK_TRY(akin_model_prepare(&p->right, ctx, p->model, bags, AKIN_RIGHT));
done:
    akin_rows_free(bags);
    return st;
}

static void drop_words(pictures *p)
{
    akin_rows_free(p->left);
    akin_rows_free(p->right);
}

/* What the words of the query add to its score with picture k. */
static akin_status find_reasons(pictures *p, akin_ctx *ctx, int64_t k)
{
    const features *f = &p->f[0];
    if (p->model != NULL)
        return akin_model_explain(p->reasons, &p->count, ctx, p->model, p->left,
                                  0, p->right, k, ak_max_i64(1, f->n),
                                  AKIN_BY_DEFAULT);
    p->count = 0;
    for (int64_t i = 0; i < f->n; ++i)
        if (i == 0 || f->places[i].word != f->places[i - 1].word)
            p->reasons[p->count++] = (akin_reason){f->places[i].word, 1.0};
    return AKIN_OK;
}

/* ---- pairs ---- */

typedef struct pairs {
    ak_frame_pair *at;
    double *shares;  // of what the word adds to the score
    int64_t n, room, agreeing;
} pairs;

static void drop_pairs(pairs *p)
{
    akin_free(p->at);
    akin_free(p->shares);
}

/* The features with this word. */
static int64_t find_word(const features *f, int32_t word,
                         const word_place **first)
{
    int64_t low = 0, high = f->n, n = 0;
    while (low < high) {
        const int64_t k = (low + high) / 2;
        if (f->places[k].word < word)
            low = k + 1;
        else
            high = k;
    }
    *first = f->places + low;
    while (low + n < f->n && f->places[low + n].word == word)
        ++n;
    return n;
}

/* What a feature weighs is its part of what the word adds. */
static akin_status pair_word(pairs *p, akin_ctx *ctx, const features *left,
                             const features *right, const akin_reason *reason)
{
    const word_place *a, *b;
    const int64_t n = find_word(left, (int32_t)reason->feature, &a);
    const int64_t m = find_word(right, (int32_t)reason->feature, &b);
    int64_t room = p->room;
    if (n == 0 || m == 0 || n * m > WORD_MOST)
        return AKIN_OK;
    AK_CHECK(ak_grow(ctx, p->n + n * m, &room, sizeof *p->shares, &p->shares));
    AK_CHECK(ak_grow(ctx, p->n + n * m, &p->room, sizeof *p->at, &p->at));
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < m; ++j) {
            p->at[p->n] = (ak_frame_pair){a[i].feature, b[j].feature,
                                          fmax(0.0, reason->contribution) /
                                              (double)ak_min_i64(n, m),
                                          false};
            p->shares[p->n++] = reason->contribution / (double)(n * m);
        }
    return AKIN_OK;
}

/* The pairs of the query and picture k, those marked that move together. */
static akin_status pair_up(pairs *out, pictures *p, akin_ctx *ctx, int64_t k)
{
    const features *left = &p->f[0], *right = &p->f[k];
    const ak_two_frames both = {left->frames, right->frames, left->n, right->n,
                                right->side};
    out->n = 0;
    AK_CHECK(find_reasons(p, ctx, k));
    for (int64_t r = 0; r < p->count; ++r)
        if (p->reasons[r].feature >= 0)
            AK_CHECK(pair_word(out, ctx, left, right, &p->reasons[r]));
    return ak_geometry_agree(&out->agreeing, ctx, &both, out->at, out->n);
}

/* ---- matches ---- */

static void set_place(double out[3], const ak_sift_frame *f)
{
    out[0] = f->x;
    out[1] = f->y;
    out[2] = f->scale;
}

static int by_size(const void *a, const void *b)
{
    const akin_match *x = a, *y = b;
    const double u = fabs(x->contribution), v = fabs(y->contribution);
    if (u != v)
        return u < v ? 1 : -1;
    return (x->word > y->word) - (x->word < y->word);
}

static akin_status list_matches(akin_match **out, akin_ctx *ctx,
                                const features f[2], const int32_t *words,
                                const pairs *p)
{
    akin_match *m = NULL;
    AK_CHECK(AK_NEW(ctx, ak_max_i64(p->n, 1), &m));
    for (int64_t i = 0; i < p->n; ++i) {
        const ak_frame_pair *q = &p->at[i];
        m[i].word = words[q->left];
        m[i].contribution = p->shares[i];
        m[i].agrees = q->agrees;
        set_place(m[i].left, &f[0].frames[q->left]);
        set_place(m[i].right, &f[1].frames[q->right]);
    }
    if (p->n > 0)
        qsort(m, (size_t)p->n, sizeof *m, by_size);
    *out = m;
    return AKIN_OK;
}

static akin_status need_words(const akin_collection *c, akin_ctx *ctx)
{
    ak_space words;
    AK_CHECK(ak_space_find(&c->catalog, ctx, "words", &words));
    if (words.id >= 0)
        return AKIN_OK;
    if (strcmp(c->kind, "images") != 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s has no pictures, whose features have places",
                       c->catalog.folder);
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s is incomplete; rerun the command that started it",
                   c->catalog.folder);
}

/* The word of each feature. */
static akin_status words_of(int32_t **out, akin_ctx *ctx, const features *f)
{
    AK_CHECK(AK_SCRATCH(ctx, f->n, out));
    for (int64_t i = 0; i < f->n; ++i)
        (*out)[f->places[i].feature] = f->places[i].word;
    return AKIN_OK;
}

/* The model that the collection is searched by; NULL: it compares no words. */
static akin_status model_of_words(const akin_model **out, akin_collection *c,
                                  akin_ctx *ctx)
{
    *out = NULL;
    if (c->version.left.form != AK_FORM_WORDS ||
        c->version.right.form != AK_FORM_WORDS)
        return AKIN_OK;
    AK_CHECK(ak_collection_segments(c, ctx));
    *out = akin_index_model(c->segments[0].x);
    return AKIN_OK;
}

/* The matches of two pictures that are there, and their score. */
static akin_status match(akin_match **out, int64_t *n, double *score,
                         akin_ctx *ctx, akin_collection *c, pictures *p)
{
    const int64_t ij[2] = {0, 1};
    pairs found = {0};
    int32_t *words;
    akin_status st = AKIN_OK;
    if (p->model == NULL)
        AK_TRY(model_of_words(&p->model, c, ctx));
    if (p->model == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s does not compare words (`model` can name one that "
                       "does)",
                       c->catalog.folder));
    AK_TRY(weigh_words(p, ctx, c));
    AK_TRY(pair_up(&found, p, ctx, 1));
    AK_TRY(akin_model_score(score, ctx, p->model, p->left, p->right, ij, 1,
                            AKIN_BY_DEFAULT));
    AK_TRY(words_of(&words, ctx, &p->f[0]));
    AK_TRY(list_matches(out, ctx, p->f, words, &found));
    *n = found.n;
done:
    drop_pairs(&found);
    return st;
}

akin_status akin_collection_match(akin_match **out, int64_t *n, double *score,
                                  akin_ctx *ctx, akin_collection *c,
                                  const akin_model *model, int64_t i, int64_t j)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    features f[2] = {{0}, {0}};
    pictures p = {.f = f, .n = 2, .model = model};
    akin_status st = AKIN_OK;
    AK_TRY(need_words(c, ctx));
    AK_TRY(load(&f[0], c, ctx, i));
    AK_TRY(load(&f[1], c, ctx, j));
    AK_TRY(match(out, n, score, ctx, c, &p));
done:
    drop_words(&p);
    ak_scratch_end(ctx, mark);
    return st;
}

/* The features of a file outside the collection; `seen` owns them. */
static akin_status extract(features *f, ak_features *seen, akin_ctx *ctx,
                           akin_collection *c, const char *file)
{
    AK_CHECK(ak_collection_extractor(c, ctx));
    AK_CHECK(ak_extractor_run(c->extractor, ctx, &file, 1, c->codebook, seen));
    if (seen->why != NULL)
        return ak_fail(ctx, seen->status, "%s", seen->why);
    f->n = seen->n;
    f->side = (double)ak_max_i64(seen->width, seen->height);
    f->frames = seen->frames;
    return sort_words(f, ctx, seen->words);
}

akin_status akin_collection_match_file(akin_match **out, int64_t *n,
                                       double *score, int64_t *width,
                                       int64_t *height, akin_ctx *ctx,
                                       akin_collection *c, const char *file,
                                       int64_t j)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_features seen = {0};
    features f[2] = {{0}, {0}};
    pictures p = {.f = f, .n = 2};
    akin_status st = AKIN_OK;
    AK_TRY(need_words(c, ctx));
    AK_TRY(extract(&f[0], &seen, ctx, c, file));
    AK_TRY(load(&f[1], c, ctx, j));
    AK_TRY(match(out, n, score, ctx, c, &p));
    *width = seen.width;
    *height = seen.height;
done:
    drop_words(&p);
    ak_features_free(&seen);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- results in order ---- */

/* A picture that was found, and what its features that move together add. */
typedef struct verified {
    int64_t row, agreeing, place;
    double score, weight;
} verified;

static int by_weight(const void *a, const void *b)
{
    const verified *x = a, *y = b;
    const bool u = x->agreeing > 0, v = y->agreeing > 0;
    if (u != v)
        return u ? -1 : 1;
    if (u && x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

static akin_status verify(verified *v, int64_t n, akin_ctx *ctx, pictures *p)
{
    pairs found = {0};
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < n; ++k) {
        AK_TRY(ak_ctx_tick(ctx, "pictures verified", k, n, NAN));
        AK_TRY(pair_up(&found, p, ctx, k + 1));
        v[k].agreeing = found.agreeing;
        for (int64_t i = 0; i < found.n; ++i)
            v[k].weight += found.at[i].agrees ? found.at[i].weight : 0.0;
    }
done:
    drop_pairs(&found);
    return st;
}

akin_status akin_collection_verify(int64_t *rows, double *scores,
                                   int64_t *agreeing, akin_ctx *ctx,
                                   akin_collection *c, const char *file,
                                   int64_t query, int64_t n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_features seen = {0};
    pictures p = {0};
    verified *v;
    akin_status st = AKIN_OK;
    AK_TRY(need_words(c, ctx));
    while (n > 0 && rows[n - 1] < 0)  // fewer were found
        --n;
    AK_TRY(AK_SCRATCH(ctx, n + 1, &p.f));
    AK_TRY(AK_SCRATCH(ctx, n, &v));
    p.n = n + 1;
    AK_TRY(model_of_words(&p.model, c, ctx));
    AK_TRY(file != NULL ? extract(&p.f[0], &seen, ctx, c, file)
                        : load(&p.f[0], c, ctx, query));
    for (int64_t k = 0; k < n; ++k) {
        v[k] = (verified){.row = rows[k], .place = k, .score = scores[k]};
        st = load(&p.f[k + 1], c, ctx, rows[k]);
        if (st == AKIN_ESHAPE)  // a text: it has no features that move
            p.f[k + 1] = (features){.n = 0};
        else
            AK_TRY(st);
    }
    AK_TRY(weigh_words(&p, ctx, c));
    AK_TRY(verify(v, n, ctx, &p));
    if (n > 0)
        qsort(v, (size_t)n, sizeof *v, by_weight);
    for (int64_t k = 0; k < n; ++k) {
        rows[k] = v[k].row;
        scores[k] = v[k].score;
        if (agreeing != NULL)
            agreeing[k] = v[k].agreeing;
    }
done:
    drop_words(&p);
    ak_features_free(&seen);
    ak_scratch_end(ctx, mark);
    return st;
}
