/* akin score: similarity of given pairs of rows. */
#include <inttypes.h>
#include <stdlib.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *pairs, *right, *score;
} own_flags;

typedef struct score_flags {
    use_flags use;
    own_flags own;
    statistics_flags statistics;
    reading_flags reading;
    app_exact exact;
} score_flags;

static const app_option own_options[] = {
    {"pairs", "FILE", APP_FIELD(own_flags, pairs),
     .help = "lines `i j`, rows from 0; the rest of a line is ignored",
     .flags = APP_NEEDED},
    {"right", "FILE", APP_FIELD(own_flags, right),
     .help = "j is a row of this file instead of --data"},
    {"score", "dot|cosine|distance", APP_FIELD(own_flags, score),
     .help = CLI_SCORE_HELP, .advanced = true},
};

static const app_group own_group =
    APP_GROUP("Pairs", own_options, (&(const own_flags){0}));

static akin_status print_lines(app *a, const int64_t *ij, const double *scores,
                               int64_t count)
{
    akin_status st = AKIN_OK;
    for (int64_t t = 0; t < count && st == AKIN_OK; ++t)
        st = app_print(a, "%" PRId64 " %" PRId64 " %s\n", ij[2 * t],
                       ij[2 * t + 1], app_score(a, scores[t]).text);
    return st;
}

static akin_status print_json(app *a, const int64_t *ij, const double *scores,
                              int64_t count)
{
    json_t *rows = json_array();
    for (int64_t t = 0; t < count; ++t)
        json_array_append_new(rows, APP_OBJECT(APP_KEY("i", ij[2 * t]),
                                               APP_KEY("j", ij[2 * t + 1]),
                                               APP_KEY("score", scores[t])));
    return app_json_print(a, APP_OBJECT(APP_KEY("scores", rows)));
}

static akin_status run(app *a, const void *flags)
{
    const score_flags *f = flags;
    cli_use u = {0};
    akin_rows *other = NULL;
    int64_t *ij = NULL, count = 0;
    double *scores = NULL;
    akin_status st = AKIN_OK;

    APP_TRY(cli_use_open(a, &u, &f->use, &f->reading, AKIN_LEFT,
                         f->statistics.train));
    APP_TRY(cli_use_right(a, &u, &other, f->own.right, NULL));
    const akin_rows *right = other ? other : u.data;
    APP_TRY(cli_read_examples(a, &ij, &count, AKIN_NOTHING, f->own.pairs,
                              u.data, right));
    APP_TRY(APP_NEW(a, count, &scores));
    APP_TRY(akin_model_score(scores, a->ctx, u.model, u.data, right, ij, count,
                             cli_compare(f->own.score)));
    APP_TRY(a->common.json ? print_json(a, ij, scores, count)
                           : print_lines(a, ij, scores, count));
done:
    free(scores);
    free(ij);
    akin_rows_free(other);
    cli_use_close(&u);
    return st;
}

const app_command cmd_score = {
    .name = "score",
    .section = "use",
    .summary = "similarity of given pairs",
    .about =
        "Print lines `i j score`, in the order of the pairs. A higher score "
        "means more similar; a distance is printed as minus its square.",
    .examples = "akin score m.safetensors --data rows.svm --pairs pairs.txt\n"
                "akin score cosine --data rows.npy --pairs pairs.txt --json",
    .size = sizeof(score_flags),
    APP_PARTS({&cli_use_group, offsetof(score_flags, use)},
              {&own_group, offsetof(score_flags, own)},
              {&cli_statistics_group, offsetof(score_flags, statistics)},
              {&cli_reading_group, offsetof(score_flags, reading)},
              {&app_exact_group, offsetof(score_flags, exact)}),
    .check_arguments = cli_check_model,
    .run = run,
};
