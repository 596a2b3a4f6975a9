/* akin remove: items leave a collection. */
#include <akin/faces.h>
#include <stdlib.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/collection/face_names.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct remove_flags {
    const char *collection, *name, *where, *person, *names;
} remove_flags;

static const app_option options[] = {
    {"COLLECTION", NULL, APP_FIELD(remove_flags, collection),
     .help = "a collection", .flags = APP_ARGUMENT | APP_NEEDED},
    {"NAME", NULL, APP_FIELD(remove_flags, name),
     .help = "items by name or path", .flags = APP_ARGUMENT | APP_MANY},
    {"where", "CONDITION", APP_FIELD(remove_flags, where),
     .help = "items of which it is true, as in 'date < 2020 AND label = cat'"},
    {"person", "NAME", APP_FIELD(remove_flags, person),
     .help = "of a collection of faces: all faces of this person, the name in "
             "captions, also in capitals, without accents or in part, and what "
             "was said of the faces; nothing of it stays in the files",
     .excludes = "where NAME"},
    {"names", "FILE", APP_FIELD(remove_flags, names),
     .help = "names of akin name that say which faces are the person's, beside "
             "labels and answers (without it, those that the collection has "
             "kept); needed where these do not say it",
     .needs = "person"},
};

static const app_group group =
    APP_GROUP("Collection and items", options, (&(const remove_flags){0}));

static akin_status remove_person(app *a, const remove_flags *f,
                                 int64_t *removed)
{
    face_names g = {0};
    akin_collection *c = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, f->collection));
    if (f->names != NULL)
        APP_TRY(face_names_read(a, &g, f->names, c));
    else
        APP_TRY(face_names_kept(a, &g, f->collection, c));
    akin_collection_close(c);
    c = NULL;
    APP_TRY(akin_faces_remove_person(removed, a->ctx, f->collection, f->person,
                                     g.names));
done:
    akin_collection_close(c);
    face_names_free(&g);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const remove_flags *f = flags;
    const char *names[APP_MOST_WORDS + 1];
    int64_t n = 0, removed = 0;
    akin_status st = AKIN_OK;
    while ((names[n] = app_value_at(a, "NAME", n)) != NULL)
        ++n;
    if (n == 0 && f->where == NULL && f->person == NULL)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "remove needs names, --where or --person (see akin "
                         "help remove)"));
    APP_TRY(f->person ? remove_person(a, f, &removed)
                      : akin_collection_remove(&removed, a->ctx, f->collection,
                                               names, n, f->where));
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
        "remembered: --add adds them again.\n"
        "--person removes a person from a collection of faces, and all traces "
        "of the name and of names merged with it: the index is built again, "
        "deleted bytes are overwritten, and all files are searched for the "
        "name in the end. The faces are not added again when their photos are "
        "looked at once more.",
    .examples = "akin remove photos.akin tower/3.jpg street_000.jpg\n"
                "akin remove photos.akin --where 'date < 2020'\n"
                "akin remove faces.akin --person 'Ann Smith' --names names.csv",
    .size = sizeof(remove_flags),
    APP_PARTS({&group, 0}),
    .run = run,
};
