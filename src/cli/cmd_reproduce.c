/* akin reproduce: the papers' tables, theirs beside ours. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "reproduce/common/figures.h"

/* s3ml is last because any folder of tables fits it. */
static const reproduce_paper *const papers[] = {
    &reproduce_solis, &reproduce_loreta, &reproduce_rsl, &reproduce_naming,
    &reproduce_s3ml};
enum { PAPERS = sizeof papers / sizeof papers[0] };

#define FIELD(field) APP_FIELD(reproduce_flags, field)

static const app_option options[] = {
    {"TABLE", "solis|loreta|rsl|s3ml|naming", FIELD(paper),
     .help = "the paper to reproduce; by default what --data is for",
     .flags = APP_ARGUMENT},
    {"data", "DIR", FIELD(data),
     .help = "a folder of one of the known layouts; loreta and rsl "
             "generate data without it"},
    {"test", "DIR2", FIELD(test),
     .help = "rsl: learn from all of --data and test with this folder of the "
             "same layout"},
    {"repeats", "N", FIELD(repeats),
     .help = "splits to average over; auto: 3 (loreta: 5, rsl: 10 or 20, "
             "s3ml: 50 of tables and 20 of pictures), or fewer with --quick",
     .min = 1, .max = 1000, .zero = "auto"},
    {"splits", "FILE", FIELD(splits),
     .help = "take the splits from lines `split landmark row "
             "positive|negative` (s3ml: a table `set,repeat,row` of the rows "
             "that are known) instead of drawing them",
     .advanced = true},
    {"codebook", "NAME", FIELD(codebook),
     .help = "only the codebook of bow_NAME.svm; without it, all",
     .advanced = true},
    {"quick", NULL, FIELD(quick), .help = "smaller runs, within two minutes"},
    {"beside", "FILE", FIELD(beside),
     .help = "JSON rows of rivals measured elsewhere, to show in the tables"},
    {"report", "DIR", FIELD(report),
     .help = "write figures.json and the plots (SVG) into this folder",
     .flags = APP_OUTPUT | APP_FOLDER},
};

static const app_group group =
    APP_GROUP("What to reproduce", options, (&(const reproduce_flags){0}));

static akin_status find_paper(app *a, const reproduce_flags *f,
                              const reproduce_paper **out)
{
    char known[APP_MESSAGE_SIZE] = "";
    size_t at = 0;
    for (int i = 0; i < PAPERS; ++i) {
        const reproduce_paper *p = papers[i];
        if (f->paper ? strcmp(f->paper, p->name) != 0 : f->data == NULL)
            continue;
        if (p->is_here(f->data)) {
            *out = p;
            return AKIN_OK;
        }
        if (at < sizeof known)
            at += (size_t)snprintf(known + at, sizeof known - at, "%s%s: %s",
                                   at ? "; " : "", p->name, p->layout);
    }
    if (f->data == NULL)
        return app_fail(a, AKIN_EINVAL,
                        "reproduce needs --data DIR (see akin help reproduce)");
    return app_fail(a, AKIN_EINVAL, "%s: unknown layout (expected %s)", f->data,
                    known);
}

/* Refuse a flag that this paper's run does not use. */
static akin_status check_flags(app *a, const reproduce_paper *p)
{
    static const struct {
        const char *flag;
        unsigned bit;
    } some[] = {{"test", REPRODUCE_TEST},
                {"splits", REPRODUCE_SPLITS},
                {"codebook", REPRODUCE_CODEBOOK}};
    for (int i = 0; i < 3; ++i)
        if (app_was_given(a, some[i].flag) && !(p->takes & some[i].bit))
            return app_fail(a, AKIN_EINVAL, "--%s does not apply to %s",
                            some[i].flag, p->name);
    return AKIN_OK;
}

static json_t *all_json(const reproduce_paper *p, json_t *rows, double seconds)
{
    return json_pack(
        "{s:s, s:s, s:{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, "
        "s:s}, "
        "s:o, s:O}",
        "paper", p->name, "title", p->title, "units", "map", "%", "error", "%",
        "accuracy", "%", "precision", "%", "se", "%", "sparsity", "%",
        "seconds", "s", "index_seconds", "s", "index_bytes", "bytes",
        "retrieval_ms", "ms", "seconds", app_json_real(seconds), "rows", rows);
}

static akin_status report(app *a, const reproduce_flags *f,
                          const reproduce_paper *p, const json_t *rows,
                          json_t *all)
{
    akin_status st = AKIN_OK;
    APP_TRY(app_json_report(a, all, f->report));
    if (p->figures != NULL)
        APP_TRY(reproduce_draw(a, f->report, rows, p->figures));
    if (p->plot != NULL)
        APP_TRY(p->plot(a, f->report));
done:
    return st;
}

static akin_status show(app *a, const reproduce_paper *p, const json_t *rows,
                        json_t *all, double seconds)
{
    if (a->common.json)
        return app_json_print(a, json_incref(all));
    akin_status st = app_print(a, "%s\n", p->title);
    if (st == AKIN_OK)
        st = reproduce_print(a, rows);
    if (st == AKIN_OK)
        st = app_print(a, "\nin %s\n", app_seconds(seconds).text);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const reproduce_flags *f = flags;
    const double start = app_now();
    const reproduce_paper *p = NULL;
    json_t *rows = json_array(), *rivals = json_array(), *all = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(find_paper(a, f, &p));
    APP_TRY(check_flags(a, p));
    if (f->beside != NULL)
        APP_TRY(reproduce_beside(a, rivals, f->beside));
    APP_TRY(p->run(a, f, rows));
    if (json_array_extend(rows, rivals) != 0)
        APP_TRY(app_fail(a, AKIN_ENOMEM, "out of memory"));
    const double seconds = app_now() - start;
    all = all_json(p, rows, seconds);
    if (all == NULL)
        APP_TRY(app_fail(a, AKIN_ENOMEM, "out of memory"));
    if (f->report != NULL)
        APP_TRY(report(a, f, p, rows, all));
    APP_TRY(show(a, p, rows, all, seconds));
done:
    json_decref(all);
    json_decref(rivals);
    json_decref(rows);
    return st;
}

const app_command cmd_reproduce = {
    .name = "reproduce",
    .section = "science",
    .summary = "the papers' tables, theirs beside ours",
    .about = "The layout of --data is recognised by its file names; an unknown "
             "layout is an error that lists the known ones.\n"
             "Hyper-parameters are the learners' defaults, or chosen once per "
             "method and codebook on the first split by queries that are not "
             "those of the test; the output says which.\n"
             "Within 60 minutes on two cores, with --quick within two.",
    .examples = "akin reproduce solis --data oxford5k_bow --quick\n"
                "akin reproduce solis --data oxford5k_bow --report plots\n"
                "akin reproduce loreta --data ng20 --report plots\n"
                "akin reproduce loreta --quick\n"
                "akin reproduce rsl --report plots\n"
                "akin reproduce rsl --data mfeat --test mfeat_later --quick\n"
                "akin reproduce s3ml --data examples/tables --quick\n"
                "akin reproduce naming --data lfw_naming --report plots",
    .size = sizeof(reproduce_flags),
    APP_PARTS({&group, 0}),
    .run = run,
};
