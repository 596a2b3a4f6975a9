/* Indexes of all kinds: build, change, store. */
#include "index/index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "index/dense/dense.h"
#include "index/inverted/inverted.h"
#include "index/sharded/sharded.h"
#include "model/compare.h"
#include "model/diagonal.h"

void akin_index_free(akin_index *x)
{
    if (x == NULL)
        return;
    x->kind->free(x);
    akin_model_free(x->model);
    akin_free(x->gone);
    ak_columns_free(&x->names);
    ak_tensors_free(x->file);
    akin_free(x);
}

const char *akin_index_kind(const akin_index *x)
{
    return x->kind->name;
}

int64_t akin_index_count(const akin_index *x)
{
    return x->n;
}

int64_t akin_index_present(const akin_index *x)
{
    return x->n - x->n_gone;
}

int akin_index_has(const akin_index *x, int64_t row)
{
    return row >= 0 && row < x->n && !x->gone[row];
}

int64_t akin_index_postings(const akin_index *x)
{
    int64_t count = 0;
    if (x->kind == &ak_index_inverted)
        return ak_inverted_of(x)->p.count;
    for (int64_t k = 0; akin_index_shard(x, k) != NULL; ++k)
        count += akin_index_postings(ak_sharded_at(x, k));
    return count;
}

int64_t akin_index_base(const akin_index *x)
{
    return x->index_base;
}

akin_compare akin_index_compare(const akin_index *x)
{
    return x->by;
}

const akin_model *akin_index_model(const akin_index *x)
{
    return x->model;
}

bool ak_index_embeds(const akin_index *x)
{
    if (x->kind == &ak_index_sharded)
        return ak_index_embeds(ak_sharded_at(x, 0));
    return x->kind != &ak_index_inverted || !ak_model_is_diagonal(x->model);
}

int64_t ak_index_dim(const akin_index *x)
{
    const ak_model_kind *kind = x->model->kind;
    const int64_t d = x->model->d[AKIN_RIGHT];
    if (kind->embed == NULL)
        return d;
    return kind->embed_dim(x->model) + (kind->own ? d : 0);
}

static void drop_recipes(akin_model *m)
{
    for (int side = AKIN_LEFT; side <= AKIN_RIGHT; ++side) {
        akin_recipe_free(m->recipe[side]);
        m->recipe[side] = NULL;
    }
}

/* Inverted for sparse rows under a diagonal model that keeps them sparse, and
 * for models whose learned space keeps the rows' own columns. */
static bool is_inverted(const akin_model *m, const akin_rows *rows)
{
    const akin_recipe *r = akin_model_recipe(m, AKIN_RIGHT);
    return rows->offsets && (ak_model_is_diagonal(m) || m->kind->own) &&
           !(r && ak_recipe_makes_dense(r, rows));
}

int akin_index_can(const char *approximate)
{
    return strcmp(approximate, "none") == 0 ||
           (strcmp(approximate, "hnsw") == 0 && ak_graph_exists());
}

static akin_status choose_kind(akin_index *x, akin_ctx *ctx,
                               const akin_rows *rows,
                               const akin_index_options *o)
{
    const bool exact = strcmp(o->approximate, "none") == 0;
    if (!exact && strcmp(o->approximate, "hnsw") != 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`approximate` is '%s' (expected none or hnsw)",
                       o->approximate);
    if (!exact && (o->links < 2 || o->links > 512 || o->effort < 1))
        return ak_fail(ctx, AKIN_EINVAL,
                       "`links` is %" PRId64 " and `effort` %" PRId64
                       " (expected 2 to 512, and at least 1)",
                       o->links, o->effort);
    x->links = o->links;
    x->effort = o->effort;
    x->kind = &ak_index_dense;
    if (!exact)
        x->kind = &ak_index_hnsw;
    else if (is_inverted(x->model, rows))
        x->kind = &ak_index_inverted;
    if (x->prune && (x->kind != &ak_index_inverted || ak_index_embeds(x)))
        return ak_fail(
            ctx, AKIN_EINVAL,
            "`prune` requires an inverted index (sparse rows under a "
            "diagonal model)");
    return AKIN_OK;
}

static akin_status check_changes(const akin_index *x, akin_ctx *ctx)
{
    if (x->kind->add != NULL)
        return AKIN_OK;
    return ak_fail(
        ctx, AKIN_EINVAL,
        "an index in shards does not change (it must be built anew)");
}

static akin_status add_rows(akin_index *x, akin_ctx *ctx, const akin_rows *rows)
{
    unsigned char *gone = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_ctx_poll(ctx));
    if (rows->n > INT32_MAX - x->n)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE, "more than 2147483647 rows"));
    AK_TRY(AK_NEW(ctx, x->n + rows->n, &gone));
    if (x->n > 0)
        memcpy(gone, x->gone, (size_t)x->n);
    akin_free(x->gone);
    x->gone = gone;
    x->n += rows->n;
    st = x->kind->add(x, ctx, rows);
    if (st != AKIN_OK)
        x->n -= rows->n;
done:
    return st;
}

akin_status akin_index_build(akin_index **out, akin_ctx *ctx,
                             const akin_model *m, const akin_rows *rows,
                             const akin_index_options *options)
{
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    ak_options_take(&o, sizeof o, options);
    AK_TRY(ak_model_check_compares(m, ctx));
    AK_TRY(AK_NEW(ctx, 1, &x));
    x->kind = &ak_index_inverted;
    x->by = o.by == AKIN_BY_DEFAULT ? m->by : o.by;
    x->prune = o.prune != 0;
    x->index_base = rows->index_base;
    AK_TRY(ak_model_copy(&x->model, ctx, m));
    if (o.as_is)
        drop_recipes(x->model);
    AK_TRY(choose_kind(x, ctx, rows, &o));
    AK_TRY(add_rows(x, ctx, rows));
    *out = x;
    x = NULL;
done:
    akin_index_free(x);
    return st;
}

akin_status akin_index_add(akin_ctx *ctx, akin_index *x, const akin_rows *rows)
{
    const akin_status st = check_changes(x, ctx);
    return st == AKIN_OK ? add_rows(x, ctx, rows) : st;
}

akin_status ak_index_check_rows(const akin_index *x, akin_ctx *ctx,
                                const int64_t *rows, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        if (!akin_index_has(x, rows[k]))
            return ak_fail(ctx, AKIN_ESHAPE,
                           "row %" PRId64
                           " is not in the index (which has %" PRId64
                           " rows, %" PRId64 " of them removed)",
                           rows[k], x->n, x->n_gone);
    return AKIN_OK;
}

akin_status ak_index_check_sides(const akin_index *x, akin_ctx *ctx)
{
    if (x->model->kind->embed == NULL || akin_model_is_symmetric(x->model))
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "the two sides of this model differ: a row of the index "
                   "cannot be a query");
}

akin_status akin_index_remove(akin_ctx *ctx, akin_index *x, const int64_t *rows,
                              int64_t count)
{
    AK_CHECK(check_changes(x, ctx));
    AK_CHECK(ak_index_check_rows(x, ctx, rows, count));
    for (int64_t k = 0; k < count; ++k) {
        x->n_gone += !x->gone[rows[k]];
        x->gone[rows[k]] = 1;
    }
    return x->kind->remove(x, ctx);
}

/* Does the model fit the rows as they are kept? */
static akin_status check_model(const akin_index *x, akin_ctx *ctx,
                               const akin_model *m)
{
    const akin_recipe *r = akin_model_recipe(m, AKIN_RIGHT);
    if (x->kind->set_model == NULL || ak_index_embeds(x))
        return ak_fail(ctx, AKIN_EINVAL,
                       "the index is not an inverted one under a diagonal "
                       "model: another model requires a new index");
    if (!ak_model_is_diagonal(m) || (r != NULL && ak_recipe_fills(r)))
        return ak_fail(ctx, AKIN_EINVAL,
                       "the model is not diagonal or makes rows dense: it "
                       "requires a new index");
    if (m->d[AKIN_RIGHT] != x->model->d[AKIN_RIGHT])
        return ak_fail(ctx, AKIN_EINVAL,
                       "the model has %" PRId64
                       " columns (the index has %" PRId64 ")",
                       m->d[AKIN_RIGHT], x->model->d[AKIN_RIGHT]);
    return AKIN_OK;
}

akin_status akin_index_set_model(akin_ctx *ctx, akin_index *x,
                                 const akin_model *m)
{
    const akin_compare by = x->by == x->model->by ? m->by : x->by;
    akin_model *copy = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(check_model(x, ctx, m));
    AK_TRY(ak_model_copy(&copy, ctx, m));
    AK_TRY(x->kind->set_model(x, ctx, copy, by));
    akin_model_free(x->model);
    x->model = copy;
    x->by = by;
    copy = NULL;
done:
    akin_model_free(copy);
    return st;
}

double ak_weighted_norm(const double *w, const akin_rows *rows, int64_t i,
                        bool absolute)
{
    const ak_row row = ak_row_of(rows, i);
    double sum = 0.0;
    for (int64_t k = 0; k < row.n; ++k) {
        const double x = row.vals[k], u = w ? w[ak_row_col(&row, k)] : 1.0;
        sum += x * ((absolute ? fabs(u) : u) * x);
    }
    return sum;
}

/* ---- files
 * ---------------------------------------------------------------------
 *
 * The model under "model.", flags of removed rows, names, and what the kind
 * stores. */

static const char prefix[] = "model.";

static const ak_index_kind *const kinds[] = {
    &ak_index_inverted, &ak_index_dense, &ak_index_hnsw, &ak_index_sharded};

static akin_status put_notes(const akin_index *x, akin_ctx *ctx, ak_tensors *t)
{
    AK_CHECK(ak_tensors_note(t, ctx, "kind", "index"));
    AK_CHECK(ak_tensors_note(t, ctx, "index", x->kind->name));
    AK_CHECK(ak_tensors_note(t, ctx, "compare", ak_compare_word(x->by)));
    AK_CHECK(ak_tensors_note_i64(t, ctx, "rows", x->n));
    AK_CHECK(ak_tensors_note_i64(t, ctx, "gone", x->n_gone));
    AK_CHECK(ak_tensors_note_i64(t, ctx, "prune", x->prune));
    return ak_tensors_note_i64(t, ctx, "index_base", x->index_base);
}

/* All that a file of it has; `*model` is to be freed after `t` was written. */
static akin_status put_file(const akin_index *x, akin_ctx *ctx, ak_tensors *t,
                            ak_tensors **model)
{
    AK_CHECK(ak_tensors_new(model, ctx));
    AK_CHECK(put_notes(x, ctx, t));
    AK_CHECK(ak_model_put(x->model, ctx, *model));
    AK_CHECK(ak_tensors_put_set(t, ctx, prefix, *model));
    if (x->n_gone > 0)
        AK_CHECK(ak_tensors_put_vector(t, ctx, "row.gone", AK_DTYPE_U8, x->n,
                                       x->gone));
    AK_CHECK(ak_columns_put(&x->names, ctx, t, "row.names"));
    AK_CHECK(ak_tensors_check_file(x->file, ctx));
    return x->kind->put(x, ctx, t);
}

akin_status akin_index_save(akin_ctx *ctx, const akin_index *x,
                            const char *path)
{
    ak_tensors *t = NULL, *model = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(put_file(x, ctx, t, &model));
    AK_TRY(ak_tensors_write(t, ctx, path));
done:
    ak_tensors_free(t);
    ak_tensors_free(model);
    return st;
}

akin_status akin_index_save_memory(uint8_t **bytes, size_t *size, akin_ctx *ctx,
                                   const akin_index *x)
{
    ak_tensors *t = NULL, *model = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(put_file(x, ctx, t, &model));
    AK_TRY(ak_tensors_write_memory(t, ctx, bytes, size));
done:
    ak_tensors_free(t);
    ak_tensors_free(model);
    return st;
}

static akin_status take_kind(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    const char *path = ak_tensors_path(t);
    const char *kind = ak_tensors_get_note(t, "kind");
    const char *name = ak_tensors_get_note(t, "index");
    AK_CHECK(ak_tensors_need_ours(t, ctx));
    if (kind == NULL || name == NULL || strcmp(kind, "index") != 0)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: not an index (kind '%s')", path,
                       kind ? kind : "");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(kinds[i]->name, name) == 0) {
            x->kind = kinds[i];
            return AKIN_OK;
        }
    return ak_fail(ctx, AKIN_EFORMAT, "%s: unknown kind of index '%s'", path,
                   name);
}

static akin_status take_model(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    ak_tensors *set = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_take_set(&set, ctx, t, prefix));
    if (set == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: the index has no model",
                       ak_tensors_path(t)));
    AK_TRY(ak_model_take(&x->model, ctx, set));
    AK_TRY(ak_model_check_compares(x->model, ctx));
done:
    ak_tensors_free(set);
    return st;
}

static akin_status take_compare(akin_index *x, akin_ctx *ctx,
                                const ak_tensors *t)
{
    const char *word = ak_tensors_get_note(t, "compare");
    for (int by = AKIN_BY_DOT; word && by <= AKIN_BY_DISTANCE; ++by)
        if (strcmp(word, ak_compare_word((akin_compare)by)) == 0) {
            x->by = (akin_compare)by;
            return AKIN_OK;
        }
    return ak_fail(
        ctx, AKIN_EFORMAT,
        "%s: unknown comparison '%s' (expected dot, cosine or distance)",
        ak_tensors_path(t), word ? word : "");
}

/* The count must match the stored rows, so a short file cannot claim many. */
static akin_status take_count(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    int64_t prune = 0;
    AK_CHECK(ak_tensors_need_i64(t, ctx, "rows", &x->n));
    AK_CHECK(ak_tensors_need_i64(t, ctx, "prune", &prune));
    x->prune = prune != 0;
    AK_CHECK(ak_tensors_need_i64(t, ctx, "index_base", &x->index_base));
    if (x->index_base < AKIN_BASE_AUTO || x->index_base > AKIN_BASE_1)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: note 'index_base' is %" PRId64 " (expected 0 to 2)",
                       ak_tensors_path(t), x->index_base);
    if (x->kind == &ak_index_sharded)
        return AKIN_OK;
    const ak_tensor *rows = ak_tensors_find(
        t, x->kind == &ak_index_inverted ? "row.scale" : "vectors");
    if (x->n < 0 || x->n > INT32_MAX || rows == NULL || rows->n_dims < 1 ||
        rows->shape[0] != x->n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: note 'rows' is %" PRId64
                       " (expected the number of rows in the file)",
                       ak_tensors_path(t), x->n);
    return AKIN_OK;
}

static akin_status take_gone(akin_index *x, akin_ctx *ctx, const ak_tensors *t)
{
    const ak_tensor *gone = ak_tensors_find(t, "row.gone");
    int64_t count = 0;
    AK_CHECK(AK_NEW(ctx, x->n, &x->gone));
    AK_CHECK(ak_tensors_need_i64(t, ctx, "gone", &count));
    if (gone != NULL)
        AK_CHECK(ak_tensors_need(t, ctx, "row.gone", AK_DTYPE_U8, 1, &gone));
    if (gone != NULL && gone->shape[0] == x->n)
        for (int64_t i = 0; i < x->n; ++i) {
            x->gone[i] = ((const unsigned char *)gone->data)[i] != 0;
            x->n_gone += x->gone[i];
        }
    if (x->n_gone != count)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " rows are removed (expected %" PRId64
                       ")",
                       ak_tensors_path(t), x->n_gone, count);
    return AKIN_OK;
}

akin_status ak_index_take(akin_index **out, akin_ctx *ctx, ak_tensors *t)
{
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &x));
    x->kind = &ak_index_inverted;
    x->file = t;
    t = NULL;
    AK_TRY(take_kind(x, ctx, x->file));
    AK_TRY(take_model(x, ctx, x->file));
    AK_TRY(take_compare(x, ctx, x->file));
    AK_TRY(take_count(x, ctx, x->file));
    if (x->kind != &ak_index_sharded) {
        AK_TRY(take_gone(x, ctx, x->file));
        AK_TRY(ak_columns_take(&x->names, ctx, x->file, "row.names", x->n));
    }
    AK_TRY(x->kind->take(x, ctx, x->file));
    *out = x;
    x = NULL;
done:
    akin_index_free(x);
    ak_tensors_free(t);
    return st;
}

akin_status akin_index_load(akin_index **out, akin_ctx *ctx, const char *path)
{
    static const char *const later[] = {"postings", "forward", NULL};
    char file[PATH_MAX];
    ak_tensors *t = NULL;
    if (akin_index_is_folder(path)) {
        AK_CHECK(ak_folder_join(file, ctx, path, AK_SHARDED_FILE));
        path = file;
    }
    const akin_status st = ak_tensors_read_lazily(&t, ctx, path, later);
    return st == AKIN_OK ? ak_index_take(out, ctx, t) : st;
}

akin_status akin_index_load_memory(akin_index **out, akin_ctx *ctx,
                                   const void *bytes, size_t size)
{
    ak_tensors *t = NULL;
    const akin_status st =
        ak_tensors_parse_copy(&t, ctx, "memory", bytes, size);
    return st == AKIN_OK ? ak_index_take(out, ctx, t) : st;
}
