/* Documents of a csv file, a record each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/reading.h"
#include "text/records.h"

typedef struct columns {
    int64_t text, label;  // label -1: none
    int64_t n;
    bool header;
} columns;

static bool is_number(const char *text)
{
    char *rest;
    (void)strtoll(text, &rest, 10);
    return *text != '\0' && *rest == '\0';
}

/* The column that `wanted` names or numbers, -1 where there is none. */
static int64_t find(const ak_records *r, const char *wanted, bool header)
{
    for (int64_t k = 0; header && k < r->n_cells; ++k) {
        size_t n;
        if (strcmp(ak_records_cell(r, k, &n), wanted) == 0)
            return k;
    }
    if (!is_number(wanted))
        return -1;
    const long long k = strtoll(wanted, NULL, 10);
    const int64_t place = k < 0 ? k + r->n_cells : k;
    return place >= 0 && place < r->n_cells ? place : -1;
}

static akin_status no_column(const ak_reading *d, const ak_records *r,
                             const char *wanted, const char *flag)
{
    return ak_fail(d->ctx, AKIN_EFORMAT,
                   "%s:%" PRId64 ": no column \"%s\" among %" PRId64
                   " (%s names it)",
                   d->path, r->line, wanted, r->n_cells, flag);
}

/* Which columns, from the first record. */
static akin_status find_columns(const ak_reading *d, const ak_records *r,
                                columns *c)
{
    const akin_text_options *o = d->options;
    const char *text = o->text_column ? o->text_column : "text";
    const char *label = o->label_column ? o->label_column : "label";
    c->n = r->n_cells;
    c->header = o->header || !is_number(text) ||
                (o->label_column != NULL && !is_number(label));
    c->text = find(r, text, c->header);
    c->label = find(r, label, c->header);
    if (c->text < 0)
        return no_column(d, r, text, "--text-column");
    if (c->label < 0 && o->label_column != NULL)
        return no_column(d, r, label, "--label-column");
    return AKIN_OK;
}

static akin_status read_record(ak_reading *d, const ak_records *r,
                               const columns *c)
{
    const ak_mark mark = ak_scratch_begin(d->ctx);
    const size_t size = strlen(d->path) + 32;
    const char *label = NULL, *text;
    char *name;
    size_t n;
    akin_status st = AKIN_OK;
    if (r->n_cells != c->n)
        AK_TRY(ak_fail(d->ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": %" PRId64 " cells (expected %" PRId64
                       ", as before)",
                       d->path, r->line, r->n_cells, c->n));
    AK_TRY(ak_scratch(d->ctx, (int64_t)size, 1, &name));
    snprintf(name, size, "%s:%" PRId64, d->path, r->line);
    if (c->label >= 0)
        label = ak_records_cell(r, c->label, &n);
    text = ak_records_cell(r, c->text, &n);
    ak_bag_open(&d->bag);
    AK_TRY(ak_bag_feed(&d->bag, text, n));
    AK_TRY(ak_reading_close(d, name, label, ';'));
done:
    ak_scratch_end(d->ctx, mark);
    return st;
}

akin_status ak_reading_csv(ak_reading *d, char delimiter)
{
    ak_source *s = NULL;
    ak_records r = {0};
    columns c = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, d->ctx, d->path, AK_SOURCE_TEXT));
    AK_TRY(ak_records_begin(&r, d->ctx, s, delimiter));
    AK_TRY(ak_records_next(&r, d->ctx));
    if (r.n_cells > 0)
        AK_TRY(find_columns(d, &r, &c));
    if (c.header)
        AK_TRY(ak_records_next(&r, d->ctx));
    while (r.n_cells > 0) {
        AK_TRY(read_record(d, &r, &c));
        AK_TRY(ak_records_next(&r, d->ctx));
    }
done:
    ak_records_end(&r);
    ak_source_close(s);
    return st;
}
