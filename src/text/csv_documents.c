#include "text/csv_documents.h"

#include <stdio.h>
#include <string.h>

#include "data/io/header.h"
#include "text/keys.h"

static bool has_header(const akin_text_options *o)
{
    const char *label = o->label_column;
    return o->header || o->text_column == NULL ||
           !ak_header_is_number(o->text_column) ||
           (label != NULL && !ak_header_is_number(label) &&
            !ak_header_no_label(label)) ||
           (o->name_column != NULL && !ak_header_is_number(o->name_column));
}

/* The column that is asked for, or the one with a usual name. */
static akin_status find_label(ak_csv_documents *d, akin_ctx *ctx,
                              const ak_columns *names, const char *wanted,
                              bool header)
{
    d->label = -1;
    if (ak_header_no_label(wanted))
        return AKIN_OK;
    if (wanted != NULL) {
        d->label = ak_header_find(names, wanted, header);
        return d->label >= 0 ? AKIN_OK
                             : ak_header_missing(ctx, names, wanted, d->path,
                                                 d->records.line,
                                                 " (`label_column` names it)");
    }
    if (header)
        d->label = ak_keys_label(names, d->text);
    if (d->label >= 0)
        ak_header_tell_label(ctx, names, d->label, d->path, "ignores it");
    return AKIN_OK;
}

static akin_status find_text(ak_csv_documents *d, akin_ctx *ctx,
                             const ak_columns *names, const char *wanted,
                             bool header)
{
    d->text = -1;
    if (d->no_text)
        return AKIN_OK;
    d->text = wanted ? ak_header_find(names, wanted, header)
                     : ak_keys_text(names);
    if (d->text < 0)
        return ak_header_missing(ctx, names, wanted ? wanted : "text", d->path,
                                 d->records.line, " (`text_column` names it)");
    return AKIN_OK;
}

/* Which columns, from the first record. */
static akin_status find_columns(ak_csv_documents *d, akin_ctx *ctx,
                                const akin_text_options *o, bool header)
{
    ak_columns names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_csv_records_names(&d->records, ctx, &names));
    d->n = d->records.n_cells;
    AK_TRY(find_text(d, ctx, &names, o->text_column, header));
    AK_TRY(find_label(d, ctx, &names, o->label_column, header));
    d->name = header || o->name_column
                  ? ak_keys_name(&names, o->name_column, d->text, d->label)
                  : -1;
    if (o->name_column != NULL && d->name < 0)
        AK_TRY(ak_header_missing(ctx, &names, o->name_column, d->path,
                                 d->records.line, " (`name_column` names it)"));
    if (header) {
        d->header = names;
        names = (ak_columns){0};
    }
done:
    ak_columns_free(&names);
    return st;
}

akin_status ak_csv_documents_begin(ak_csv_documents *d, akin_ctx *ctx,
                                   ak_source *source, const char *path,
                                   char delimiter, const akin_text_options *o)
{
    const bool header = d->no_text || has_header(o);
    d->path = path;
    AK_CHECK(ak_keys_where(ctx, path, &d->where));
    AK_CHECK(ak_csv_records_begin(&d->records, ctx, source, delimiter));
    if (delimiter == ',' && header)
        AK_CHECK(ak_csv_records_find_delimiter(&d->records, ctx));
    AK_CHECK(ak_csv_records_next(&d->records, ctx));
    if (d->records.n_cells > 0)
        AK_CHECK(find_columns(d, ctx, o, header));
    return header ? ak_csv_records_next(&d->records, ctx) : AKIN_OK;
}

static ak_bytes cell(const ak_csv_documents *d, int64_t k)
{
    ak_bytes s;
    s.text = ak_csv_records_cell(&d->records, k, &s.n);
    return s;
}

/* What else the record says: a field for each column that has a name. */
static akin_status add_fields(const ak_csv_documents *d, akin_ctx *ctx,
                              ak_text *t)
{
    for (int64_t k = 0; k < d->header.n; ++k) {
        const char *name = ak_columns_name(&d->header, k);
        const bool other = k != d->text && k != d->label && k != d->name;
        if (other && name != NULL && cell(d, k).n > 0)
            AK_CHECK(ak_text_add_field(t, ctx, name, cell(d, k)));
    }
    return AKIN_OK;
}

static akin_status take_record(ak_csv_documents *d, akin_ctx *ctx, ak_text *t)
{
    const ak_csv_records *r = &d->records;
    if (r->n_cells != d->n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": %" PRId64 " cells (expected %" PRId64
                       ", as before)",
                       d->path, r->line, r->n_cells, d->n);
    ak_keys_write_where(d->where, d->path, r->line);
    const ak_bytes label = d->label < 0 ? (ak_bytes){"", 0} : cell(d, d->label);
    AK_CHECK(ak_text_begin(t, ctx, d->where, ak_text_label_room(label.n)));
    AK_CHECK(ak_text_label_list(t, ctx, label));
    if (d->text >= 0)
        t->text = cell(d, d->text);
    if (d->name >= 0)
        t->name = cell(d, d->name);
    return add_fields(d, ctx, t);
}

akin_status ak_csv_documents_next(ak_csv_documents *d, akin_ctx *ctx,
                                  ak_text *t, bool *there)
{
    if (d->begun)
        AK_CHECK(ak_csv_records_next(&d->records, ctx));
    d->begun = true;
    *there = d->records.n_cells > 0;
    return *there ? take_record(d, ctx, t) : AKIN_OK;
}

void ak_csv_documents_end(ak_csv_documents *d)
{
    ak_csv_records_end(&d->records);
    ak_columns_free(&d->header);
    akin_free(d->where);
}
