/* akin info: what a file is. */
#include <akin/faces.h>
#include <akin/versions.h>
#include <inttypes.h>
#include <string.h>

#include "app/json.h"
#include "cli/commands.h"
#include "cli/inspect.h"

/* What the items of a collection consist of; NULL: numbers. */
static const char *parts_of(const char *kind)
{
    return strcmp(kind, "images") == 0      ? "descriptors"
           : strcmp(kind, "documents") == 0 ? "words"
                                            : NULL;
}

/* A collection and its versions. */
typedef struct contents {
    const char *path;
    akin_collection *c;
    akin_items_info items;
    bool has_faces;
    akin_faces_info faces;
    akin_version_info *versions;
    int64_t n_versions;
} contents;

static bool is_of_user(const akin_version_info *v)
{
    return v->in_use && v->user[0] != '\0';
}

static akin_status print_users(app *a, const contents *x)
{
    bool any = false;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < x->n_versions; ++k)
        if (is_of_user(&x->versions[k])) {
            APP_TRY(app_print(a, "%s%s", any ? ", " : "users        ",
                              x->versions[k].user));
            any = true;
        }
    if (any)
        APP_TRY(app_print(a, "\n"));
done:
    return st;
}

static akin_status print_collection(app *a, const contents *x)
{
    const char *kind = akin_collection_kind(x->c), *parts = parts_of(kind);
    const akin_items_info *i = &x->items;
    akin_status st = AKIN_OK;
    APP_TRY(app_print(a,
                      "type         collection of %s\nrows         %" PRId64
                      "\ndim          %" PRId64 "\n",
                      kind, i->items, i->dim));
    if (parts != NULL)
        APP_TRY(app_print(a, "%-12s %" PRId64 "\n", parts, i->features));
    if (x->has_faces)
        APP_TRY(
            app_print(a, "photos       %" PRId64 "\ncaptions     %" PRId64 "\n",
                      x->faces.photos, x->faces.captions));
    APP_TRY(app_print(
        a,
        "labels       %" PRId64 "\nskipped      %" PRId64 "\nfinished     %s\n",
        i->classes, i->left_out, akin_collection_is_open(x->c) ? "no" : "yes"));
    APP_TRY(print_users(a, x));
done:
    return st;
}

static akin_status print_collection_json(app *a, const contents *x)
{
    const char *kind = akin_collection_kind(x->c), *parts = parts_of(kind);
    const akin_items_info *i = &x->items;
    const bool finished = !akin_collection_is_open(x->c);
    json_t *users = json_array(),
           *all = APP_OBJECT(
               APP_KEY("file", x->path), APP_KEY("type", "collection"),
               APP_KEY("kind", kind), APP_KEY("rows", i->items),
               APP_KEY("dim", i->dim), APP_KEY("labels", i->classes),
               APP_KEY("skipped", i->left_out), APP_KEY("finished", finished));
    if (parts != NULL)
        json_object_set_new(all, parts, json_integer(i->features));
    if (x->has_faces) {
        json_object_set_new(all, "photos", json_integer(x->faces.photos));
        json_object_set_new(all, "captions", json_integer(x->faces.captions));
    }
    for (int64_t k = 0; k < x->n_versions; ++k)
        if (is_of_user(&x->versions[k]))
            json_array_append_new(users, app_json_string(x->versions[k].user));
    json_object_set_new(all, "users", users);
    return app_json_print(a, all);
}

/* Works for a collection whose run was interrupted, too. */
static akin_status show_collection(app *a, const char *path)
{
    contents x = {.path = path};
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&x.c, a->ctx, path));
    APP_TRY(akin_collection_info(&x.items, a->ctx, x.c));
    x.has_faces = strcmp(akin_collection_kind(x.c), "faces") == 0;
    if (x.has_faces)
        APP_TRY(akin_faces_count(&x.faces, a->ctx, x.c));
    APP_TRY(akin_collection_versions(&x.versions, &x.n_versions, a->ctx, path));
    APP_TRY(a->common.json ? print_collection_json(a, &x)
                           : print_collection(a, &x));
done:
    akin_free(x.versions);
    akin_collection_close(x.c);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const inspect_flags *f = flags;
    akin_file_info *info = NULL;
    akin_status st = AKIN_OK;
    if (akin_collection_is(f->file.path))
        return show_collection(a, f->file.path);
    APP_TRY(cli_inspect(a, &info, f));
    APP_TRY(a->common.json
                ? app_json_print(a, cli_inspect_json(info, f->file.path))
                : cli_inspect_print(a, info));
done:
    akin_file_info_free(info);
    return st;
}

const app_command cmd_info = {
    .name = "info",
    .section = "files",
    .summary = "what a file is: model, recipe or data",
    .about = "Read the whole file, and show its type and its properties.",
    .examples = "akin info m.safetensors\nakin info rows.svm --json",
    .size = sizeof(inspect_flags),
    APP_PARTS({&cli_file_group, offsetof(inspect_flags, file)},
              {&cli_reading_group, offsetof(inspect_flags, reading)}),
    .run = run,
};
