/* akin synth: data of known structure. */
#include <akin/synth.h>
#include <stdio.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *kind, *out, *like;
    int64_t rows, dim;
} own_flags;

typedef struct faces_file_flags {
    const char *captions, *truth;
} faces_file_flags;

typedef struct synth_flags {
    own_flags own;
    akin_synth_bags_options bags;
    akin_synth_labels_options labels;
    akin_synth_faces_options faces;
    faces_file_flags files;
    akin_synth_scenes_options scenes;
} synth_flags;

static const app_option own_options[] = {
    {"KIND", "bags|labels|faces|scenes", APP_FIELD(own_flags, kind),
     .help = "bags: bags of words, as documents and pictures become; labels: "
             "rows with several labels each, out of a tree; faces: faces in "
             "photos with captions; scenes: pictures of landmarks",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"out", "FILE", APP_FIELD(own_flags, out),
     .help = "the rows to write, by extension; - is svm on standard "
             "output; scenes: a folder",
     .flags = APP_NEEDED | APP_OUTPUT | APP_EITHER},
    {"like", "FILE", APP_FIELD(own_flags, like),
     .help = "bags: take word frequencies from this file of counts",
     .needs = "KIND=bags", .excludes = "dim exponent shift", .advanced = true},
    {"rows", "N", APP_FIELD(own_flags, rows),
     .help = "how many rows; bags 1000, labels 10000", .min = 1, .max = 1e9,
     .zero = "auto", .needs = "KIND=bags,labels"},
    {"dim", "N", APP_FIELD(own_flags, dim),
     .help = "how many columns: words 10000, features of labels 1000, of "
             "faces 50",
     .min = 1, .max = 2147483647.0, .zero = "auto",
     .needs = "KIND=bags,labels,faces"},
};

static const app_group own_group =
    APP_GROUP("What to make", own_options, (&(const own_flags){0}));

static const akin_synth_bags_options standard = AKIN_SYNTH_BAGS_DEFAULTS;

#define FIELD(field) APP_FIELD(akin_synth_bags_options, field)

static const app_option bags_options[] = {
    {"classes", "N", FIELD(classes), .help = "classes; 0: no labels",
     .max = 1e9},
    {"words", "N", FIELD(words), .help = "mean words in a bag, repeats counted",
     .min = 1, .max = 1e9},
    {"class-words", "N", FIELD(class_words),
     .help = "words that belong to each class", .min = 1, .max = 1e9,
     .advanced = true},
    {"signal", "X", FIELD(signal),
     .help = "share of a bag that is drawn from its class's words", .max = 1},
    {"exponent", "X", FIELD(exponent),
     .help = "frequency of the word of rank r: (r + shift)^-exponent",
     .max = 10, .advanced = true},
    {"shift", "X", FIELD(shift), .help = "see --exponent", .max = 1e9,
     .advanced = true},
    {"burst", "X", FIELD(burst),
     .help = "chance that a word is drawn again, below 1", .max = 0.999,
     .advanced = true},
};

static const app_group bags_group =
    APP_GROUP_NEEDS("Bags", bags_options, &standard, "KIND=bags");

#undef FIELD
#define FIELD(field) APP_FIELD(akin_synth_labels_options, field)

static const akin_synth_labels_options planted = AKIN_SYNTH_LABELS_DEFAULTS;

static const app_option labels_options[] = {
    {"labels", "N", FIELD(labels), .help = "labels, all nodes of the tree",
     .min = 1, .max = 2147483647.0},
    {"rank", "N", FIELD(rank),
     .help = "rank of the matrix that puts the labels of a row first", .min = 1,
     .max = 1e6},
    {"branching", "N", FIELD(branching), .help = "children of a label",
     .min = 2, .max = 2147483647.0, .advanced = true},
    {"leaves", "N", FIELD(leaves),
     .help = "leaves of a row, 1 up to this; labels above them come with them",
     .min = 1, .max = 64, .advanced = true},
    {"nonzeros", "N", FIELD(nonzeros),
     .help = "entries kept of a row, the largest; 0: all", .max = 2147483647.0,
     .advanced = true},
    {"noise", "X", FIELD(noise),
     .help = "size of the noise in the features beside a signal of 1",
     .max = 1e6, .advanced = true},
    {"wrong", "X", FIELD(wrong),
     .help = "share of leaves with the labels of another", .max = 1,
     .advanced = true},
};

static const app_group labels_group =
    APP_GROUP_NEEDS("Labels", labels_options, &planted, "KIND=labels");

#undef FIELD
#define FIELD(field) APP_FIELD(akin_synth_faces_options, field)

static const akin_synth_faces_options persons = AKIN_SYNTH_FACES_DEFAULTS;

static const app_option faces_options[] = {
    {"photos", "N", FIELD(photos), .help = "photos", .min = 1, .max = 1e8},
    {"names", "N", FIELD(names), .help = "names, each a subspace", .min = 1,
     .max = 1e7},
    {"face-rank", "N", FIELD(rank), .help = "dimensions of a name's subspace",
     .min = 1, .max = 1e4, .advanced = true},
    {"face-noise", "X", FIELD(noise),
     .help = "length of the noise beside a face of length 1", .max = 1e6,
     .advanced = true},
    {"most-faces", "N", FIELD(most_faces),
     .help = "faces in a photo, 1 up to this", .min = 1, .max = 64,
     .advanced = true},
    {"known", "X", FIELD(known), .help = "chance that a face is of a name",
     .max = 1, .excludes = "real-name-ratio", .advanced = true},
    {"extra", "X", FIELD(extra),
     .help = "chance of a wrong name in a caption, one more", .max = 1,
     .advanced = true},
    {"missing", "X", FIELD(missing),
     .help = "chance that a name is missing in the caption", .max = 1,
     .advanced = true},
    {"faces", "N", FIELD(faces),
     .help = "faces in all, exactly; auto: as the photos come", .max = 64e8,
     .zero = "auto", .advanced = true},
    {"real-name-ratio", "R", FIELD(real_name_ratio),
     .help = "in the place of --known: the share of faces whose name is in "
             "the caption, exactly",
     .max = 1, .advanced = true},
};

static const app_group faces_group =
    APP_GROUP_NEEDS("Faces", faces_options, &persons, "KIND=faces");

static const app_option files_options[] = {
    {"captions", "FILE", APP_FIELD(faces_file_flags, captions),
     .help = "faces: where the captions go, csv, or JSON lines when it ends in "
             ".jsonl",
     .flags = APP_OUTPUT, .needed_by = "KIND=faces"},
    {"truth", "FILE", APP_FIELD(faces_file_flags, truth),
     .help = "faces: where the true names go, csv", .flags = APP_OUTPUT,
     .needed_by = "KIND=faces"},
};

static const app_group files_group =
    APP_GROUP_NEEDS("Files of faces", files_options,
                    (&(const faces_file_flags){0}), "KIND=faces");

#undef FIELD
#define FIELD(field) APP_FIELD(akin_synth_scenes_options, field)

static const akin_synth_scenes_options town = AKIN_SYNTH_SCENES_DEFAULTS;

static const app_option scenes_options[] = {
    {"landmarks", "N", FIELD(landmarks), .help = "landmarks of the town",
     .min = 1, .max = 10000},
    {"views", "N", FIELD(views), .help = "pictures of each landmark", .min = 1,
     .max = 10000},
    {"others", "N", FIELD(others), .help = "pictures without a landmark",
     .max = 1e7, .advanced = true},
    {"width", "N", FIELD(width), .help = "pixels of a row", .min = 64,
     .max = 4096, .advanced = true},
    {"height", "N", FIELD(height), .help = "rows of a picture", .min = 64,
     .max = 4096, .advanced = true},
};

static const app_group scenes_group =
    APP_GROUP_NEEDS("Scenes", scenes_options, &town, "KIND=scenes");

static akin_status report(app *a, const akin_rows *rows, bool bags,
                          const char *path)
{
    const int64_t n = akin_rows_count(rows), d = akin_rows_dim(rows);
    const int64_t nonzeros = akin_rows_nonzeros(rows);
    const int64_t labels = akin_rows_label_count(rows);
    if (a->common.json)
        return app_json_print(
            a, APP_OBJECT(APP_KEY("rows", n), APP_KEY("dim", d),
                          APP_KEY("nonzeros", nonzeros),
                          APP_KEY("labels", labels), APP_KEY("out", path)));
    return app_report(
        a, "%s: %s of %s out of %s, %s%s%s\n", app_shown(path),
        app_counted(n, bags ? "bag" : "row").text,
        app_counted((nonzeros + n / 2) / n, bags ? "different word" : "feature")
            .text,
        app_count(d).text, app_count(labels).text, bags ? " class" : " label",
        labels == 1 ? ""
        : bags      ? "es"
                    : "s");
}

static akin_status make_bags(app *a, akin_rows **out, const synth_flags *f)
{
    akin_synth_bags_options o = f->bags;
    akin_rows *like = NULL;
    akin_status st = AKIN_OK;
    if (f->own.like != NULL) {
        APP_TRY(akin_rows_read(&like, a->ctx, f->own.like, NULL));
    }
    o.rows = f->own.rows ? f->own.rows : o.rows;
    o.dim = f->own.dim ? f->own.dim : o.dim;
    APP_TRY(akin_synth_bags(out, a->ctx, like, &o));
done:
    akin_rows_free(like);
    return st;
}

static akin_status make_labels(app *a, akin_rows **out, const synth_flags *f)
{
    akin_synth_labels_options o = f->labels;
    o.rows = f->own.rows ? f->own.rows : o.rows;
    o.dim = f->own.dim ? f->own.dim : o.dim;
    return akin_synth_labels(out, a->ctx, &o);
}

static akin_status run_scenes(app *a, const synth_flags *f)
{
    const akin_synth_scenes_options *o = &f->scenes;
    const int64_t n = o->landmarks * o->views + o->others;
    akin_status st = AKIN_OK;
    APP_TRY(akin_synth_scenes(a->ctx, f->own.out, o));
    if (a->common.json)
        return app_json_print(a, APP_OBJECT(APP_KEY("pictures", n),
                                            APP_KEY("landmarks", o->landmarks),
                                            APP_KEY("out", f->own.out)));
    APP_TRY(app_report(a, "%s: %s of %s\n", f->own.out,
                       app_counted(n, "picture").text,
                       app_counted(o->landmarks, "landmark").text));
done:
    return st;
}

static akin_status report_faces(app *a, const akin_rows *rows,
                                const synth_flags *f)
{
    const int64_t n = akin_rows_count(rows);
    if (a->common.json)
        return app_json_print(a,
                              APP_OBJECT(APP_KEY("rows", n),
                                         APP_KEY("dim", akin_rows_dim(rows)),
                                         APP_KEY("photos", f->faces.photos),
                                         APP_KEY("names", f->faces.names),
                                         APP_KEY("captions", f->files.captions),
                                         APP_KEY("truth", f->files.truth),
                                         APP_KEY("out", f->own.out)));
    return app_report(a, "%s: %s in %s of %s\n", app_shown(f->own.out),
                      app_counted(n, "face").text,
                      app_counted(f->faces.photos, "photo").text,
                      app_counted(f->faces.names, "name").text);
}

static akin_status write_captions(app *a, const akin_rows *rows,
                                  const char *captions, const char *path)
{
    akin_supervision *known = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_supervision_new(&known, a->ctx, rows, NULL, NULL));
    APP_TRY(akin_supervision_captions(a->ctx, known, path, captions));
    APP_TRY(akin_captions_write(a->ctx, known, path));
done:
    akin_supervision_free(known);
    return st;
}

static akin_status run_faces(app *a, const synth_flags *f)
{
    akin_synth_faces_options o = f->faces;
    akin_rows *rows = NULL;
    akin_outputs files;
    char *captions = NULL, *truth = NULL;
    akin_status st = AKIN_OK;
    o.dim = f->own.dim ? f->own.dim : o.dim;
    APP_TRY(akin_synth_faces(&rows, &captions, &truth, a->ctx, &o));
    akin_outputs_begin(a->ctx, &files);
    st = akin_rows_write(a->ctx, rows, f->own.out);
    if (st == AKIN_OK)
        st = write_captions(a, rows, captions, f->files.captions);
    if (st == AKIN_OK)
        st = akin_output_write(a->ctx, f->files.truth, truth);
    APP_TRY(akin_outputs_end(a->ctx, &files, st));
    APP_TRY(report_faces(a, rows, f));
done:
    akin_free(captions);
    akin_free(truth);
    akin_rows_free(rows);
    return st;
}

static akin_status run_rows(app *a, const synth_flags *f)
{
    const bool bags = strcmp(f->own.kind, "bags") == 0;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    APP_TRY((bags ? make_bags : make_labels)(a, &rows, f));
    APP_TRY(akin_rows_write(a->ctx, rows, f->own.out));
    APP_TRY(report(a, rows, bags, f->own.out));
done:
    akin_rows_free(rows);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const synth_flags *f = flags;
    akin_status st = AKIN_OK;
    if (strcmp(f->own.kind, "scenes") == 0)
        return run_scenes(a, f);
    APP_TRY(akin_rows_write_check(a->ctx, f->own.out));
    APP_TRY((strcmp(f->own.kind, "faces") == 0 ? run_faces : run_rows)(a, f));
done:
    return st;
}

const app_command cmd_synth = {
    .name = "synth",
    .section = "science",
    .summary = "data of known structure, for trying out and measuring",
    .about =
        "Make data of known structure: bags of words, rows with many labels, "
        "faces in captioned photos, or pictures of landmarks.\n"
        "bags: word frequencies follow a power law, or those of --like. Each "
        "class has words of its own, which its bags use more often.\n"
        "labels: each row has some leaves of a tree of labels and all labels "
        "above them; a matrix of low rank puts them first, but for the noise.\n"
        "faces: each name is a subspace; photos with captions that lack names "
        "(--missing) or have one too many (--extra), for akin name.\n"
        "scenes: a town whose landmarks, a sub-folder each, are seen from "
        "different sides in different light behind trees, cars and people, "
        "for akin images; and streets without a landmark.",
    .examples =
        "akin synth bags --rows 2000 --classes 20 --out bags.svm\n"
        "akin synth bags --like counts.svm --classes 0 --rows 1000000 "
        "--out distractors.svm\n"
        "akin synth labels --rows 50000 --rank 40 --out rows.svm\n"
        "akin synth faces --photos 500 --names 20 --captions "
        "captions.csv --truth truth.csv --out faces.npy\n"
        "akin synth faces --photos 8640 --faces 17472 --names 170 --dim "
        "200 --real-name-ratio 0.55 --captions captions.jsonl --truth "
        "truth.csv --out faces.npy\n"
        "akin synth scenes --landmarks 12 --views 20 --out town",
    .size = sizeof(synth_flags),
    APP_PARTS({&own_group, offsetof(synth_flags, own)},
              {&bags_group, offsetof(synth_flags, bags)},
              {&labels_group, offsetof(synth_flags, labels)},
              {&faces_group, offsetof(synth_flags, faces)},
              {&files_group, offsetof(synth_flags, files)},
              {&scenes_group, offsetof(synth_flags, scenes)}),
    .run = run,
};
