/* akin synth faces. */
#include "app/json.h"
#include "app/text.h"
#include "cli/synth.h"

#define FIELD(field) APP_FIELD(akin_synth_faces_options, field)

static const akin_synth_faces_options persons = AKIN_SYNTH_FACES_DEFAULTS;

static const app_option faces_options[] = {
    {"photos", "N", FIELD(photos), .help = "photos", .min = 1, .max = 1e8},
    {"names", "N", FIELD(names), .help = "names, each a subspace", .min = 1,
     .max = 1e7},
    {"face-rank", "N", FIELD(rank), .help = "dimensions of a name's subspace",
     .min = 1, .max = 1e4},
    {"face-noise", "X", FIELD(noise),
     .help = "length of the noise beside a face of length 1", .max = 1e6},
    {"most-faces", "N", FIELD(most_faces),
     .help = "faces in a photo, 1 up to this", .min = 1, .max = 64},
    {"known", "X", FIELD(known), .help = "chance that a face is of a name",
     .max = 1, .excludes = "real-name-ratio"},
    {"extra", "X", FIELD(extra),
     .help = "chance of a wrong name in a caption, one more", .max = 1},
    {"missing", "X", FIELD(missing),
     .help = "chance that a name is missing in the caption", .max = 1},
    {"faces", "N", FIELD(faces),
     .help = "faces in all, exactly; auto: as the photos come", .max = 64e8,
     .zero = "auto"},
    {"real-name-ratio", "R", FIELD(real_name_ratio),
     .help = "in the place of --known: the share of faces whose name is in "
             "the caption, exactly",
     .max = 1},
};

const app_group synth_faces_group =
    APP_GROUP_NEEDS("Faces", faces_options, &persons, "KIND=faces");

static const app_option files_options[] = {
    {"captions", "FILE", APP_FIELD(synth_file_flags, captions),
     .help = "faces: where the captions go, csv, or JSON lines when it ends in "
             ".jsonl",
     .flags = APP_OUTPUT, .needed_by = "KIND=faces"},
    {"truth", "FILE", APP_FIELD(synth_file_flags, truth),
     .help = "faces: where the true names go, csv", .flags = APP_OUTPUT,
     .needed_by = "KIND=faces"},
};

const app_group synth_files_group =
    APP_GROUP_NEEDS("Files of faces", files_options,
                    (&(const synth_file_flags){0}), "KIND=faces");

static akin_status report_faces(app *a, const akin_rows *rows,
                                const synth_flags *f)
{
    const int64_t n = akin_rows_count(rows);
    if (a->common.json)
        return app_json_print(
            a, json_pack("{s:I, s:I, s:I, s:I, s:o}", "rows", (json_int_t)n,
                         "dim", (json_int_t)akin_rows_dim(rows), "photos",
                         (json_int_t)f->faces.photos, "names",
                         (json_int_t)f->faces.names, "out",
                         app_json_string(f->own.out)));
    return app_print(a, "%s: %s in %s of %s\n", app_shown(f->own.out),
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

akin_status synth_run_faces(app *a, const synth_flags *f)
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
