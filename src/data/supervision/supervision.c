/* What is known about rows: labels, or examples given in numbers. */
#include "data/supervision/supervision.h"

#include <stdio.h>
#include <string.h>

#include "data/captions/bags.h"
#include "data/supervision/lines.h"

static bool has_labels(const akin_rows *rows)
{
    return rows->label_offsets != NULL && rows->label_offsets[rows->n] > 0;
}

akin_status akin_supervision_new(akin_supervision **out, akin_ctx *ctx,
                                 const akin_rows *rows, const akin_rows *right,
                                 const akin_recipe *recipe)
{
    akin_supervision *s;
    AK_CHECK(AK_NEW(ctx, 1, &s));
    s->rows = rows;
    s->right = right;
    s->recipe = recipe;
    if (has_labels(rows))
        s->kind = AKIN_LABELS;
    *out = s;
    return AKIN_OK;
}

akin_status ak_supervision_blame(akin_status st, akin_ctx *ctx,
                                 const akin_supervision *s)
{
    char text[256];
    if (st != AKIN_EINVAL || s->name == NULL)
        return st;
    snprintf(text, sizeof text, "%s", akin_ctx_message(ctx));
    return ak_fail(ctx, AKIN_EINVAL, "%s: %s", s->name, text);
}

akin_status ak_supervision_like(akin_supervision **out, akin_ctx *ctx,
                                const akin_supervision *s)
{
    const akin_status st =
        akin_supervision_new(out, ctx, s->rows, s->right, s->recipe);
    if (st != AKIN_OK)
        return st;
    akin_supervision *like = *out;
    like->name = s->name;
    like->right_recipe = s->right_recipe;
    like->sample = s->sample;
    like->passes = s->passes;
    like->sampling = s->sampling;
    like->pair_weights = s->pair_weights;
    return AKIN_OK;
}

/* Nothing is known any more. */
static void forget(akin_supervision *s)
{
    akin_free(s->numbers);
    akin_free(s->known);
    akin_free(s->right_known);
    akin_free(s->held_out);
    ak_bags_free(s->bags);
    s->bags = NULL;
    s->numbers = s->known = s->right_known = s->held_out = NULL;
    s->count = s->n_known = s->n_right_known = s->n_held_out = s->first_line =
        0;
    s->kind = AKIN_NOTHING;
}

void akin_supervision_free(akin_supervision *s)
{
    if (s == NULL)
        return;
    forget(s);
    akin_free(s);
}

static akin_status copy_rows(akin_ctx *ctx, const int64_t *from, int64_t n,
                             int64_t **to, int64_t *count)
{
    if (from == NULL)
        return AKIN_OK;
    AK_CHECK(AK_NEW(ctx, n, to));
    if (n > 0)
        memcpy(*to, from, (size_t)n * sizeof *from);
    *count = n;
    return AKIN_OK;
}

static akin_status copy_bags(ak_bags **out, akin_ctx *ctx, const ak_bags *from)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    unsigned char *flags;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, from->n_photos, &flags));
    AK_TRY(ak_bags_select(out, ctx, from, flags, 0));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_supervision_copy(akin_supervision **out, akin_ctx *ctx,
                                const akin_supervision *from)
{
    akin_supervision *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_supervision_like(&s, ctx, from));
    if (from->numbers != NULL)
        AK_TRY(akin_supervision_set(ctx, s, from->kind, from->numbers,
                                    from->count));
    AK_TRY(copy_rows(ctx, from->known, from->n_known, &s->known, &s->n_known));
    AK_TRY(copy_rows(ctx, from->right_known, from->n_right_known,
                     &s->right_known, &s->n_right_known));
    if (from->bags != NULL)
        AK_TRY(copy_bags(&s->bags, ctx, from->bags));
    s->kind = from->kind;
    *out = s;
    s = NULL;
done:
    akin_supervision_free(s);
    return st;
}

static akin_status form_for(ak_line_form *form, akin_ctx *ctx,
                            const akin_supervision *s, akin_knowledge what)
{
    const akin_rows *right = s->right ? s->right : s->rows;
    *form = ak_line_form_of(what, s->rows->n, right->n);
    if (form->n == 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "examples are pairs, triplets or quadruplets");
    return AKIN_OK;
}

static void take_numbers(akin_supervision *s, akin_knowledge what,
                         int64_t *numbers, int64_t count)
{
    forget(s);
    s->kind = what;
    s->numbers = numbers;
    s->count = count;
}

akin_status akin_supervision_set(akin_ctx *ctx, akin_supervision *s,
                                 akin_knowledge what, const int64_t *numbers,
                                 int64_t count)
{
    ak_line_form form;
    int64_t *copy = NULL;

    AK_CHECK(form_for(&form, ctx, s, what));
    if (count < 0 || count > INT64_MAX / form.n)
        return ak_fail(ctx, AKIN_EINVAL, "%" PRId64 " examples", count);
    AK_CHECK(ak_lines_check(ctx, form, numbers, count));
    AK_CHECK(AK_NEW(ctx, count * form.n, &copy));
    if (count > 0)
        memcpy(copy, numbers, (size_t)(count * form.n) * sizeof *copy);
    take_numbers(s, what, copy, count);
    return AKIN_OK;
}

/* Captions of a file, or of a text that is called so. */
static akin_status read_bags(akin_supervision *s, akin_ctx *ctx,
                             const char *path, const char *text)
{
    ak_source *source = NULL;
    ak_bags *bags = NULL;
    akin_status st = AKIN_OK;

    if (text != NULL)
        AK_TRY(ak_source_memory(&source, ctx, path, AK_SOURCE_TEXT, text,
                                strlen(text)));
    else
        AK_TRY(ak_source_open(&source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(ak_bags_read(&bags, ctx, source, s->rows->n));
    forget(s);
    s->kind = AKIN_BAGS;
    s->bags = bags;
done:
    ak_source_close(source);
    return st;
}

akin_status akin_supervision_read(akin_ctx *ctx, akin_supervision *s,
                                  akin_knowledge what, const char *path)
{
    ak_line_form form;
    int64_t *numbers = NULL, count = 0, line = 0;

    if (what == AKIN_BAGS)
        return read_bags(s, ctx, path, NULL);
    AK_CHECK(form_for(&form, ctx, s, what));
    AK_CHECK(ak_lines_read(ctx, path, form, &numbers, &count, &line));
    take_numbers(s, what, numbers, count);
    s->first_line = line;
    return AKIN_OK;
}

akin_status akin_supervision_captions(akin_ctx *ctx, akin_supervision *s,
                                      const char *name, const char *text)
{
    return read_bags(s, ctx, name, text);
}

akin_status akin_supervision_anyone(akin_ctx *ctx, akin_supervision *s,
                                    const char *const *names, int64_t n_names)
{
    ak_bags *bags = NULL;
    AK_CHECK(ak_bags_anyone(&bags, ctx, s->rows->n, n_names, names));
    forget(s);
    s->kind = AKIN_BAGS;
    s->bags = bags;
    return AKIN_OK;
}

akin_status akin_supervision_min_count(char ***dropped, int64_t *n_dropped,
                                       akin_ctx *ctx, akin_supervision *s,
                                       int64_t least)
{
    if (s->kind != AKIN_BAGS)
        return ak_fail(ctx, AKIN_EINVAL, "there are no captions");
    AK_CHECK(ak_bags_drop_rare(s->bags, ctx, least, dropped, n_dropped));
    return s->bags->n_names > 0 ? AKIN_OK
                                : ak_fail(ctx, AKIN_EINVAL,
                                          "`min_count` %" PRId64
                                          ": no name is in so many captions",
                                          least);
}

akin_status akin_supervision_all_pairs(akin_ctx *ctx, akin_supervision *s)
{
    if (!has_labels(s->rows))
        return ak_fail(ctx, AKIN_EINVAL, "the %srows have no labels",
                       s->right ? "left " : "");
    if (s->right != NULL && !has_labels(s->right))
        return ak_fail(ctx, AKIN_EINVAL, "the right rows have no labels");
    forget(s);
    s->kind = AKIN_LABELS;
    return AKIN_OK;
}

akin_status akin_supervision_labelled(akin_ctx *ctx, akin_supervision *s,
                                      const char *path)
{
    int64_t *known = NULL, n = 0;

    if (s->kind != AKIN_LABELS)
        return ak_fail(ctx, AKIN_EINVAL, "%s: the rows have no labels", path);
    AK_CHECK(akin_numbers_read(&known, &n, ctx, path, s->rows->n));
    forget(s);
    s->kind = AKIN_LABELS;
    s->n_known = ak_numbers_sort(known, n);
    s->known = known;
    return AKIN_OK;
}

void akin_supervision_sample(akin_supervision *s, int64_t sample,
                             int64_t passes)
{
    s->sample = ak_max_i64(sample, 0);
    s->passes = ak_max_i64(passes, 0);
}

void akin_supervision_name(akin_supervision *s, const char *name)
{
    s->name = name;
}

static void flag_labelled(const akin_rows *rows, const int64_t *known,
                          int64_t n_known, unsigned char *used)
{
    const int64_t n = known ? n_known : rows->n;
    for (int64_t k = 0; k < n; ++k) {
        const int32_t *labels;
        const int64_t i = known ? known[k] : k;
        used[i] = akin_rows_labels(&labels, rows, i) > 0;
    }
}

/* In an example the first row, and the third of four, stand on the left. */
static void flag_named(const akin_supervision *s, akin_side side,
                       unsigned char *used)
{
    const int64_t each = s->kind == AKIN_QUADRUPLETS ? 4 : 3;
    const int64_t rows = s->kind == AKIN_PAIRS ? 2 : each;
    for (int64_t k = 0; k < each * s->count; ++k) {
        const int64_t place = k % each;
        const bool left = place == 0 || (each == 4 && place == 2);
        if (place < rows && (s->right == NULL || left == (side == AKIN_LEFT)))
            used[s->numbers[k]] = 1;
    }
}

void ak_supervision_used(const akin_supervision *s, akin_side side,
                         unsigned char *used)
{
    if (s->kind == AKIN_LABELS && side == AKIN_LEFT)
        flag_labelled(s->rows, s->known, s->n_known, used);
    else if (s->kind == AKIN_LABELS)
        flag_labelled(s->right, s->right_known, s->n_right_known, used);
    else if (s->kind == AKIN_BAGS)
        for (int64_t k = 0; k < s->bags->item_offsets[s->bags->n_photos]; ++k)
            used[s->bags->items[k]] = 1;
    else if (s->kind != AKIN_NOTHING)
        flag_named(s, side, used);
}

void akin_supervision_right_recipe(akin_supervision *s,
                                   const akin_recipe *recipe)
{
    s->right_recipe = recipe;
}

void akin_supervision_pair_weights(akin_supervision *s,
                                   akin_pair_weights weights)
{
    s->pair_weights = weights;
}

void akin_supervision_sampling(akin_supervision *s, akin_sampling sampling)
{
    s->sampling = sampling;
}

akin_knowledge akin_supervision_kind(const akin_supervision *s)
{
    return s->kind;
}

int64_t akin_supervision_examples(const akin_supervision *s)
{
    if (s->kind == AKIN_BAGS)
        return s->bags->n_photos;
    if (s->kind != AKIN_LABELS)
        return s->count;
    int64_t n = 0;
    for (int64_t i = 0; i < ak_supervision_known(s); ++i) {
        const int64_t row = ak_supervision_row(s, i);
        n += s->rows->label_offsets[row + 1] > s->rows->label_offsets[row];
    }
    return n;
}

akin_status ak_supervision_labelled(int64_t **which, int64_t *n, akin_ctx *ctx,
                                    const akin_supervision *s)
{
    const int32_t *labels;
    AK_CHECK(AK_SCRATCH(ctx, ak_supervision_known(s), which));
    *n = 0;
    for (int64_t i = 0; i < ak_supervision_known(s); ++i) {
        const int64_t row = ak_supervision_row(s, i);
        if (akin_rows_labels(&labels, s->rows, row) > 0)
            (*which)[(*n)++] = row;
    }
    return AKIN_OK;
}

akin_status ak_classes_of(ak_classes *out, akin_ctx *ctx,
                          const akin_supervision *s)
{
    const int64_t *offsets = s->rows->label_offsets;
    const int64_t n_known = ak_supervision_known(s);
    ak_classes c = {.n_labels = s->rows->n_label_names};

    AK_CHECK(AK_SCRATCH(ctx, c.n_labels + 2, &c.offsets));
    /* Count one place ahead, so that filling in leaves the offsets right. */
    for (int64_t i = 0; offsets && i < n_known; ++i) {
        const int64_t row = ak_supervision_row(s, i);
        for (int64_t j = offsets[row]; j < offsets[row + 1]; ++j)
            ++c.offsets[s->rows->labels[j] + 2];
    }
    for (int64_t k = 1; k <= c.n_labels + 1; ++k)
        c.offsets[k] += c.offsets[k - 1];
    AK_CHECK(AK_SCRATCH(ctx, c.offsets[c.n_labels + 1], &c.rows));
    for (int64_t i = 0; offsets && i < n_known; ++i) {
        const int64_t row = ak_supervision_row(s, i);
        for (int64_t j = offsets[row]; j < offsets[row + 1]; ++j)
            c.rows[c.offsets[s->rows->labels[j] + 1]++] = row;
    }
    *out = c;
    return AKIN_OK;
}
