/* akin duplicates: items that are the same, or nearly. */
#include <akin/collection.h>
#include <inttypes.h>
#include <stdlib.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct duplicates_flags {
    const char *collection;
    double at_least;
} duplicates_flags;

static const app_option options[] = {
    {"COLLECTION", NULL, APP_FIELD(duplicates_flags, collection),
     .help = "a collection", .flags = APP_ARGUMENT | APP_NEEDED},
    {"at-least", "S", APP_FIELD(duplicates_flags, at_least),
     .help =
         "the score from which on two items are nearly the same; auto: 0.45 "
         "for pictures, 0.8 for texts, 0.95 for vectors, or more where they "
         "have near neighbours anyway",
     .min = 0.01, .max = 1.0, .zero = "auto"},
};

static const app_group group =
    APP_GROUP("Collection", options, (&(const duplicates_flags){0}));

static const char *kind_of(const akin_duplicate *d, int64_t i)
{
    if (i == 0 || d[i].group != d[i - 1].group)
        return "first";
    return d[i].same ? "same" : "near";
}

static akin_status print_lines(app *a, akin_collection *c,
                               const akin_duplicate *d, int64_t n)
{
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < n && st == AKIN_OK; ++i) {
        akin_item item;
        char *name = NULL;
        APP_TRY(akin_collection_item(&item, a->ctx, c, d[i].row));
        APP_TRY(cli_item_shown(a, item.name, &name));
        st = app_print(a, "%" PRId64 " %" PRId64 " %s %s %s\n", d[i].group,
                       d[i].row, kind_of(d, i), app_score(a, d[i].score).text,
                       name);
        free(name);
    }
done:
    return st;
}

static akin_status add_item(app *a, akin_collection *c, const akin_duplicate *d,
                            int64_t i, json_t *items)
{
    akin_item item;
    json_t *object = APP_OBJECT(APP_KEY("row", d[i].row),
                                APP_KEY("kind", kind_of(d, i)),
                                APP_KEY("score", d[i].score));
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_item(&item, a->ctx, c, d[i].row));
    APP_TRY(app_json_set(a, object, "name", app_json_string(item.name)));
    APP_TRY(app_json_set(a, object, "id", json_integer(item.id)));
    if (item.path != NULL)
        APP_TRY(app_json_set(a, object, "file", app_json_string(item.path)));
    json_array_append(items, object);
done:
    json_decref(object);
    return st;
}

static akin_status print_json(app *a, akin_collection *c,
                              const akin_duplicate *d, int64_t n)
{
    json_t *groups = json_array();
    json_t *items = NULL;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < n && st == AKIN_OK; ++i) {
        if (i == 0 || d[i].group != d[i - 1].group) {
            items = json_array();
            json_array_append_new(groups, items);
        }
        st = add_item(a, c, d, i, items);
    }
    if (st == AKIN_OK)
        return app_json_print(a, APP_OBJECT(APP_KEY("groups", groups)));
    json_decref(groups);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const duplicates_flags *f = flags;
    akin_collection *c = NULL;
    akin_duplicate *d = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, f->collection));
    APP_TRY(akin_collection_duplicates(&d, &n, a->ctx, c, f->at_least));
    app_progress_clear(&a->progress);
    if (a->common.json)
        APP_TRY(print_json(a, c, d, n));
    else {
        APP_TRY(print_lines(a, c, d, n));
        APP_TRY(
            app_report(a, "%s in %s\n", app_counted(n, "item").text,
                       app_counted(n ? d[n - 1].group + 1 : 0, "group").text));
    }
done:
    akin_free(d);
    akin_collection_close(c);
    return st;
}

const app_command cmd_duplicates = {
    .name = "duplicates",
    .section = "collections",
    .summary = "items that are the same, or nearly",
    .about = "Print lines `group row kind score name`. The first item of a "
             "group is followed by those of the same content as an earlier one "
             "(same) and those that are nearly the same (near), with the "
             "largest score that an item has within its group: the cosine of "
             "counts of words, and for dense rows 1 - distance / width, "
             "without any learned model. An item may be in a group by way of "
             "another. akin remove takes names.",
    .examples = "akin duplicates photos.akin\n"
                "akin duplicates photos.akin --at-least 0.8 --json",
    .size = sizeof(duplicates_flags),
    APP_PARTS({&group, 0}),
    .run = run,
};
