/* Counts of terms: a bag of words for each document. */
#include "text/bag.h"

#include <stdlib.h>
#include <string.h>

static akin_status room_for_terms(ak_bag *b)
{
    if (b->names.n <= b->room)
        return AKIN_OK;
    const int64_t room = 2 * b->room + b->names.n;
    AK_CHECK(ak_resize(b->ctx, room, sizeof *b->terms, &b->terms));
    for (int64_t k = b->room; k < room; ++k)
        b->terms[k] = (ak_term){0, -1, 0};
    b->room = room;
    return AKIN_OK;
}

int32_t ak_bag_look(const ak_bag *b, const char *word, size_t n)
{
    if (!b->fixed && b->stop != NULL && ak_names_find(b->stop, word, n) >= 0)
        return AK_BAG_NO_TERM;
    const int32_t term = ak_names_find(&b->names, word, n);
    return term < 0 && b->fixed ? AK_BAG_NO_TERM : term;
}

akin_status ak_bag_add(ak_bag *b, const char *word, size_t n)
{
    int32_t term;
    AK_CHECK(ak_names_add(&b->names, b->ctx, word, n, &term));
    AK_CHECK(room_for_terms(b));
    return ak_bag_count(b, term);
}

static akin_status count_word(void *arg, const char *word, size_t n)
{
    ak_bag *b = arg;
    if (b->fixed) {
        const int32_t term = ak_names_find(&b->names, word, n);
        return term < 0 ? AKIN_OK : ak_bag_count(b, term);
    }
    if (b->stop != NULL && ak_names_find(b->stop, word, n) >= 0)
        return AKIN_OK;
    return ak_bag_add(b, word, n);
}

akin_status ak_bag_count(ak_bag *b, int32_t term)
{
    akin_rows *r = b->build.rows;
    ak_term *t = &b->terms[term];
    ++b->n_words;
    if (t->row == r->n) {
        r->vals[t->at] += 1.0F;
        return AKIN_OK;
    }
    AK_CHECK(ak_row_builder_room(&b->build, b->ctx, 1));
    *t = (ak_term){t->documents + 1, r->n, b->build.n_vals++};
    r->cols[t->at] = term;
    r->vals[t->at] = 1.0F;
    return AKIN_OK;
}

static akin_status fix(ak_bag *b, const ak_columns *vocabulary)
{
    for (int64_t j = 0; j < vocabulary->n; ++j) {
        const char *term = ak_columns_name(vocabulary, j);
        int32_t number;
        if (term == NULL)
            return ak_fail(b->ctx, AKIN_EINVAL,
                           "column %" PRId64 " of the vocabulary has no name",
                           j);
        AK_CHECK(ak_names_add(&b->names, b->ctx, term, strlen(term), &number));
        if (number != j)
            return ak_fail(b->ctx, AKIN_EINVAL,
                           "term '%s' occurs twice in the vocabulary, as "
                           "%d and %" PRId64,
                           term, number, j);
    }
    b->fixed = true;
    return room_for_terms(b);
}

akin_status ak_bag_begin(ak_bag *b, akin_ctx *ctx, const ak_columns *vocabulary,
                         const ak_names *stop, int64_t least, int64_t most)
{
    *b = (ak_bag){.ctx = ctx, .stop = stop};
    b->words =
        (ak_words){.take = count_word, .arg = b, .least = least, .most = most};
    AK_CHECK(ak_row_builder_begin(&b->build, ctx, true));
    if (vocabulary != NULL)
        AK_CHECK(fix(b, vocabulary));
    return AKIN_OK;
}

void ak_bag_open(ak_bag *b)
{
    b->begin = b->build.n_vals;
    b->words.n_bad = b->words.n_zero = 0;
}

akin_status ak_bag_feed(ak_bag *b, const void *bytes, size_t n)
{
    return ak_words_feed(&b->words, bytes, n);
}

int64_t ak_bag_terms(const ak_bag *b)
{
    return b->build.n_vals - b->begin;
}

akin_status ak_bag_close(ak_bag *b)
{
    AK_CHECK(ak_words_end(&b->words));
    AK_CHECK(ak_row_builder_room(&b->build, b->ctx, 0));
    ak_row_builder_row(&b->build, -1);
    return AKIN_OK;
}

void ak_bag_undo(ak_bag *b)
{
    for (int64_t k = b->begin; k < b->build.n_vals; ++k) {
        ak_term *t = &b->terms[b->build.rows->cols[k]];
        --t->documents;
        t->row = -1;
        b->n_words -= (int64_t)b->build.rows->vals[k];
    }
    b->build.n_vals = b->begin;
    b->words.run = AK_RUN_NONE;
    b->words.n = 0;
    b->words.n_cut = 0;
}

/* ---- terms that others number ---- */

akin_status ak_bag_know(ak_bag *b, const char *term, size_t n)
{
    int32_t number;
    AK_CHECK(ak_names_add(&b->names, b->ctx, term, n, &number));
    return room_for_terms(b);
}

typedef struct pair {
    int32_t column;
    float count;
} pair;

static int by_column(const void *a, const void *b)
{
    return ((const pair *)a)->column - ((const pair *)b)->column;
}

akin_status ak_bag_take(ak_bag *b, const int32_t **terms, const float **counts,
                        int64_t *n)
{
    const ak_mark mark = ak_scratch_begin(b->ctx);
    pair *row;
    akin_status st = AKIN_OK;
    AK_TRY(ak_words_end(&b->words));
    AK_TRY(ak_row_builder_room(&b->build, b->ctx, 1));  // not NULL
    *n = ak_bag_terms(b);
    int32_t *cols = b->build.rows->cols + b->begin;
    float *vals = b->build.rows->vals + b->begin;
    AK_TRY(AK_SCRATCH(b->ctx, *n, &row));
    for (int64_t k = 0; k < *n; ++k)
        row[k] = (pair){cols[k], vals[k]};
    qsort(row, (size_t)*n, sizeof *row, by_column);
    for (int64_t k = 0; k < *n; ++k) {
        cols[k] = row[k].column;
        vals[k] = row[k].count;
    }
    *terms = cols;
    *counts = vals;
done:
    ak_scratch_end(b->ctx, mark);
    return st;
}

/* ---- the end ---- */

typedef struct named {
    const char *name;
    int32_t number;
} named;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

/* The column of each term, -1 for those that go, and the columns' names. */
static akin_status number_terms(ak_bag *b, akin_rows *r, int64_t least,
                                int64_t most, int32_t *column)
{
    named *stay;
    AK_CHECK(AK_SCRATCH(b->ctx, b->names.n, &stay));
    for (int32_t k = 0; k < (int32_t)b->names.n; ++k) {
        const int64_t in = b->terms[k].documents;
        column[k] = -1;
        if (b->fixed || (in >= least && in <= most))
            stay[r->d++] = (named){b->names.texts[k], k};
    }
    if (!b->fixed)
        qsort(stay, (size_t)r->d, sizeof *stay, by_name);
    for (int32_t j = 0; j < (int32_t)r->d; ++j) {
        column[stay[j].number] = j;
        AK_CHECK(ak_columns_add(&r->columns, b->ctx, stay[j].name,
                                strlen(stay[j].name)));
    }
    return AKIN_OK;
}

/* Renumber the entries of each row, sort them and close the gaps. */
static akin_status renumber(akin_ctx *ctx, akin_rows *r, const int32_t *column)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t longest = 0, to = 0, begin = 0;
    pair *row;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < r->n; ++i)
        longest = ak_max_i64(longest, r->offsets[i + 1] - r->offsets[i]);
    AK_TRY(AK_SCRATCH(ctx, longest, &row));
    for (int64_t i = 0; i < r->n; ++i) {
        const int64_t end = r->offsets[i + 1];
        int64_t n = 0;
        for (int64_t k = begin; k < end; ++k)
            if (column[r->cols[k]] >= 0)
                row[n++] = (pair){column[r->cols[k]], r->vals[k]};
        qsort(row, (size_t)n, sizeof *row, by_column);
        for (int64_t k = 0; k < n; ++k, ++to) {
            r->cols[to] = row[k].column;
            r->vals[to] = row[k].count;
        }
        r->offsets[i + 1] = to;
        begin = end;
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_bag_end(ak_bag *b, akin_rows **out, int64_t least, int64_t most)
{
    const ak_mark mark = ak_scratch_begin(b->ctx);
    akin_rows *r = NULL;
    int32_t *column;
    akin_status st = AKIN_OK;
    AK_TRY(ak_row_builder_end(&b->build, b->ctx, &r));
    r->index_base = AKIN_BASE_1;
    AK_TRY(AK_SCRATCH(b->ctx, b->names.n, &column));
    AK_TRY(number_terms(b, r, least, most, column));
    AK_TRY(renumber(b->ctx, r, column));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    ak_scratch_end(b->ctx, mark);
    return st;
}

void ak_bag_drop(ak_bag *b)
{
    if (b->ctx == NULL)
        return;
    ak_row_builder_drop(&b->build);
    ak_names_free(&b->names);
    akin_free(b->terms);
    b->terms = NULL;
}
