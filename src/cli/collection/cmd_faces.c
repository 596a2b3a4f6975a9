/* akin faces: the faces of captioned photographs become a collection. */
#include <akin/faces.h>
#include <sys/stat.h>

#include "app/json.h"
#include "app/ranks.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *in, *out, *add, *captions, *aliases, *tagger;
    const char *boxes, *vectors;
    bool force, strict, from_xmp, prune;
} own_flags;

typedef struct faces_flags {
    own_flags own;
    akin_faces_options how;
    reading_flags reading;
} faces_flags;

static const app_option own_options[] = {
    {"DIR", NULL, APP_FIELD(own_flags, in),
     .help = "a folder of photos; a collection with --add; nothing with "
             "--vectors",
     .flags = APP_ARGUMENT},
    {"out", "COLLECTION", APP_FIELD(own_flags, out),
     .help =
         "the collection to write, a folder; an interrupted run is resumed"},
    {"add", "DIR|FILE", APP_FIELD(own_flags, add),
     .help = "add the faces of other photos, and captions, to a collection; "
             "photos that are there are not looked at again. A collection of "
             "vectors takes a file of them"},
    {"captions", "FILE", APP_FIELD(own_flags, captions),
     .help = "csv with a header photo,caption or photo,names, names separated "
             "by ';', or JSON lines; without it, a .txt beside a photo, or "
             "its XMP or IPTC caption. With --vectors: photo,faces,names"},
    {"boxes", "CSV", APP_FIELD(own_flags, boxes),
     .help = "where the faces are, in place of detection: a header "
             "photo,x,y,width,height and perhaps name, in pixels",
     .excludes = "vectors"},
    {"vectors", "FILE", APP_FIELD(own_flags, vectors),
     .help = "faces that are vectors already, a row each, in place of photos",
     .needs = "captions", .excludes = "add"},
    {"from-xmp", NULL, APP_FIELD(own_flags, from_xmp),
     .help = "take faces and names from regions in XMP, in the photo or beside "
             "it; detect only where there are none",
     .excludes = "boxes vectors"},
    {"force", NULL, APP_FIELD(own_flags, force),
     .help = "replace an existing collection at --out", .needs = "out"},
    {"prune", NULL, APP_FIELD(own_flags, prune),
     .help = "remove photos from the collection whose files are gone",
     .needs = "add", .advanced = true},
    {"strict", NULL, APP_FIELD(own_flags, strict),
     .help = "exit 2 when a photo is skipped", .advanced = true},
    {"aliases", "FILE", APP_FIELD(own_flags, aliases),
     .help = "other names of persons in captions: csv with a header alias,name",
     .excludes = "vectors", .advanced = true},
    {"tagger", "FILE", APP_FIELD(own_flags, tagger),
     .help = "a model of akin persons --learn to find names in captions, in "
             "place of the one that comes with akin",
     .excludes = "vectors", .advanced = true},
};

static const app_group own_group =
    APP_GROUP("Photos and collection", own_options, (&(const own_flags){0}));

static const akin_faces_options standard = AKIN_FACES_DEFAULTS;

#define FIELD(field) APP_FIELD(akin_faces_options, field)

static const app_option how_options[] = {
    {"detector", "hog|mmod", FIELD(detector),
     .help = "what finds faces: hog those that look towards the camera; mmod "
             "also turned and partly hidden ones, and takes much longer",
     .excludes = "vectors"},
    {"descriptor", "resnet|patches", FIELD(descriptor),
     .help = "how a face is described: resnet by 128 numbers of a network, "
             "patches by 1,937 grey values around 13 points",
     .excludes = "vectors"},
    {"side", "N", FIELD(side),
     .help = "pixels of the longest side; larger photos are shrunk first",
     .min = 64, .max = 8192, .excludes = "vectors", .advanced = true},
    {"upsample", "N", FIELD(upsample),
     .help = "how often a photo is doubled before faces are looked for; "
             "each time finds faces of half the size (80 pixels without "
             "it) in four times the time; without it 1 for hog, 0 for mmod",
     .max = 3, .excludes = "vectors", .advanced = true},
};

static const app_group how_group =
    APP_GROUP_NEEDS("From photos to faces", how_options, &standard, "out");

/* ---- the report ---- */

static akin_status report_json(app *a, const akin_faces_info *i,
                               const char *path, double seconds)
{
    json_t *all = APP_OBJECT(
        APP_KEY("rows", i->faces), APP_KEY("dim", i->dim),
        APP_KEY("photos", i->photos), APP_KEY("captions", i->captions),
        APP_KEY("added", i->added), APP_KEY("changed", i->changed),
        APP_KEY("removed", i->removed), APP_KEY("looked_at", i->looked_at),
        APP_KEY("without_faces", i->without), APP_KEY("moved", i->moved),
        APP_KEY("gone", i->gone), APP_KEY("pruned", i->pruned),
        APP_KEY("skipped", i->left_out), APP_KEY("other_files", i->other_files),
        APP_KEY("seconds", seconds));
    json_object_set_new(
        all, "stages",
        APP_OBJECT(APP_KEY("decode", i->decode_seconds),
                   APP_KEY("detect", i->detect_seconds),
                   APP_KEY("landmarks", i->landmark_seconds),
                   APP_KEY("descriptor", i->descriptor_seconds)));
    json_object_set_new(all, "out", app_json_string(path));
    return app_json_print(a, all);
}

static akin_status report(app *a, const akin_faces_info *i, const char *path,
                          double seconds)
{
    if (a->common.json)
        return report_json(a, i, path, seconds);
    if (i->photos == 0)
        app_remark(a, "no photos were found");
    if (i->without > 0)
        app_remark(a, "%s without a face",
                   app_counted(i->without, "photo").text);
    if (i->moved > 0)
        app_remark(a, "%s moved: known by the content",
                   app_counted(i->moved, "photo").text);
    if (i->gone > 0)
        app_remark(a, "%s no longer there (--prune removes them)",
                   app_counted(i->gone, "photo").text);
    if (i->pruned > 0)
        app_remark(a, "%s removed: no longer there",
                   app_counted(i->pruned, "photo").text);
    if (i->removed > 0)
        app_remark(a, "%s removed: not found again",
                   app_counted(i->removed, "face").text);
    if (i->captions < i->photos)
        app_remark(a, "%s without a caption",
                   app_counted(i->photos - i->captions, "photo").text);
    return app_report(
        a, "%s: %s (%s new) in %s (%s skipped), %s, %s\n", path,
        app_counted(i->faces, "face").text, app_count(i->added).text,
        app_counted(i->photos, "photo").text, app_count(i->left_out).text,
        app_counted(i->dim, "column").text, app_seconds(seconds).text);
}

/* ---- the command ---- */

/* --vectors, or a file of them as --add. */
static akin_status import(app *a, const faces_flags *f,
                          const akin_faces_options *o, akin_faces_info *info)
{
    const own_flags *own = &f->own;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    if (app_ranks_leave(a))
        return AKIN_OK;
    APP_TRY(cli_read_rows(a, &rows, own->add ? own->add : own->vectors,
                          &f->reading, (cli_shape){0}));
    APP_TRY(own->add ? akin_faces_import_more(a->ctx, own->in, rows, o, info)
                     : akin_faces_import(a->ctx, own->out, rows, o, info));
done:
    akin_rows_free(rows);
    return st;
}

static bool is_file(const char *path)
{
    struct stat s;
    return path != NULL && stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

/* Flags that would be ignored. */
static akin_status check_reading(app *a, const own_flags *own)
{
    static const char *const flags[] = {"label-column", "variable",
                                        "label-variable", "index-base", "dim"};
    if (app_was_given(a, "labels"))
        return app_fail(a, AKIN_EINVAL,
                        "--labels has no effect (--captions FILE has names)");
    for (size_t k = 0; k < sizeof flags / sizeof *flags; ++k)
        if (app_was_given(a, flags[k]) && !own->vectors && !is_file(own->add))
            return app_fail(a, AKIN_EINVAL,
                            "--%s has no effect on photos (it is for vectors)",
                            flags[k]);
    return AKIN_OK;
}

static akin_status check(app *a, const own_flags *own)
{
    if (own->vectors != NULL && own->in != NULL)
        return app_fail(a, AKIN_EINVAL,
                        "'%s': --vectors takes the place of photos", own->in);
    if (own->vectors == NULL && own->in == NULL)
        return app_fail(a, AKIN_EINVAL, "DIR is missing (akin help faces)");
    return check_reading(a, own);
}

static akin_status run(app *a, const void *flags)
{
    const faces_flags *f = flags;
    const own_flags *own = &f->own;
    const char *path = own->out ? own->out : own->in;
    const double start = app_now();
    akin_faces_options o = f->how;
    akin_faces_info info = {0};
    akin_status st = AKIN_OK;
    APP_TRY(check(a, own));
    o.captions = own->captions;
    o.aliases = own->aliases;
    o.tagger = own->tagger;
    o.boxes = own->boxes;
    o.from_xmp = own->from_xmp;
    o.force = own->force;
    o.prune = own->prune;
    if (own->vectors || is_file(own->add))
        APP_TRY(import(a, f, &o, &info));
    else if (own->out)
        APP_TRY(akin_faces_make(a->ctx, path, own->in, &o, &info));
    else
        APP_TRY(akin_faces_add(a->ctx, path, own->add, &o, &info));
    APP_TRY(report(a, &info, path, app_now() - start));
    if (own->strict && info.left_out > 0)
        APP_TRY(app_fail(a, AKIN_EFORMAT, "%s skipped (--strict)",
                         app_counted(info.left_out, "photo").text));
done:
    return st;
}

const app_command cmd_faces = {
    .name = "faces",
    .section = "collections",
    .summary = "the faces of captioned photos, for akin name",
    .about =
        "Find the faces in the photos of a folder and below it, describe each "
        "by a vector, and keep it with its place, its photo and the names of "
        "the caption, which are found as akin persons does. akin name then "
        "names the faces.\n"
        "The collection is a folder. Its rows are the faces, called PHOTO#1, "
        "PHOTO#2 and so on from left to right. Repeat an interrupted command "
        "to resume it. Photos that cannot be read are named and skipped.\n"
        "Needs a build with faces, and weights: scripts/setup.sh --faces. "
        "Nothing leaves the machine, and no other command looks for faces.",
    .examples = "akin faces photos/ --captions captions.csv --out faces.akin\n"
                "akin name faces.akin --out names.csv\n"
                "akin faces faces.akin --add more/ --captions more.csv\n"
                "akin faces photos/ --boxes boxes.csv --out faces.akin\n"
                "akin faces --vectors faces.npy --captions captions.csv --out "
                "faces.akin",
    .size = sizeof(faces_flags),
    .needs = "out|add",
    .excludes = "out|add",
    APP_PARTS({&own_group, offsetof(faces_flags, own)},
              {&how_group, offsetof(faces_flags, how)},
              {&cli_reading_group, offsetof(faces_flags, reading)}),
    .shared = true,
    .run = run,
};
