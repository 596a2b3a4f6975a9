/* akin predict: the class of each row by its nearest neighbours. */
#include <akin/eval.h>
#include <inttypes.h>
#include <stdlib.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *train, *train_labels, *score;
    int64_t k, top;
} own_flags;

typedef struct predict_flags {
    use_flags use;
    own_flags own;
    reading_flags reading;
} predict_flags;

static const app_option own_options[] = {
    {"train", "FILE", APP_FIELD(own_flags, train),
     .help = "labelled rows, among which the neighbours are looked for",
     .flags = APP_NEEDED},
    {"train-labels", "FILE", APP_FIELD(own_flags, train_labels),
     .help = "the labels of --train, where they stand in a file of their own"},
    {"k", "N", APP_FIELD(own_flags, k), .help = "neighbours that vote",
     .min = 1, .max = 1e6},
    {"top", "N", APP_FIELD(own_flags, top),
     .help = "labels to list for each row, the most voted first", .min = 1,
     .max = 1e6},
    {"score", "dot|cosine|distance", APP_FIELD(own_flags, score),
     .help = CLI_SCORE_HELP},
};

static const app_group own_group = APP_GROUP(
    "Neighbours", own_options, (&(const own_flags){.k = 1, .top = 1}));

typedef struct answer {
    const akin_rows *train;
    int64_t n, top;
    int32_t *labels;
    double *scores;
} answer;

static akin_status print_lines(app *a, const answer *r)
{
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < r->n * r->top && st == AKIN_OK; ++i)
        if (r->labels[i] >= 0)
            st = app_print(a, "%" PRId64 " %s %s\n", i / r->top,
                           akin_rows_label_name(r->train, r->labels[i]),
                           app_real(r->scores[i]).text);
    return st;
}

static akin_status print_json(app *a, const answer *r)
{
    json_t *rows = json_array();
    for (int64_t i = 0; i < r->n; ++i) {
        json_t *labels = json_array();
        for (int64_t k = i * r->top; k < (i + 1) * r->top; ++k)
            if (r->labels[k] >= 0)
                json_array_append_new(
                    labels, json_pack("{s:o, s:o}", "label",
                                      app_json_string(akin_rows_label_name(
                                          r->train, r->labels[k])),
                                      "score", app_json_real(r->scores[k])));
        json_array_append_new(rows, json_pack("{s:I, s:o}", "row",
                                              (json_int_t)i, "labels", labels));
    }
    return app_json_print(a, json_pack("{s:o}", "predictions", rows));
}

static akin_status run(app *a, const void *flags)
{
    const predict_flags *f = flags;
    cli_use u;
    akin_rows *train = NULL;
    use_flags use = f->use;
    answer r = {.top = f->own.top};
    akin_status st = AKIN_OK;

    use.unlabelled = true;
    APP_TRY(cli_use_open(a, &u, &use, &f->reading, AKIN_LEFT, f->own.train));
    APP_TRY(cli_use_read(a, &u, &train, f->own.train, f->own.train_labels,
                         AKIN_LEFT));
    if (akin_rows_label_count(train) == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL, "%s: the rows have no labels",
                         f->own.train));
    r.train = train;
    r.n = akin_rows_count(u.data);
    if (r.top > akin_rows_label_count(train))
        r.top = akin_rows_label_count(train);
    APP_TRY(APP_NEW(a, r.n * r.top, &r.labels));
    APP_TRY(APP_NEW(a, r.n * r.top, &r.scores));
    APP_TRY(akin_predict(r.labels, r.scores, a->ctx, u.model, u.data, train,
                         f->own.k, r.top, cli_compare(f->own.score)));
    APP_TRY(a->common.json ? print_json(a, &r) : print_lines(a, &r));
done:
    free(r.labels);
    free(r.scores);
    akin_rows_free(train);
    cli_use_close(&u);
    return st;
}

const app_command cmd_predict = {
    .name = "predict",
    .section = "use",
    .summary = "nearest-neighbour class",
    .about = "Lines `row label score` on standard output: the label that most "
             "of the k nearest rows of --train have, and its share of their "
             "votes. A tie goes to the label of the nearest.",
    .examples = "akin predict m.safetensors --data new.svm --train known.svm "
                "--k 5",
    .size = sizeof(predict_flags),
    APP_PARTS({&cli_use_group, offsetof(predict_flags, use)},
              {&own_group, offsetof(predict_flags, own)},
              {&cli_reading_group, offsetof(predict_flags, reading)}),
    .run = run,
};
