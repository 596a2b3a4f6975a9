/* akin verify-export: does an export rank as the index does? */
#include <akin/export.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/export/source.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *folder, *against, *queries;
    int64_t top;
} own_flags;

typedef struct verify_flags {
    own_flags own;
    reading_flags reading;
} verify_flags;

static const app_option own_options[] = {
    {"DIR", NULL, APP_FIELD(own_flags, folder),
     .help = "a folder from akin export", .flags = APP_ARGUMENT | APP_NEEDED},
    {"against", "INDEX", APP_FIELD(own_flags, against),
     .help = "the index, or the collection, that it was exported from",
     .flags = APP_NEEDED},
    {"queries", "FILE", APP_FIELD(own_flags, queries),
     .help = "raw rows to search by", .flags = APP_NEEDED},
    {"top", "K", APP_FIELD(own_flags, top),
     .help = "items to compare for a query", .min = 1, .max = 1e6},
};

static const app_group own_group =
    APP_GROUP("Export and index", own_options, (&(const own_flags){.top = 10}));

static akin_status report(app *a, const own_flags *f,
                          const akin_export_check *r)
{
    const bool equal = r->equal == r->queries, exact = r->is_exact;
    if (a->common.json)
        return app_json_print(
            a, APP_OBJECT(APP_KEY("equal", equal), APP_KEY("to", r->to),
                          APP_KEY("exact", exact), APP_KEY("items", r->items),
                          APP_KEY("queries", r->queries),
                          APP_KEY("equal_queries", r->equal),
                          APP_KEY("recall", r->recall),
                          APP_KEY("difference", r->difference),
                          APP_KEY("tolerance", r->tolerance),
                          APP_KEY("top", f->top)));
    return app_print(a,
                     "%s: %s of %s equal (%s, scores within %s%s), recall %s\n",
                     f->folder, app_count(r->equal).text,
                     app_counted(r->queries, "query").text, r->to,
                     app_digits(r->tolerance, 2).text,
                     exact ? "" : " of their terms: the engine rounds",
                     app_digits(r->recall, 4).text);
}

static akin_status run(app *a, const void *flags)
{
    const verify_flags *f = flags;
    akin_export_check_options o = AKIN_EXPORT_CHECK_DEFAULTS;
    akin_export_check r = {0};
    export_source s = {0};
    akin_rows *queries = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(export_source_open(a, &s, f->own.against, NULL, &f->reading));
    APP_TRY(
        cli_read_rows(a, &queries, f->own.queries, &f->reading,
                      cli_shape_of_index(s.index, f->own.against, AKIN_LEFT)));
    o.top = f->own.top;
    o.ids = s.ids;
    APP_TRY(
        akin_export_verify(&r, a->ctx, s.index, f->own.folder, queries, &o));
    APP_TRY(report(a, &f->own, &r));
    if (r.equal < r.queries)
        st = app_fail(a, AKIN_ENUMERIC, "%s: %s ranked differently than in %s",
                      f->own.folder,
                      app_counted(r.queries - r.equal, "query").text,
                      f->own.against);
done:
    akin_rows_free(queries);
    export_source_close(&s);
    return st;
}

const app_command cmd_verify_export = {
    .name = "verify-export",
    .section = "files",
    .summary = "whether an export ranks as the index does",
    .about =
        "Read a folder from akin export: turn raw queries into vectors by its "
        "query side, compare them with every item in it as its engine would, "
        "and compare rankings and scores with those of akin search. Exit 1: "
        "they are not equal.\n"
        "Scores are equal within 0.00001 where the engine stores what it is "
        "given. Where it rounds (halfvec, rank_features), they are equal "
        "within the rounding. Items of equal scores may change places.",
    .examples = "akin verify-export rows.pg --against rows.index --queries "
                "new.svm",
    .size = sizeof(verify_flags),
    APP_PARTS({&own_group, offsetof(verify_flags, own)},
              {&cli_reading_group, offsetof(verify_flags, reading)}),
    .run = run,
};
