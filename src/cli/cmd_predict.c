/* akin predict: the labels of each row, by a ranker or by its neighbours. */
#include <akin/eval.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *train, *train_labels, *score, *side;
    int64_t k, top;
} own_flags;

typedef struct predict_flags {
    use_flags use;
    own_flags own;
    reading_flags reading;
    app_exact exact;
} predict_flags;

static const app_option own_options[] = {
    {"train", "FILE", APP_FIELD(own_flags, train),
     .help = "labelled rows to find neighbours among; a model with labels of "
             "its own needs none"},
    {"train-labels", "FILE", APP_FIELD(own_flags, train_labels),
     .help = "the labels of --train, from a file of their own",
     .needs = "train", .advanced = true},
    {"side", "left|right", APP_FIELD(own_flags, side),
     .help = "of a model between two kinds of rows: the side of --data; "
             "--train, if given, has the other"},
    {"k", "N", APP_FIELD(own_flags, k), .help = "neighbours that vote",
     .min = 1, .max = 1e6},
    {"top", "N", APP_FIELD(own_flags, top),
     .help = "labels to list for each row, the best first", .min = 1,
     .max = 1e6},
    {"score", "dot|cosine|distance", APP_FIELD(own_flags, score),
     .help = CLI_SCORE_HELP, .advanced = true},
};

static const app_group own_group =
    APP_GROUP("Neighbours", own_options,
              (&(const own_flags){.k = 1, .top = 1, .side = "left"}));

typedef struct answer {
    const akin_rows *train;   // whose labels they are, or
    const akin_model *model;  // a ranker's own
    int64_t n, top;
    int32_t *labels;
    double *scores;
} answer;

static const char *name_of(const answer *r, int32_t label)
{
    return r->model ? akin_model_label_name(r->model, label)
                    : akin_rows_label_name(r->train, label);
}

static akin_status print_lines(app *a, const answer *r)
{
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < r->n * r->top && st == AKIN_OK; ++i)
        if (r->labels[i] >= 0)
            st = app_print(a, "%" PRId64 " %s %s\n", i / r->top,
                           name_of(r, r->labels[i]),
                           app_score(a, r->scores[i]).text);
    return st;
}

static bool labels_are_integers(const answer *r)
{
    const int64_t n = r->model ? akin_model_label_count(r->model)
                               : akin_rows_label_count(r->train);
    int64_t number;
    for (int64_t k = 0; k < n; ++k)
        if (!akin_label_number(&number, name_of(r, (int32_t)k)))
            return false;
    return true;
}

static json_t *label_json(const answer *r, int32_t label, bool integers)
{
    const char *name = name_of(r, label);
    int64_t number;
    return integers && akin_label_number(&number, name) ? json_integer(number)
                                                        : app_json_string(name);
}

static akin_status print_json(app *a, const answer *r)
{
    const bool integers = labels_are_integers(r);
    json_t *rows = json_array();
    for (int64_t i = 0; i < r->n; ++i) {
        json_t *labels = json_array();
        for (int64_t k = i * r->top; k < (i + 1) * r->top; ++k)
            if (r->labels[k] >= 0)
                json_array_append_new(
                    labels,
                    APP_OBJECT(
                        APP_KEY("label", label_json(r, r->labels[k], integers)),
                        APP_KEY("score", r->scores[k])));
        json_array_append_new(
            rows, APP_OBJECT(APP_KEY("row", i), APP_KEY("labels", labels)));
    }
    return app_json_print(a, APP_OBJECT(APP_KEY("predictions", rows)));
}

/* Without --train, a model that knows labels ranks them. Its sides are
 * exchanged already where that is possible. */
static akin_status check_flags(app *a, const own_flags *f, bool ranks,
                               bool compares)
{
    static const char *const voting[] = {"train", "train-labels", "k", "score"};
    for (int i = 0; i < 4 && ranks; ++i)
        if (app_was_given(a, voting[i]))
            return app_fail(
                a, AKIN_EINVAL,
                "--%s is for neighbours; this model ranks labels itself%s",
                voting[i], compares ? " (--train FILE has neighbours)" : "");
    if (f->train == NULL && !ranks)
        return app_fail(a, AKIN_EINVAL,
                        "predict needs --train FILE (see akin help predict)");
    return AKIN_OK;
}

static akin_status make_room(app *a, answer *r, int64_t n, int64_t n_labels)
{
    akin_status st = AKIN_OK;
    r->n = n;
    if (r->top > n_labels)
        r->top = n_labels;
    APP_TRY(APP_NEW(a, n * r->top, &r->labels));
    APP_TRY(APP_NEW(a, n * r->top, &r->scores));
done:
    return st;
}

static akin_status rank(app *a, const cli_use *u, answer *r)
{
    akin_status st = AKIN_OK;
    r->model = u->model;
    APP_TRY(make_room(a, r, akin_rows_count(u->data),
                      akin_model_label_count(u->model)));
    APP_TRY(akin_rank_labels(r->labels, r->scores, a->ctx, u->model, u->data,
                             r->top));
done:
    return st;
}

static akin_status vote(app *a, const cli_use *u, const own_flags *f,
                        akin_rows **train, answer *r)
{
    akin_status st = AKIN_OK;
    APP_TRY(cli_use_read(a, u, train, f->train, f->train_labels, AKIN_RIGHT));
    if (akin_rows_label_count(*train) == 0)
        APP_TRY(
            app_fail(a, AKIN_EINVAL, "%s: the rows have no labels", f->train));
    r->train = *train;
    APP_TRY(make_room(a, r, akin_rows_count(u->data),
                      akin_rows_label_count(*train)));
    APP_TRY(akin_predict(r->labels, r->scores, a->ctx, u->model, u->data,
                         *train, f->k, r->top, cli_compare(f->score)));
done:
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const predict_flags *f = flags;
    cli_use u = {0};
    akin_rows *train = NULL;
    use_flags use = f->use;
    answer r = {.top = f->own.top};
    akin_status st = AKIN_OK;

    use.unlabelled = true;
    use.turned = f->own.side[0] == 'r';
    APP_TRY(cli_use_open(a, &u, &use, &f->reading, AKIN_LEFT, f->own.train));
    const bool compares = akin_model_compares(u.model) != 0;
    const bool ranks = akin_model_label_count(u.model) > 0 &&
                       (!compares || f->own.train == NULL);
    APP_TRY(check_flags(a, &f->own, ranks, compares));
    APP_TRY(ranks ? rank(a, &u, &r) : vote(a, &u, &f->own, &train, &r));
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
    .summary = "labels of new rows",
    .about = "Print lines `row label score`. A model that knows labels "
             "(a ranker, logistic) gives those with the highest scores. With "
             "--train, and for other models, it is the label "
             "that most of the k nearest rows of --train have, with its share "
             "of their votes; a tie goes to the label of the nearest row. "
             "Where a model compares two kinds of rows, --data holds rows of "
             "its left side and --train rows of its right side; with --side "
             "right it is the other way round.",
    .examples = "akin predict m.safetensors --data new.svm --train known.svm "
                "--k 5\n"
                "akin predict both.safetensors --data texts.npy --side right "
                "--train pictures.npy --train-labels p.csv\n"
                "akin predict ranker.safetensors --data new.svm --top 3",
    .size = sizeof(predict_flags),
    APP_PARTS({&cli_use_group, offsetof(predict_flags, use)},
              {&own_group, offsetof(predict_flags, own)},
              {&cli_reading_group, offsetof(predict_flags, reading)},
              {&app_exact_group, offsetof(predict_flags, exact)}),
    .check_arguments = cli_check_model,
    .shared = true,
    .run = run,
};
