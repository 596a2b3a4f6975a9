/* akin embed: rows in the learned space. */
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *side, *out;
} own_flags;

typedef struct embed_flags {
    use_flags use;
    own_flags own;
    statistics_flags statistics;
    reading_flags reading;
} embed_flags;

static const app_option own_options[] = {
    {"out", "FILE", APP_FIELD(own_flags, out),
     .help = "the vectors to write, by extension: .npy .npz .csv .tsv "
             ".svm .fvecs .safetensors; - is svm on standard output",
     .flags = APP_NEEDED | APP_OUTPUT | APP_ROWS},
    {"side", "left|right", APP_FIELD(own_flags, side),
     .help = "the side of the similarity that the rows are on"},
};

static const app_group own_group =
    APP_GROUP("Vectors", own_options, (&(const own_flags){.side = "left"}));

/* Where the model compares by the cosine, vectors of length 1 have it as their
 * plain dot product. */
static akin_status to_length_one(app *a, akin_rows **rows)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_recipe *recipe = NULL;
    akin_rows *unit = NULL;
    akin_status st = AKIN_OK;
    o.norm = "l2";
    APP_TRY(akin_recipe_fit(&recipe, a->ctx, *rows, &o));
    APP_TRY(akin_recipe_apply(&unit, a->ctx, recipe, *rows));
    akin_rows_free(*rows);
    *rows = unit;
done:
    akin_recipe_free(recipe);
    return st;
}

/* Vectors were asked for: no warning that .npy has no place for labels. */
static bool has_no_labels(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL &&
           (strcmp(dot, ".npy") == 0 || strcmp(dot, ".fvecs") == 0);
}

static void warn_sides(app *a, const cli_use *u)
{
    if (!akin_model_is_symmetric(u->model) && !app_was_given(a, "side"))
        app_warn(a, "left and right differ in this model: compare these "
                    "vectors with those of --side right");
}

static akin_status report(app *a, const akin_rows *rows, const char *path)
{
    const int64_t n = akin_rows_count(rows), d = akin_rows_dim(rows);
    if (a->common.json)
        return app_json_print(a,
                              APP_OBJECT(APP_KEY("rows", n), APP_KEY("dim", d),
                                         APP_KEY("out", path)));
    return app_report(a, "%s: %s of %s\n", app_shown(path),
                      app_counted(n, "vector").text,
                      app_counted(d, "number").text);
}

static akin_status run(app *a, const void *flags)
{
    const embed_flags *f = flags;
    const akin_side side = f->own.side[0] == 'l' ? AKIN_LEFT : AKIN_RIGHT;
    cli_use u = {0};
    akin_rows *vectors = NULL;
    akin_status st = AKIN_OK;

    APP_TRY(
        cli_use_open(a, &u, &f->use, &f->reading, side, f->statistics.train));
    APP_TRY(akin_model_embed(&vectors, a->ctx, u.model, u.data, side));
    if (akin_model_compare(u.model) == AKIN_BY_COSINE)
        APP_TRY(to_length_one(a, &vectors));
    if (has_no_labels(f->own.out))
        APP_TRY(cli_forget_labels(a, vectors));
    warn_sides(a, &u);
    APP_TRY(akin_rows_write(a->ctx, vectors, f->own.out));
    APP_TRY(report(a, vectors, f->own.out));
done:
    akin_rows_free(vectors);
    cli_use_close(&u);
    return st;
}

const app_command cmd_embed = {
    .name = "embed",
    .section = "use",
    .summary = "vectors in which plain dot product (or distance) is the "
               "similarity",
    .about = "Write one vector per row. The plain dot product (or distance) of "
             "two vectors is what the model says of the two rows.\n"
             "Where the two sides of a model differ (negative weights, or "
             "factors of their own), compare a vector of --side left with one "
             "of --side right.",
    .examples = "akin embed m.safetensors --data rows.svm --out rows.npy",
    .size = sizeof(embed_flags),
    APP_PARTS({&cli_use_group, offsetof(embed_flags, use)},
              {&own_group, offsetof(embed_flags, own)},
              {&cli_statistics_group, offsetof(embed_flags, statistics)},
              {&cli_reading_group, offsetof(embed_flags, reading)}),
    .check_arguments = cli_check_model,
    .shared = true,
    .run = run,
};
