/* akin compare: plain measures and learners ranked on the user's own data. */
#include <akin/tune.h>
#include <stdio.h>
#include <string.h>

#include "app/json.h"
#include "app/nearest.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/training/parameters.h"
#include "cli/training/racing.h"

typedef struct own_flags {
    const char *learner;  // the last of them
    const char *data, *test, *purpose, *report;
    int64_t effort, tune;
} own_flags;

typedef struct compare_flags {
    own_flags own;
    right_flags right;
    knowledge_flags knowledge;
    reading_flags reading;
} compare_flags;

static const app_option own_options[] = {
    {"LEARNER", NULL, APP_FIELD(own_flags, learner),
     .help = "only these learners and plain measures (euclidean, cosine, "
             "tfidf, mahalanobis)",
     .flags = APP_ARGUMENT | APP_MANY},
    {"data", "FILE", APP_FIELD(own_flags, data),
     .help = "the rows to compare on; - is svm on standard input",
     .flags = APP_NEEDED},
    {"test", "FILE", APP_FIELD(own_flags, test),
     .help = "score on this file of the same kind as the supervision, rather "
             "than on held-out parts of it"},
    {"tune", "N", APP_FIELD(own_flags, tune),
     .help = "settings to try for each learner beside its defaults", .min = 0,
     .max = 1000, .zero = "none"},
    {"for", CLI_FOR_WORDS, APP_FIELD(own_flags, purpose), .help = CLI_FOR_HELP},
    {"effort", "N", APP_FIELD(own_flags, effort), .help = CLI_EFFORT_HELP,
     .min = 1, .max = 5},
    {"report", "DIR", APP_FIELD(own_flags, report),
     .help = "write figures.json and compare.html, a page with plots",
     .flags = APP_OUTPUT | APP_FOLDER},
};

static const app_group own_group = APP_GROUP("What to compare", own_options,
                                             (&(const own_flags){.effort = 2}));

/* The names on the command line; EINVAL suggests the nearest of one that does
 * not exist. */
static akin_status check_arguments(app *a)
{
    const char *name;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; (name = app_value_at(a, "LEARNER", i)) != NULL; ++i)
        if (!akin_model_is_builtin(name) && !cli_trainable_find(a, name))
            st = AKIN_EINVAL;
    return st;
}

/* --test: rows with labels, or examples about the rows of --data. */
static akin_status open_test(app *a, cli_known *test, const cli_known *known,
                             const compare_flags *f)
{
    reading_flags reading = f->reading;
    const char *path = f->own.test;
    const akin_knowledge kind = akin_supervision_kind(known->known);
    const bool labels = kind == AKIN_LABELS;
    const cli_shape shape = {.index_base = akin_rows_index_base(known->rows),
                             .dim = akin_rows_dim(known->rows),
                             .of = f->own.data};
    akin_status st = AKIN_OK;
    reading.labels = NULL;
    if (labels) {
        cli_side *left = &test->side[AKIN_LEFT];
        APP_TRY(cli_read_rows(a, &left->rows, path, &reading, shape));
        test->rows = left->rows;
        if (akin_rows_label_count(test->rows) == 0)
            APP_TRY(app_fail(a, AKIN_EINVAL,
                             "--test: %s has no labels to measure by", path));
    }
    APP_TRY(akin_supervision_new(&test->known, a->ctx,
                                 labels ? test->rows : known->rows,
                                 known->right, NULL));
    if (!labels)
        APP_TRY(akin_supervision_read(a->ctx, test->known, kind, path));
done:
    return st;
}

static akin_status report(app *a, const akin_race *r, const own_flags *f)
{
    json_t *all = APP_OBJECT(APP_KEY("measure", akin_race_measure(r)),
                             APP_KEY("data", f->data),
                             APP_KEY("rows", cli_race_rows(a, r)),
                             APP_KEY("reason", akin_race_reason(r)));
    akin_status st = AKIN_OK;
    if (f->report != NULL)
        APP_TRY(cli_race_report(a, all, f->report));
    if (a->common.json)
        return app_json_print(a, all);
    APP_TRY(cli_race_print(a, r, 0, false));
    APP_TRY(app_print(a, "\n%s\n", akin_race_reason(r)));
    if (f->report != NULL)
        APP_TRY(app_report(a, "%s/compare.html has plots\n", f->report));
done:
    json_decref(all);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const compare_flags *f = flags;
    const known_input in = {f->own.data, &f->right, &f->reading, &f->knowledge,
                            NULL};
    const char *methods[APP_MOST_WORDS + 1] = {NULL};
    akin_race_options o = AKIN_RACE_DEFAULTS;
    cli_known known = {0}, test = {0};
    akin_race *r = NULL;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; (methods[i] = app_value_at(a, "LEARNER", i)); ++i)
        ;
    APP_TRY(cli_known_open(a, &known, &in));
    if (f->own.test != NULL)
        APP_TRY(open_test(a, &test, &known, f));
    o.purpose = cli_purpose(f->own.purpose);
    o.effort = f->own.effort;
    o.methods = methods[0] != NULL ? methods : NULL;
    o.halving = 0;
    o.draws = f->own.tune;
    o.test = test.known;
    APP_TRY(akin_race_run(&r, NULL, a->ctx, known.known, &o, NULL));
    app_progress_clear(&a->progress);
    APP_TRY(report(a, r, &f->own));
done:
    akin_race_free(r);
    cli_known_close(&known);
    cli_known_close(&test);
    return st;
}

const app_command cmd_compare = {
    .name = "compare",
    .section = "learn",
    .summary = "rank all that fit, the plain measures included",
    .about =
        "Rank the plain measures and every learner that fits the supervision "
        "and the size of the data, each at its defaults, on repeated splits: "
        "part of the labelled rows (or examples) is held out and scored.\n"
        "The table has the score with its standard error, the time to learn "
        "once, and the size of the model. A learner that fails, or that is too "
        "much work for --effort, is a row with the reason.\n"
        "--for search measures map, classify the accuracy of the nearest "
        "row, verify the auc of pairs, rank the map of labels. Without it, "
        "dense rows with labels are classified and others searched.",
    .examples = "akin compare --data train.csv\n"
                "akin compare --data train.csv lda nca logistic --tune 8\n"
                "akin compare --data train.svm --test test.svm --for search",
    .size = sizeof(compare_flags),
    APP_PARTS({&own_group, offsetof(compare_flags, own)},
              {&cli_right_group, offsetof(compare_flags, right)},
              {&cli_knowledge_group, offsetof(compare_flags, knowledge)},
              {&cli_reading_group, offsetof(compare_flags, reading)}),
    .excludes = CLI_ONE_KNOWLEDGE,
    .check_arguments = check_arguments,
    .shared = true,
    .run = run,
};
