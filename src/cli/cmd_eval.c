/* akin eval: how good a model is. */
#include <akin/plot.h>
#include <stdio.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/eval.h"

typedef struct all_flags {
    use_flags use;
    eval_flags eval;
    reading_flags reading;
    app_exact exact;
} all_flags;

#define LABELS_HELP(of) "the labels of --" of ", one per row"
#define FIELD(field) APP_FIELD(eval_flags, field)

static const app_option eval_options[] = {
    {"task", "retrieval|knn|triplets|verify|cross|rank|naming", FIELD(task),
     .help = "what to measure", .flags = APP_NEEDED},
    {"train", "FILE", FIELD(train),
     .help = "knn: the training rows; cross: labelled rows of the target, to "
             "compare with as well; tfidf, mahalanobis: the rows to take "
             "statistics from, else those of --data",
     .needs = "task=retrieval,knn,cross|MODEL=" CLI_MEASURES,
     .needed_by = "task=knn"},
    {"right", "FILE", FIELD(right),
     .help = "retrieval: rank the rows of this file for each of --data; "
             "verify: j is a row of it",
     .needs = "task=retrieval,verify", .advanced = true},
    {"side", "left|right", FIELD(side),
     .help = "retrieval, knn, verify: the side of the model that --data stands "
             "on; --right and --train are of the other",
     .needs = "task=retrieval,knn,verify", .advanced = true},
    {"source", "FILE", FIELD(source),
     .help = "cross: rows with labels, of the left side",
     .needs = "task=cross"},
    {"target", "FILE", FIELD(target),
     .help = "cross: rows to recognise, of the right side, in place of --data",
     .needs = "task=cross"},
    {"source-labels", "FILE", FIELD(source_labels),
     .help = LABELS_HELP("source"), .needs = "task=cross source",
     .advanced = true},
    {"train-labels", "FILE", FIELD(train_labels), .help = LABELS_HELP("train"),
     .needs = "task=knn,cross train", .advanced = true},
    {"right-labels", "FILE", FIELD(right_labels), .help = LABELS_HELP("right"),
     .needs = "task=retrieval right", .advanced = true},
    {"query-labels", "FILE", FIELD(query_labels),
     .help = LABELS_HELP("queries"), .needs = "task=retrieval queries",
     .advanced = true},
    {"score", "dot|cosine|distance", FIELD(score), .help = CLI_SCORE_HELP,
     .needs = "task=retrieval,knn,triplets,verify,cross", .advanced = true},
    {"queries", "FILE", FIELD(queries),
     .help = "retrieval: a data file of queries, instead of every row over "
             "the others",
     .needs = "task=retrieval"},
    {"query-rows", "FILE", FIELD(query_rows),
     .help = "retrieval: only these rows query, one per line",
     .needs = "task=retrieval", .advanced = true},
    {"relevant", "FILE", FIELD(relevant),
     .help = "retrieval: lines `query row` instead of labels",
     .needs = "task=retrieval", .advanced = true},
    {"ignore", "FILE", FIELD(ignore),
     .help = "retrieval: lines `query row`, neither right nor wrong",
     .needs = "task=retrieval", .advanced = true},
    {"like", "FILE", FIELD(like),
     .help = "retrieval: lines `query row`, further examples of a query; it "
             "becomes the mean of itself and these",
     .needs = "task=retrieval", .advanced = true},
    {"exclude", "FILE", FIELD(exclude),
     .help = "retrieval: rows that are not in the database, one per line",
     .needs = "task=retrieval", .advanced = true},
    {"by-label", NULL, FIELD(by_label),
     .help = "retrieval: the figures of --json and --report also have the map "
             "of the queries of each label",
     .needs = "task=retrieval", .advanced = true},
    {"ap", "standard|trapezoid", FIELD(ap),
     .help = "retrieval: how average precision is summed",
     .needs = "task=retrieval", .advanced = true},
    {"k", "N", FIELD(k), .help = "knn: neighbours that vote", .min = 1,
     .max = 1e6, .needs = "task=knn"},
    {"folds", "N", FIELD(folds),
     .help = "verify: cut the pairs into so many folds, in their order, and "
             "measure each at the threshold that is best on the others",
     .min = 2, .max = 1000, .zero = "none", .needs = "task=verify",
     .advanced = true},
    {"triplets", "FILE", FIELD(triplets),
     .help = "triplets: lines `q p n` to test", .needs = "task=triplets",
     .needed_by = "task=triplets"},
    {"pairs", "FILE", FIELD(pairs),
     .help = "verify: lines `i j 1` or `i j -1` to tell apart",
     .needs = "task=verify", .needed_by = "task=verify"},
    {"save-threshold", NULL, FIELD(save_threshold),
     .help = "verify: keep the threshold and its rates in MODEL, for akin "
             "score --decide",
     .needs = "task=verify", .advanced = true},
    {"captions", "FILE", FIELD(captions),
     .help = "naming: the captions of the faces; MODEL is a file of akin "
             "name, or of faces that --method names",
     .needs = "task=naming", .needed_by = "task=naming"},
    {"truth", "FILE", FIELD(truth),
     .help = "naming: lines face,name; an empty name: not in the caption",
     .needs = "task=naming", .needed_by = "task=naming"},
    {"method", "METHOD", FIELD(method),
     .help = "naming: MODEL is a file of faces; name them by this method of "
             "akin name, then measure",
     .needs = "task=naming", .advanced = true},
    {"real-name-ratio", "R", FIELD(real_name_ratio),
     .help = "naming: the share of faces that --method names; auto: estimated",
     .needs = "task=naming method", .excludes = "curve", .advanced = true},
    {"curve", NULL, FIELD(curve),
     .help = "naming: at real-name ratios 0.05, 0.1, ... 1, or those of akin "
             "name --curve",
     .needs = "task=naming", .advanced = true},
    {"report", "DIR", FIELD(report),
     .help = "write figures.json and plots (SVG) into this folder",
     .flags = APP_OUTPUT | APP_FOLDER},
};

static const app_group eval_group = APP_GROUP(
    "Measuring", eval_options,
    (&(const eval_flags){
        .ap = "standard", .side = "left", .k = 1, .real_name_ratio = "auto"}));

/* A measure without learning has learned from no row. Nobody knows of a model
 * without checksums, nor of rows that went through a recipe before they were
 * read: checksums are those of raw rows. */
static void add_learned(app *a, const cli_use *u, cli_figures *figures)
{
    const akin_learned_rows *r = &figures->learned;
    const bool raw = !u->as_is || akin_rows_recipe(u->data) == NULL;
    const bool known = u->builtin || r->learned > 0 || (r->learned == 0 && raw);
    json_object_set_new(figures->json, "rows_learned_from",
                        known ? json_integer(u->builtin ? 0 : r->learned)
                              : json_null());
    if (r->substantial)
        app_warn(a,
                 "%s of %s were learned from: the result is too good; evaluate "
                 "on others (akin split)",
                 app_count(r->learned).text, app_counted(r->rows, "row").text);
}

/* Put model and task in front of the figures. */
static akin_status complete(app *a, const all_flags *f, cli_figures *figures)
{
    json_t *all = APP_OBJECT(APP_KEY("model", f->use.model),
                             APP_KEY("task", f->eval.task));
    if (json_object_update(all, figures->json) != 0) {
        json_decref(all);
        return app_fail(a, AKIN_ENOMEM, "out of memory");
    }
    json_decref(figures->json);
    figures->json = all;
    return AKIN_OK;
}

/* ---- --report: figures and a plot in a folder ---- */

enum { MOST_BARS = 16 };

/* A group for every x of the first series; all series have the same x. */
static akin_status draw_bars(app *a, const cli_plot *p, akin_plot *to)
{
    const int64_t n = p->series[0].n, k = p->n_series;
    char names[MOST_BARS][24];
    const char *groups[MOST_BARS], *series[2];
    double values[2 * MOST_BARS];
    for (int64_t i = 0; i < n; ++i) {
        snprintf(names[i], sizeof names[i], "%g", p->series[0].x[i]);
        groups[i] = p->groups[0] != NULL ? p->groups[i] : names[i];
        for (int64_t j = 0; j < k; ++j)
            values[i * k + j] = p->series[j].y[i];
    }
    for (int64_t j = 0; j < k; ++j)
        series[j] = p->series[j].name;
    return akin_plot_bars(a->ctx, to, groups, n, series, k, values);
}

static akin_status draw_lines(app *a, const cli_plot *p, akin_plot *to)
{
    static const double unit[2] = {0.0, 1.0};
    akin_status st = AKIN_OK;
    for (int64_t j = 0; j < p->n_series; ++j)
        APP_TRY(akin_plot_line(a->ctx, to, p->series[j].name, p->series[j].x,
                               p->series[j].y, NULL, p->series[j].n));
    if (p->chance != NULL)
        APP_TRY(akin_plot_line(a->ctx, to, p->chance, unit, unit, NULL, 2));
done:
    return st;
}

static akin_status save_plot(app *a, const cli_plot *p, const char *path)
{
    const akin_plot_options o = {.size = sizeof o,
                                 .title = p->title,
                                 .x_label = p->x_label,
                                 .y_label = p->y_label,
                                 .log_x = p->log_x};
    akin_plot *plot = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_plot_new(&plot, a->ctx, &o));
    APP_TRY((p->as_bars ? draw_bars : draw_lines)(a, p, plot));
    APP_TRY(akin_plot_save(a->ctx, plot, path));
done:
    akin_plot_free(plot);
    return st;
}

static akin_status write_files(app *a, const cli_figures *figures,
                               const char *folder)
{
    char path[PATH_MAX];
    akin_status st = AKIN_OK;
    APP_TRY(app_json_report(a, figures->json, folder));
    if (figures->plot.file != NULL) {
        APP_TRY(app_path_in(a, path, folder, figures->plot.file));
        APP_TRY(save_plot(a, &figures->plot, path));
    }
done:
    return st;
}

static akin_status write_report(app *a, const cli_figures *figures,
                                const char *folder)
{
    akin_outputs files;
    akin_outputs_begin(a->ctx, &files);
    return akin_outputs_end(a->ctx, &files, write_files(a, figures, folder));
}

/* ---- the command ---- */

static akin_status run(app *a, const void *flags)
{
    const all_flags *f = flags;
    const bool cross = strcmp(f->eval.task, "cross") == 0;
    use_flags use = f->use;
    cli_use u = {0};
    cli_figures figures = {0};
    akin_status st = AKIN_OK;

    if (cross && f->eval.target != NULL)
        use.data = f->eval.target;
    use.turned = f->eval.side[0] == 'r';
    if (strcmp(f->eval.task, "naming") == 0) {
        APP_TRY(
            cli_eval_naming(a, f->use.model, &f->eval, &f->reading, &figures));
    } else {
        APP_TRY(cli_use_open(a, &u, &use, &f->reading,
                             cross ? AKIN_RIGHT : AKIN_LEFT,
                             cross ? NULL : f->eval.train));
        if (f->eval.train != NULL && strcmp(f->eval.task, "retrieval") == 0 &&
            !akin_model_is_builtin(f->use.model))
            app_remark(a, "--train has no effect: %s has its own statistics",
                       f->use.model);
        APP_TRY(cli_eval_task(a, &u, &f->eval, &figures));
        add_learned(a, &u, &figures);
    }
    APP_TRY(complete(a, f, &figures));
    app_progress_clear(&a->progress);
    if (f->eval.report != NULL)
        APP_TRY(write_report(a, &figures, f->eval.report));
    if (a->common.json)
        APP_TRY(app_json_print(a, json_incref(figures.json)));
    else
        APP_TRY(app_print(a, "%s\n", figures.text));
done:
    json_decref(figures.json);
    cli_use_close(&u);
    return st;
}

const app_command cmd_eval = {
    .name = "eval",
    .section = "use",
    .summary = "how good it is",
    .about =
        "Measure a model, or a measure without learning, on rows by a task. "
        "A warning says if the model learned from these rows.\n"
        "retrieval: every row queries all others, and a row with a shared "
        "label is relevant; mean average precision (map) and precision at k.\n"
        "knn: share of rows whose nearest neighbours in --train vote for a "
        "wrong label.\n"
        "triplets: share of triplets in the wrong order.\n"
        "verify: over pairs, accuracy at the best threshold with its standard "
        "error, area under the ROC curve, and equal error rate; then this "
        "threshold, the share of other pairs that it calls a match (false "
        "matches) and of matches that it misses. With --folds these are of "
        "pairs that the threshold was not chosen on. Where the model has a "
        "threshold of its own, also the figures at that one.\n"
        "cross: share of the rows of --target that get a label of theirs from "
        "the nearest row of --source in the learned space, by cosine; the "
        "classes may be new.\n"
        "rank: how high a ranker puts the labels of each row; mean average "
        "precision (map), mean of 1 / rank of the first right one (mrr) and "
        "precision at k.\n"
        "naming: MODEL is a file of akin name, or with --method of faces; "
        "share of faces with the right name or rightly without (accuracy), and "
        "of those with a name (precision).",
    .examples =
        "akin eval m.safetensors --data test.svm --task retrieval\n"
        "akin eval tfidf --data test.svm --train train.svm --task retrieval "
        "--report out\n"
        "akin eval m.safetensors --data test.svm --task knn --train train.svm "
        "--k 5\n"
        "akin eval m.safetensors --data pictures.npy --labels p.csv --right "
        "texts.npy --right-labels t.csv --task retrieval\n"
        "akin eval m.safetensors --data rows.svm --task verify --pairs "
        "pairs.txt --folds 10 --save-threshold\n"
        "akin eval m.safetensors --task cross --source photos.npy "
        "--source-labels p.csv --target drawings.npy --labels d.csv\n"
        "akin eval names.csv --task naming --captions captions.csv --truth "
        "truth.csv\n"
        "akin eval faces.npy --task naming --captions captions.csv --truth "
        "truth.csv --method rlrr --curve",
    .size = sizeof(all_flags),
    .needs = "data|target|task=naming",
    .excludes = "data|target data|task=naming queries|query-rows|right",
    APP_PARTS({&cli_use_some_group, offsetof(all_flags, use)},
              {&eval_group, offsetof(all_flags, eval)},
              {&cli_reading_group, offsetof(all_flags, reading)},
              {&app_exact_group, offsetof(all_flags, exact)}),
    .check_arguments = cli_check_model,
    .shared = true,
    .run = run,
};
