/* akin export: faces and names for other programs. */
#include <akin/faces.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/collection/face_names.h"
#include "cli/commands.h"

typedef struct export_flags {
    const char *collection, *to, *out, *names;
    bool force;
} export_flags;

static const app_option options[] = {
    {"COLLECTION", NULL, APP_FIELD(export_flags, collection),
     .help = "a collection of akin faces", .flags = APP_ARGUMENT | APP_NEEDED},
    {"to", "csv|json|xmp", APP_FIELD(export_flags, to),
     .help = "DIR/faces.csv, DIR/faces.json, or DIR/PHOTO.jpg.xmp for each "
             "photo",
     .flags = APP_NEEDED},
    {"out", "DIR", APP_FIELD(export_flags, out),
     .help = "the folder to write to; for xmp that of the photos, or another",
     .flags = APP_NEEDED},
    {"names", "FILE", APP_FIELD(export_flags, names),
     .help = "names of the faces, as akin name writes them; without it those "
             "that --boxes or --from-xmp gave"},
    {"force", NULL, APP_FIELD(export_flags, force),
     .help = "replace faces, persons and captions in files of XMP that say "
             "something else"},
};

static const app_group group =
    APP_GROUP("Faces and files", options, (&(const export_flags){0}));

static akin_status run(app *a, const void *flags)
{
    const export_flags *f = flags;
    akin_faces_export_options o = AKIN_FACES_EXPORT_DEFAULTS;
    akin_faces_export_info info = {0};
    akin_collection *c = NULL;
    face_names g = {0};
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, f->collection));
    face_names_warn_open(a, c, f->collection);
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

const app_command cmd_export = {
    .name = "export",
    .section = "files",
    .summary = "faces and their names for other programs",
    .about =
        "Write the faces of a collection, with their names, where other "
        "programs read them: a table, JSON, or a file of XMP for each photo, "
        "with regions (Metadata Working Group) and persons (IPTC) as digiKam "
        "and exiftool know them. akin faces --from-xmp reads these again.\n"
        "Photos are never changed. A file of XMP that exists keeps what else "
        "it says. If it has faces that the collection has not, nothing is "
        "written without --force.",
    .examples =
        "akin export faces.akin --to xmp --names names.csv --out photos/\n"
        "akin export faces.akin --to csv --out tables/",
    .size = sizeof(export_flags),
    APP_PARTS({&group, 0}),
    .run = run,
};
