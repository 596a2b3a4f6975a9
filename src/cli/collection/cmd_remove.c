/* akin remove: items leave a collection. */
#include <akin/collection.h>
#include <stdlib.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct remove_flags {
    const char *collection, *name, *where;
} remove_flags;

static const app_option options[] = {
    {"COLLECTION", NULL, APP_FIELD(remove_flags, collection),
     .help = "a collection", .flags = APP_ARGUMENT | APP_NEEDED},
    {"NAME", NULL, APP_FIELD(remove_flags, name),
     .help = "items by name or path", .flags = APP_ARGUMENT | APP_MANY},
    {"where", "CONDITION", APP_FIELD(remove_flags, where),
     .help = "items of which it is true, as in 'date < 2020 AND label = cat'"},
};

static const app_group group =
    APP_GROUP("Collection and items", options, (&(const remove_flags){0}));

static akin_status run(app *a, const void *flags)
{
    const remove_flags *f = flags;
    const char *names[APP_MOST_WORDS + 1];
    int64_t n = 0, removed = 0;
    akin_status st = AKIN_OK;
    while ((names[n] = app_value_at(a, "NAME", n)) != NULL)
        ++n;
    if (n == 0 && f->where == NULL)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "remove needs names or --where (see akin help "
                         "remove)"));
    APP_TRY(akin_collection_remove(&removed, a->ctx, f->collection, names, n,
                                   f->where));
    if (a->common.json)
        APP_TRY(app_json_print(a, APP_OBJECT(APP_KEY("removed", removed),
                                             APP_KEY("out", f->collection))));
    else
        APP_TRY(app_report(a, "%s: %s removed\n", f->collection,
                           app_counted(removed, "item").text));
done:
    return st;
}

const app_command cmd_remove = {
    .name = "remove",
    .section = "collections",
    .summary = "remove items from a collection",
    .about =
        "Remove items by name, by path, or by a condition on their fields. "
        "All of them are removed, or none where a name is not there. "
        "Searches that are under way still find them. Files stay where "
        "they are, and --add does not add them again (--restore does), "
        "unless their content changed. Rows of akin vectors are not "
        "remembered: --add adds them again.",
    .examples = "akin remove photos.akin tower/3.jpg street_000.jpg\n"
                "akin remove photos.akin --where 'date < 2020'",
    .size = sizeof(remove_flags),
    APP_PARTS({&group, 0}),
    .run = run,
};
