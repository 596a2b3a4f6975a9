/* akin score: similarity of given pairs of rows. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *pairs, *right, *score, *threshold;
    bool decide;
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
    {"decide", NULL, APP_FIELD(own_flags, decide),
     .help = "add `same` or `different` to each line, by the threshold of the "
             "model (akin eval --save-threshold) or of --threshold"},
    {"threshold", "T", APP_FIELD(own_flags, threshold),
     .help = "with --decide: a score from here on means `same`",
     .needs = "decide"},
    {"score", "dot|cosine|distance", APP_FIELD(own_flags, score),
     .help = CLI_SCORE_HELP, .advanced = true},
};

static const app_group own_group =
    APP_GROUP("Pairs", own_options, (&(const own_flags){0}));

/* Scores, and where pairs are decided the threshold. */
typedef struct answer {
    const int64_t *ij;
    const double *scores;
    int64_t count;
    bool decided;
    akin_threshold at;
} answer;

static const char *decision(const answer *r, int64_t t)
{
    return r->scores[t] >= r->at.score ? "same" : "different";
}

static akin_status print_lines(app *a, const answer *r)
{
    akin_status st = AKIN_OK;
    for (int64_t t = 0; t < r->count && st == AKIN_OK; ++t)
        st = app_print(a, "%" PRId64 " %" PRId64 " %s%s%s\n", r->ij[2 * t],
                       r->ij[2 * t + 1], app_score(a, r->scores[t]).text,
                       r->decided ? " " : "", r->decided ? decision(r, t) : "");
    return st;
}

static akin_status print_json(app *a, const answer *r)
{
    json_t *rows = json_array();
    for (int64_t t = 0; t < r->count; ++t) {
        json_t *one = APP_OBJECT(APP_KEY("i", r->ij[2 * t]),
                                 APP_KEY("j", r->ij[2 * t + 1]),
                                 APP_KEY("score", r->scores[t]));
        if (r->decided)
            json_object_set_new(one, "decision",
                                app_json_string(decision(r, t)));
        json_array_append_new(rows, one);
    }
    json_t *all = APP_OBJECT(APP_KEY("scores", rows));
    if (r->decided)
        json_object_set_new(all, "threshold", json_real(r->at.score));
    return app_json_print(a, all);
}

/* That of --threshold, or of the model. */
static akin_status find_threshold(app *a, const cli_use *u, const own_flags *f,
                                  akin_threshold *t)
{
    const char *other = akin_model_note(u->model, "threshold_score");
    char *end;
    if (f->threshold != NULL) {
        *t = (akin_threshold){.score = strtod(f->threshold, &end)};
        if (end != f->threshold && *end == '\0' && isfinite(t->score))
            return AKIN_OK;
        return app_fail(a, AKIN_EINVAL,
                        "--threshold '%s' is not a number (expected a score)",
                        f->threshold);
    }
    if (akin_model_threshold(t, u->model, cli_compare(f->score)))
        return AKIN_OK;
    if (other != NULL)
        return app_fail(a, AKIN_EINVAL,
                        "%s: its threshold is for --score %s (give another by "
                        "--threshold)",
                        app_shown(u->name), other);
    return app_fail(a, AKIN_EINVAL,
                    "%s: the model has no threshold (find one on pairs that "
                    "are known: akin eval MODEL --task verify --pairs FILE "
                    "--save-threshold; or give --threshold)",
                    app_shown(u->name));
}

static akin_status run(app *a, const void *flags)
{
    const score_flags *f = flags;
    cli_use u = {0};
    akin_rows *other = NULL;
    int64_t *ij = NULL, count = 0;
    double *scores = NULL;
    answer r = {.decided = f->own.decide};
    akin_status st = AKIN_OK;

    APP_TRY(cli_use_open(a, &u, &f->use, &f->reading, AKIN_LEFT,
                         f->statistics.train));
    if (f->own.decide)
        APP_TRY(find_threshold(a, &u, &f->own, &r.at));
    APP_TRY(cli_use_right(a, &u, &other, f->own.right, NULL));
    const akin_rows *right = other ? other : u.data;
    APP_TRY(cli_read_examples(a, &ij, &count, AKIN_NOTHING, f->own.pairs,
                              u.data, right));
    APP_TRY(APP_NEW(a, count, &scores));
    APP_TRY(akin_model_score(scores, a->ctx, u.model, u.data, right, ij, count,
                             cli_compare(f->own.score)));
    r.ij = ij;
    r.scores = scores;
    r.count = count;
    APP_TRY(a->common.json ? print_json(a, &r) : print_lines(a, &r));
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
    .summary = "similarity of given pairs; --decide: same or not",
    .about =
        "Print lines `i j score`, in the order of the pairs. A higher score "
        "means more similar; a distance is printed as minus its square. "
        "--decide adds whether the two rows are the same: their score is at "
        "least the threshold of the model. What akin eval --task verify "
        "--save-threshold found goes first; rsl without it decides by the sign "
        "of the score, as it learned to, unless its model has prototypes.",
    .examples = "akin score m.safetensors --data rows.svm --pairs pairs.txt\n"
                "akin score m.safetensors --data rows.svm --pairs pairs.txt "
                "--decide\n"
                "akin score cosine --data rows.npy --pairs pairs.txt --json",
    .size = sizeof(score_flags),
    APP_PARTS({&cli_use_group, offsetof(score_flags, use)},
              {&own_group, offsetof(score_flags, own)},
              {&cli_statistics_group, offsetof(score_flags, statistics)},
              {&cli_reading_group, offsetof(score_flags, reading)},
              {&app_exact_group, offsetof(score_flags, exact)}),
    .check_arguments = cli_check_model,
    .shared = true,
    .run = run,
};
