/* akin export: items for search engines; faces and names for other programs. */
#include <akin/export.h>
#include <akin/faces.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/collection/face_names.h"
#include "cli/commands.h"
#include "cli/export/source.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *source, *to, *out, *data, *since, *name, *score, *names;
    int64_t version, shards;
    bool half, force;
} own_flags;

typedef struct export_flags {
    own_flags own;
    reading_flags reading;
} export_flags;

static const app_option own_options[] = {
    {"INDEX", NULL, APP_FIELD(own_flags, source),
     .help = "a file from akin index, a model with --data, or a collection",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"to", "pgvector|opensearch|elasticsearch|faiss|hnswlib|numpy|csv|json|xmp",
     APP_FIELD(own_flags, to),
     .help = "the engine; of a collection of faces, csv, json and xmp are "
             "DIR/faces.csv, DIR/faces.json, or DIR/PHOTO.jpg.xmp for each "
             "photo",
     .flags = APP_NEEDED},
    {"out", "DIR", APP_FIELD(own_flags, out),
     .help = "the folder to write, which may be an earlier export; for xmp "
             "that of the photos, or another",
     .flags = APP_NEEDED},
    {"data", "FILE", APP_FIELD(own_flags, data),
     .help = "the items, with a model as INDEX: rows as they were before "
             "training"},
    {"version", "V", APP_FIELD(own_flags, version),
     .help = "the number of this model: the engine calls it NAME_vV; without "
             "it 1, or that of a collection's model",
     .max = 9e15},
    {"since", "DIR", APP_FIELD(own_flags, since),
     .help = "an earlier export of the same model: also write what changed "
             "(pgvector, opensearch, elasticsearch, csv)"},
    {"shards", "N", APP_FIELD(own_flags, shards),
     .help = "pgvector: parts of the items, one for each server", .min = 1,
     .max = 1024, .needs = "to=pgvector"},
    {"half", NULL, APP_FIELD(own_flags, half),
     .help = "pgvector: embeddings as halfvec, of 16-bit numbers",
     .needs = "to=pgvector"},
    {"name", "NAME", APP_FIELD(own_flags, name),
     .help = "what the engine calls it: small letters, digits and _",
     .advanced = true},
    {"score", "dot|cosine|distance", APP_FIELD(own_flags, score),
     .help = "how items are compared; without it, as the index was made for",
     .advanced = true},
    {"names", "FILE", APP_FIELD(own_flags, names),
     .help = "faces: their names, as akin name writes them; without it those "
             "that --boxes or --from-xmp gave",
     .needs = "to=csv,json,xmp"},
    {"force", NULL, APP_FIELD(own_flags, force),
     .help = "xmp: replace faces, persons and captions in files of XMP that "
             "say something else",
     .needs = "to=csv,json,xmp"},
};

static const app_group own_group =
    APP_GROUP("Items and engine", own_options,
              (&(const own_flags){.version = -1, .shards = 1, .name = "akin"}));

/* ---- faces ---- */

/* Of a collection of faces, csv is a table of them; json and xmp are of no
 * other. */
static akin_status is_for_faces(app *a, const own_flags *f, bool *out)
{
    akin_collection *c = NULL;
    akin_status st = AKIN_OK;
    *out = strcmp(f->to, "json") == 0 || strcmp(f->to, "xmp") == 0;
    if (*out || strcmp(f->to, "csv") != 0 || !akin_collection_is(f->source))
        return AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, f->source));
    *out = strcmp(akin_collection_kind(c), "faces") == 0;
done:
    akin_collection_close(c);
    return st;
}

static akin_status export_faces(app *a, const own_flags *f)
{
    akin_faces_export_options o = AKIN_FACES_EXPORT_DEFAULTS;
    akin_faces_export_info info = {0};
    akin_collection *c = NULL;
    face_names g = {0};
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, f->source));
    face_names_warn_open(a, c, f->source);
    if (f->names != NULL)
        APP_TRY(face_names_read(a, &g, f->names, c));
    o.to = f->to;
    o.names = g.names;
    o.force = f->force;
    APP_TRY(akin_faces_export(a->ctx, c, f->out, &o, &info));
    if (a->common.json)
        APP_TRY(app_json_print(a, APP_OBJECT(APP_KEY("photos", info.photos),
                                             APP_KEY("faces", info.faces),
                                             APP_KEY("named", info.named),
                                             APP_KEY("to", f->to),
                                             APP_KEY("out", f->out))));
    else
        APP_TRY(app_report(a, "%s: %s of %s, %s named\n", f->out,
                           app_counted(info.faces, "face").text,
                           app_counted(info.photos, "photo").text,
                           app_count(info.named).text));
done:
    face_names_free(&g);
    akin_collection_close(c);
    return st;
}

/* ---- engines ---- */

static json_t *limits_of(const akin_export_info *info)
{
    json_t *all = json_array();
    for (const char *at = info->limits; *at != '\0';) {
        const size_t n = strcspn(at, "\n");
        json_array_append_new(all, json_stringn(at, n));
        at += n + (at[n] != '\0');
    }
    return all;
}

static akin_status report_json(app *a, const own_flags *f, int64_t version,
                               const akin_export_info *info)
{
    json_t *all = APP_OBJECT(
        APP_KEY("to", f->to), APP_KEY("items", info->items),
        APP_KEY("dim", info->dim),
        APP_KEY("vectors",
                (const char *)(info->is_sparse ? "sparse" : "dense")),
        APP_KEY("query", (const char *)(info->has_query ? "features.csv"
                                                        : "akin embed")),
        APP_KEY("name", f->name), APP_KEY("version", version),
        APP_KEY("limits", limits_of(info)), APP_KEY("out", f->out));
    if (f->since != NULL) {
        json_object_set_new(all, "changed", json_integer(info->changed));
        json_object_set_new(all, "removed", json_integer(info->removed));
    }
    return app_json_print(a, all);
}

static akin_status report(app *a, const own_flags *f,
                          const akin_export_info *info)
{
    akin_status st = AKIN_OK;
    APP_TRY(app_report(a, "%s: %s, %s vectors of %s, for %s\n", f->out,
                       app_counted(info->items, "item").text,
                       info->is_sparse ? "sparse" : "dense",
                       app_counted(info->dim, "number").text, f->to));
    if (f->since != NULL)
        APP_TRY(app_report(a, "since %s: %s changed, %s removed\n", f->since,
                           app_count(info->changed).text,
                           app_count(info->removed).text));
    APP_TRY(app_report(a, "%s\n", info->limits));
done:
    return st;
}

static akin_status check_faces_flags(app *a)
{
    if (app_was_given(a, "names") || app_was_given(a, "force"))
        return app_fail(a, AKIN_EINVAL, "--%s needs a collection of faces",
                        app_was_given(a, "names") ? "names" : "force");
    return AKIN_OK;
}

/* A model is no index: it needs the items too. */
static akin_status open_source(app *a, export_source *s, const export_flags *f)
{
    const char *path = f->own.source;
    const akin_status st =
        export_source_open(a, s, path, f->own.data, &f->reading);
    char why[APP_MESSAGE_SIZE];
    akin_model *m = NULL;
    if (f->own.data != NULL || (st != AKIN_EFORMAT && st != AKIN_ENOENT))
        return st;
    snprintf(why, sizeof why, "%s", app_error_text(a, st));
    const bool is_model = akin_model_is_builtin(path) ||
                          akin_model_load(&m, a->ctx, path) == AKIN_OK;
    akin_model_free(m);
    return is_model
               ? app_fail(a, AKIN_EINVAL,
                          "%s is a model, which needs --data (the items)", path)
               : app_fail(a, st, "%s", why);
}

static akin_status export_items(app *a, const export_flags *f)
{
    const own_flags *own = &f->own;
    akin_export_options o = AKIN_EXPORT_DEFAULTS;
    akin_export_info info = {0};
    export_source s = {0};
    akin_status st = AKIN_OK;
    APP_TRY(check_faces_flags(a));
    APP_TRY(open_source(a, &s, f));
    o.to = own->to;
    o.name = own->name;
    o.version = own->version >= 0 ? own->version
                : s.version >= 0  ? s.version
                                  : 1;
    o.ids = s.ids;
    o.since = own->since;
    o.shards = own->shards;
    o.half = own->half;
    o.by = cli_compare(own->score);
    APP_TRY(akin_export(a->ctx, s.index, own->out, &o, &info));
    APP_TRY(a->common.json ? report_json(a, own, o.version, &info)
                           : report(a, own, &info));
done:
    export_source_close(&s);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const export_flags *f = flags;
    bool faces = false;
    const akin_status st = is_for_faces(a, &f->own, &faces);
    if (st != AKIN_OK)
        return st;
    return faces ? export_faces(a, &f->own) : export_items(a, f);
}

const app_command cmd_export = {
    .name = "export",
    .section = "files",
    .summary = "items for PostgreSQL, OpenSearch and others; faces for photo "
               "programs",
    .about =
        "Write a folder that another search engine loads: its schema, the "
        "items, and the query side, which turns a raw row into the vector or "
        "request that the engine takes. Learned weights of either sign are on "
        "the query side; sparse items stay as they are under a dot product. "
        "akin verify-export compares the folder with the index.\n"
        "The folder appears complete or not at all. With --since it also has "
        "what changed, and --version keeps several models side by side.\n"
        "Of a collection of faces, csv, json and xmp are the faces with their "
        "names: a table, JSON, or a file of XMP for each photo, with regions "
        "(Metadata Working Group) and persons (IPTC) as digiKam and exiftool "
        "know them. akin faces --from-xmp reads these again.\n"
        "Photos are never changed. A file of XMP that exists keeps what else "
        "it says. If it has faces that the collection has not, nothing is "
        "written without --force.",
    .examples =
        "akin export rows.index --to pgvector --out rows.pg\n"
        "akin export m.safetensors --data rows.svm --to opensearch --out os\n"
        "akin export news.akin --to pgvector --since monday --out tuesday\n"
        "akin export faces.akin --to xmp --names names.csv --out photos/\n"
        "akin export faces.akin --to csv --out tables/",
    .size = sizeof(export_flags),
    APP_PARTS({&own_group, offsetof(export_flags, own)},
              {&cli_reading_group, offsetof(export_flags, reading)}),
    .run = run,
};
