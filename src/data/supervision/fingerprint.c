/* Which rows and supervision a run learned from. */
#include <string.h>
#include <xxhash.h>

#include "data/captions/bags.h"
#include "data/recipe/fingerprint.h"
#include "data/supervision/supervision.h"

static uint64_t add(uint64_t h, int64_t n, size_t size, const void *data)
{
    return data != NULL ? XXH3_64bits_withSeed(data, (size_t)n * size, h)
                        : h + 1;
}

static uint64_t add_i64(uint64_t h, int64_t n, const int64_t *x)
{
    return add(h, n, sizeof *x, x);
}

static uint64_t add_text(uint64_t h, const char *text)
{
    return add(h, (int64_t)strlen(text) + 1, 1, text);
}

static uint64_t add_labels(uint64_t h, const akin_rows *r)
{
    if (r->label_offsets == NULL)
        return h + 1;
    h = add_i64(h, r->n + 1, r->label_offsets);
    h = add(h, r->label_offsets[r->n], sizeof *r->labels, r->labels);
    for (int64_t k = 0; k < r->n_label_names; ++k)
        h = add_text(h, r->label_names[k]);
    return h;
}

static uint64_t add_rows(uint64_t h, const akin_rows *r)
{
    if (r == NULL)
        return h + 1;
    const int64_t shape[] = {r->n, r->d};
    const int64_t values = r->offsets ? r->offsets[r->n] : r->n * r->d;
    h = add_i64(h, 2, shape);
    h = add_i64(h, r->n + 1, r->offsets);
    h = add(h, values, sizeof *r->cols, r->cols);
    h = add(h, values, sizeof *r->vals, r->vals);
    h = add_i64(h, r->n, r->groups);
    h = add(h, r->n, sizeof *r->raw_sums, r->raw_sums);
    return add_labels(add_text(h, r->prepared), r);
}

static uint64_t add_recipe(uint64_t h, const akin_recipe *r)
{
    const uint64_t own = r != NULL ? ak_recipe_fingerprint(r) : 0;
    return add(h, 1, sizeof own, &own);
}

uint64_t ak_supervision_fingerprint(const akin_supervision *s)
{
    const int64_t how[] = {s->kind,   s->count,  s->n_known,  s->n_right_known,
                           s->sample, s->passes, s->sampling, s->pair_weights};
    const int64_t width = s->kind == AKIN_QUADRUPLETS ? 4 : 3;
    uint64_t h = add_rows(0, s->rows);
    h = add_rows(h, s->right);
    h = add_recipe(add_recipe(h, s->recipe), s->right_recipe);
    h = add_i64(h, sizeof how / sizeof *how, how);
    h = add_i64(h, width * s->count, s->numbers);
    h = add_i64(h, s->n_known, s->known);
    h = add_i64(h, s->n_right_known, s->right_known);
    if (s->bags == NULL)
        return h;
    const uint64_t bags = ak_bags_checksum(s->bags, s->rows);
    return add(h, 1, sizeof bags, &bags);
}
