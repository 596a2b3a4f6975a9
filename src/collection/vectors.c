/* Collections of vectors: rows from anywhere, with names, labels and fields.
 * All rows of a call come in one transaction. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collection/derive.h"
#include "collection/files.h"
#include "collection/replace.h"
#include "collection/segments.h"
#include "collection/terms.h"
#include "text/csv_documents.h"

enum { NAME_MOST = PATH_MAX - 1 };

/* What a file says about a row; its texts are in the run's `text`. */
typedef struct vector_facts {
    int64_t labels;            // -1: nothing
    int64_t fields, n_fields;  // name and value by turns
} vector_facts;

typedef struct vectors_run {
    akin_ctx *ctx;
    ak_catalog catalog;
    akin_vectors_options o;
    akin_items_info info;
    const akin_rows *rows;
    ak_names names;       // of the rows in their order; none: numbers
    int64_t base;         // the number of the first of them
    vector_facts *facts;  // NULL: none
    char *text;
    int64_t n_text, room;
    ak_space space;
    bool is_new;   // the collection
    bool claimed;  // it is there, and stays
} vectors_run;

/* ---- names ---- */

/* The name of the next row; `where` is FILE:LINE. */
static akin_status add_name(vectors_run *r, const char *where, const char *name,
                            size_t n)
{
    const int64_t before = r->names.n;
    int32_t number;
    if (n == 0 || n > NAME_MOST || memchr(name, '\0', n) != NULL)
        return ak_fail(r->ctx, AKIN_EFORMAT,
                       "%s: not a name (expected 1 to %d bytes, none of them "
                       "zero)",
                       where, NAME_MOST);
    AK_CHECK(ak_names_add(&r->names, r->ctx, name, n, &number));
    if (r->names.n == before)
        return ak_fail(r->ctx, AKIN_EFORMAT,
                       "%s: the name '%s' occurs twice, first for row %d",
                       where, r->names.texts[number], number);
    return AKIN_OK;
}

static akin_status check_count(const vectors_run *r, const char *path,
                               const char *what, int64_t n)
{
    if (n == r->rows->n)
        return AKIN_OK;
    return ak_fail(r->ctx, AKIN_EFORMAT,
                   "%s: %" PRId64 " %s (there are %" PRId64 " rows)", path, n,
                   what, r->rows->n);
}

/* One on each line. */
static akin_status read_names(vectors_run *r)
{
    const char *path = r->o.names;
    ak_source *s = NULL;
    char *line, where[PATH_MAX + 32];
    size_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, r->ctx, path, AK_SOURCE_TEXT));
    for (;;) {
        AK_TRY(ak_source_line(s, r->ctx, &line, &n));
        if (line == NULL)
            break;
        snprintf(where, sizeof where, "%s:%" PRId64, path,
                 ak_source_line_number(s));
        AK_TRY(add_name(r, where, line, n));
    }
    AK_TRY(check_count(r, path, "names", r->names.n));
done:
    ak_source_close(s);
    return st;
}

static akin_status take_names(vectors_run *r)
{
    for (int64_t i = 0; i < r->rows->n; ++i) {
        const char *name = r->o.name_list[i];
        AK_CHECK(add_name(r, "the names", name, strlen(name)));
    }
    return AKIN_OK;
}

/* ---- labels and fields of a csv file ---- */

static akin_status keep(vectors_run *r, const char *text, size_t n)
{
    AK_CHECK(
        ak_grow(r->ctx, r->n_text + (int64_t)n + 1, &r->room, 1, &r->text));
    memcpy(r->text + r->n_text, text, n);
    r->n_text += (int64_t)n;
    r->text[r->n_text++] = '\0';
    return AKIN_OK;
}

static akin_status keep_facts(vectors_run *r, const ak_text *t, vector_facts *f)
{
    f->labels = t->n_labels > 0 ? r->n_text : -1;
    for (int64_t k = 0; k < t->n_labels; ++k) {
        AK_CHECK(keep(r, t->labels[k].text, t->labels[k].n));
        if (k + 1 < t->n_labels)
            r->text[r->n_text - 1] = '\n';
    }
    f->fields = r->n_text;
    f->n_fields = t->n_fields;
    for (int64_t k = 0; k < t->n_fields; ++k) {
        const ak_text_field *field = &t->fields[k];
        AK_CHECK(keep(r, field->name, strlen(field->name)));
        AK_CHECK(keep(r, field->value.text, strlen(field->value.text)));
    }
    return AKIN_OK;
}

/* The row that record k is about. */
static akin_status row_of(vectors_run *r, const ak_text *t, int64_t k,
                          bool by_name, int64_t *row)
{
    *row = by_name ? ak_names_find(&r->names, t->name.text, t->name.n) : k;
    if (*row < 0)
        return ak_fail(r->ctx, AKIN_EFORMAT, "%s: no row is called '%s'",
                       t->where, t->name.text);
    if (*row >= r->rows->n)
        return ak_fail(r->ctx, AKIN_EFORMAT,
                       "%s: more records than rows (there are %" PRId64 ")",
                       t->where, r->rows->n);
    if (r->facts[*row].fields >= 0)
        return ak_fail(r->ctx, AKIN_EFORMAT, "%s: the name '%s' occurs twice",
                       t->where, t->name.text);
    return AKIN_OK;
}

/* Records are told apart by name, where there are names; without them the
 * records are in the order of the rows, and may name them. */
static akin_status take_records(vectors_run *r, ak_csv_documents *d, ak_text *t)
{
    const bool named = d->name >= 0, by_name = named && r->names.n > 0;
    int64_t row, k = 0;
    bool there;
    for (;; ++k) {
        AK_CHECK(ak_csv_documents_next(d, r->ctx, t, &there));
        if (!there)
            break;
        AK_CHECK(row_of(r, t, k, by_name, &row));
        if (named && !by_name)
            AK_CHECK(add_name(r, t->where, t->name.text, t->name.n));
        AK_CHECK(keep_facts(r, t, &r->facts[row]));
    }
    return by_name ? AKIN_OK : check_count(r, d->path, "records", k);
}

static akin_status read_fields(vectors_run *r)
{
    const char *path = r->o.fields;
    const akin_text_options o = AKIN_TEXT_DEFAULTS;
    ak_warnings warnings = {0};
    ak_text t = {.warnings = &warnings, .any_labels = true};
    ak_csv_documents d = {.no_text = true};
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(r->ctx, r->rows->n, &r->facts));
    for (int64_t i = 0; i < r->rows->n; ++i)
        r->facts[i] = (vector_facts){-1, -1, 0};
    AK_TRY(ak_source_open(&s, r->ctx, path, AK_SOURCE_TEXT));
    ak_ctx_mute_begin(r->ctx);  // of labels, which are expected here
    st = ak_csv_documents_begin(&d, r->ctx, s, path, ',', &o);
    ak_ctx_mute_end(r->ctx);
    if (st != AKIN_OK)
        goto done;
    AK_TRY(take_records(r, &d, &t));
done:
    ak_csv_documents_end(&d);
    ak_text_free(&t);
    ak_source_close(s);
    return st;
}

/* ---- items ---- */

/* The row in the form of the space; from scratch. */
static akin_status blob_of(const vectors_run *r, int64_t i, ak_blob *out)
{
    const akin_rows *rows = r->rows;
    const int64_t d = r->space.dim;
    float *full;
    int32_t *cols;
    int64_t n = 0;
    if (r->space.form == AK_FORM_SPARSE && rows->offsets != NULL)
        return ak_sparse_blob(out, r->ctx, ak_rows_sparse(rows, i));
    AK_CHECK(AK_SCRATCH(r->ctx, d, &full));
    const float *x = ak_rows_full(rows, i, full);
    if (x != full)
        memcpy(full, x, (size_t)rows->d * sizeof *full);
    *out = (ak_blob){full, (size_t)d * sizeof *full};
    if (r->space.form == AK_FORM_DENSE)
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(r->ctx, d, &cols));
    for (int32_t j = 0; j < (int32_t)rows->d; ++j)
        if (full[j] != 0.0F) {
            cols[n] = j;
            full[n++] = full[j];
        }
    return ak_sparse_blob(out, r->ctx, (ak_sparse){n, cols, full});
}

/* The labels of a row separated by newlines; from scratch. */
static akin_status labels_of(const vectors_run *r, int64_t i, const char **out)
{
    const akin_rows *rows = r->rows;
    const int32_t *labels;
    const int64_t n = akin_rows_labels(&labels, rows, i);
    size_t size = 1;
    char *to;
    if (r->facts != NULL && r->facts[i].labels >= 0) {
        *out = r->text + r->facts[i].labels;
        return AKIN_OK;
    }
    for (int64_t k = 0; k < n; ++k)
        size += strlen(rows->label_names[labels[k]]) + 1;
    AK_CHECK(AK_SCRATCH(r->ctx, (int64_t)size, &to));
    *out = to;
    for (int64_t k = 0; k < n; ++k)
        to += sprintf(to, "%s%s", k ? "\n" : "", rows->label_names[labels[k]]);
    return AKIN_OK;
}

static akin_status put_fields(const vectors_run *r, int64_t i, int64_t id)
{
    if (r->facts == NULL || r->facts[i].fields < 0)
        return AKIN_OK;
    return ak_item_fields(&r->catalog, r->ctx, id, r->text + r->facts[i].fields,
                          r->facts[i].n_fields);
}

/* A name that is there gets the new values and keeps its number. */
static akin_status put_item(vectors_run *r, ak_catalog_item *item, ak_blob row,
                            const ak_known *k)
{
    const ak_blob none = {NULL, 0};
    item->id = k->id;
    if (k->id >= 0 && item->labels[0] != '\0')
        AK_CHECK(ak_item_labels(&r->catalog, r->ctx, k->id, item->labels));
    if (k->id >= 0 && k->hashed &&
        memcmp(k->hash, item->hash.bytes, AK_HASH_SIZE) == 0)
        return AKIN_OK;
    AK_CHECK(k->id < 0 ? ak_item_insert(&r->catalog, r->ctx, item)
                       : ak_item_update(&r->catalog, r->ctx, item));
    r->info.added += k->id < 0;
    r->info.changed += k->id >= 0;
    return ak_item_features(&r->catalog, r->ctx, item->id, 0, row, none);
}

static akin_status name_of(const vectors_run *r, int64_t i, char number[32],
                           ak_known *k, ak_blob *name)
{
    snprintf(number, 32, "%" PRId64, r->base + i);
    const char *text = r->names.n > 0 ? r->names.texts[i] : number;
    *name = (ak_blob){text, strlen(text)};
    *k = (ak_known){.id = -1};
    if (r->is_new)
        return AKIN_OK;
    AK_CHECK(ak_known_by_name(&r->catalog, r->ctx, *name, k));
    if (k->id >= 0 && r->names.n == 0)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: row %" PRId64
                       " would be called '%s', as another item is (`names` "
                       "names the rows)",
                       r->catalog.folder, i, text);
    return AKIN_OK;
}

static akin_status put_row(vectors_run *r, int64_t i)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    unsigned char hash[AK_HASH_SIZE];
    ak_catalog_item item = {.hash = {hash, sizeof hash}};
    char number[32];
    ak_known k;
    ak_blob row;
    akin_status st = AKIN_OK;
    AK_TRY(name_of(r, i, number, &k, &item.name));
    AK_TRY(labels_of(r, i, &item.labels));
    AK_TRY(blob_of(r, i, &row));
    ak_hash_bytes(row.bytes, row.n, hash);
    AK_TRY(put_item(r, &item, row, &k));
    AK_TRY(put_fields(r, i, item.id));
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* ---- the collection ---- */

/* The index has a few numbers for each column, in memory. */
enum { MOST_COLUMNS = 100000000 };

static akin_status put_space(vectors_run *r)
{
    const akin_rows *rows = r->rows;
    if (rows->d > MOST_COLUMNS)
        return ak_fail(r->ctx, AKIN_ESHAPE,
                       "%" PRId64 " columns (a collection takes at most %d)",
                       rows->d, MOST_COLUMNS);
    if (!r->is_new && r->space.form == AK_FORM_DENSE && rows->d != r->space.dim)
        return ak_fail(r->ctx, AKIN_ESHAPE,
                       "%" PRId64 " columns (%s has %" PRId64 ")", rows->d,
                       r->catalog.folder, r->space.dim);
    if (r->is_new) {
        r->space =
            (ak_space){.form = rows->offsets ? AK_FORM_SPARSE : AK_FORM_DENSE};
        strcpy(r->space.name, ak_space_vectors);
        AK_CHECK(ak_catalog_set(&r->catalog, r->ctx, "kind", "vectors"));
        AK_CHECK(ak_catalog_set_number(&r->catalog, r->ctx, "index-base",
                                       rows->index_base));
    }
    r->space.dim = ak_max_i64(r->space.dim, rows->d);
    return ak_space_put(&r->catalog, r->ctx, &r->space);
}

static akin_status put_all(vectors_run *r)
{
    AK_CHECK(put_space(r));
    AK_CHECK(r->is_new ? ak_terms_put_columns(&r->catalog, r->ctx, r->rows)
                       : ak_terms_check_columns(&r->catalog, r->ctx, r->rows));
    AK_CHECK(ak_items_next(&r->catalog, r->ctx, &r->base));
    for (int64_t i = 0; i < r->rows->n; ++i)
        AK_CHECK(put_row(r, i));
    return r->is_new ? ak_segments_fill(&r->catalog, r->ctx) : AKIN_OK;
}

/* A new collection has its index from the beginning; others get theirs after
 * the items, so that nobody waits for it. */
static akin_status write_all(vectors_run *r)
{
    akin_status st = AKIN_OK;
    if (r->is_new)
        AK_TRY(ak_catalog_clear(&r->catalog, r->ctx));
    AK_TRY(ak_sql_begin(&r->catalog.sql, r->ctx));
    AK_TRY(ak_sql_end(&r->catalog.sql, r->ctx, put_all(r)));
    r->claimed = true;
    AK_TRY(ak_segments_update(&r->catalog, r->ctx));
    ak_sql_tidy(&r->catalog.sql);
done:
    return st;
}

static akin_status start(vectors_run *r)
{
    char kind[16] = "";
    r->is_new = true;
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, "kind", kind, sizeof kind));
    if (kind[0] != '\0')
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: a collection exists (`add` extends it, `force` "
                       "replaces it)",
                       r->catalog.folder);
    return AKIN_OK;
}

static akin_status extend(vectors_run *r)
{
    AK_CHECK(ak_catalog_check_kind(&r->catalog, r->ctx, "vectors"));
    AK_CHECK(ak_space_get(&r->catalog, r->ctx, 0, &r->space));
    if (r->space.id < 0)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s is incomplete; rerun the command that started it",
                       r->catalog.folder);
    return AKIN_OK;
}

static akin_status finish(vectors_run *r, akin_status st, akin_items_info *info)
{
    if (st == AKIN_OK && info != NULL) {
        st = ak_catalog_counts(&r->catalog, r->ctx, info);
        info->added = r->info.added;
        info->changed = r->info.changed;
    }
    ak_names_free(&r->names);
    akin_free(r->facts);
    akin_free(r->text);
    if (st != AKIN_OK && !r->claimed)
        ak_catalog_undo(&r->catalog);
    ak_catalog_close(&r->catalog);
    return st;
}

static akin_status run(akin_ctx *ctx, const char *path, const akin_rows *rows,
                       const akin_vectors_options *options,
                       akin_items_info *info, bool adds)
{
    vectors_run r = {.ctx = ctx, .rows = rows};
    akin_status st = AKIN_OK;
    r.catalog.lock = -1;
    ak_options_take(&r.o, sizeof r.o, options);
    if (adds && !ak_catalog_is(path))
        AK_TRY(ak_fail(ctx, AKIN_ENOENT, "%s: not a collection", path));
    if (rows->n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "there are no rows"));
    if (r.o.names != NULL)
        AK_TRY(read_names(&r));
    else if (r.o.name_list != NULL)
        AK_TRY(take_names(&r));
    if (r.o.fields != NULL)
        AK_TRY(read_fields(&r));
    AK_TRY(ak_catalog_open(&r.catalog, ctx, path, AK_CATALOG_WRITE));
    AK_TRY(adds ? extend(&r) : start(&r));
    AK_TRY(write_all(&r));
done:
    return finish(&r, st, info);
}

akin_status akin_vectors_make(akin_ctx *ctx, const char *path,
                              const akin_rows *rows,
                              const akin_vectors_options *options,
                              akin_items_info *info)
{
    ak_replacement r;
    akin_status st =
        ak_replace_begin(&r, ctx, path, options != NULL && options->force);
    if (st == AKIN_OK)
        st = run(ctx, r.path, rows, options, info, false);
    return ak_replace_end(&r, ctx, st);
}

akin_status akin_vectors_add(akin_ctx *ctx, const char *path,
                             const akin_rows *rows,
                             const akin_vectors_options *options,
                             akin_items_info *info)
{
    return run(ctx, path, rows, options, info, true);
}
