/* Table 3: retrieval of a concept by relevance feedback. Of 100 pictures of the
 * concept and 400 others, 20 and 80 are judged. Two judged pictures of the
 * concept are a similar pair, one of it and one other a dissimilar pair. The
 * unjudged pictures of the concept are the queries; each should find the others
 * of the concept among all unjudged pictures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/common/draw.h"
#include "reproduce/s3ml/s3ml.h"

enum {
    RELEVANT = 100,
    OTHERS = 400,
    JUDGED_RELEVANT = 20,
    JUDGED_OTHERS = 80,
    PICTURES = RELEVANT + OTHERS,
    QUICK_CONCEPTS = 5,
};

typedef struct gallery {
    s3ml_run *r;
    char name[64];
    akin_rows *all;
    int32_t *class;  // of each picture
    int64_t n, n_read, n_classes;
    int64_t *concepts, n_concepts;         // classes
    int64_t *order;                        // n, scratch for draws
    s3ml_figure (*figures)[S3ML_METHODS];  // of each concept
    s3ml_figure means[S3ML_METHODS];       // over concepts, of each trial
} gallery;

/* One concept in one trial. The first RELEVANT pictures are of the concept; the
 * first of these and the first of the others are judged. */
typedef struct session {
    akin_rows *rows;    // all, prepared
    akin_rows *hidden;  // the same, with labels of the judged ones only
    akin_rows *unjudged;
    int64_t pairs[3 * (JUDGED_RELEVANT * (JUDGED_RELEVANT - 1) / 2 +
                       JUDGED_RELEVANT * JUDGED_OTHERS)];
    int64_t n_pairs;
} session;

static akin_status take_class(void *arg, const csv_file *c)
{
    gallery *g = arg;
    int64_t class;
    akin_status st = AKIN_OK;
    if (g->n_read == g->n)
        return csv_fail(c, "more lines than pictures (%lld)", (long long)g->n);
    APP_TRY(csv_number(c, 0, 1 << 20, &class));
    g->class[g->n_read++] = (int32_t) class;
    if (class >= g->n_classes)
        g->n_classes = class + 1;
done:
    return st;
}

/* List the pictures of the class, or those of other classes. */
static int64_t gather(gallery *g, int64_t class, bool of_it, int64_t *order)
{
    int64_t n = 0;
    for (int64_t i = 0; i < g->n; ++i)
        if ((g->class[i] == class) == of_it)
            order[n++] = i;
    return n;
}

static akin_status set_labels(app *a, akin_rows *rows, bool judged_only)
{
    static const char *const names[] = {"concept", "other"};
    int32_t labels[PICTURES];
    for (int i = 0; i < PICTURES; ++i) {
        const bool of_it = i < RELEVANT;
        const bool judged = of_it ? i < JUDGED_RELEVANT
                                  : i < RELEVANT + JUDGED_OTHERS;
        labels[i] = judged_only && !judged ? -1 : of_it ? 0 : 1;
    }
    return akin_rows_set_labels(a->ctx, rows, labels, names, 2);
}

static void make_pairs(session *s)
{
    s->n_pairs = 0;
    for (int64_t i = 0; i < JUDGED_RELEVANT; ++i)
        for (int64_t j = i + 1; j < RELEVANT + JUDGED_OTHERS; ++j) {
            if (j >= JUDGED_RELEVANT && j < RELEVANT)
                continue;
            int64_t *pair = s->pairs + 3 * s->n_pairs++;
            pair[0] = i;
            pair[1] = j;
            pair[2] = j < RELEVANT ? 1 : -1;
        }
}

static akin_status open_session(gallery *g, session *s, int64_t class,
                                int64_t trial)
{
    app *a = g->r->a;
    const akin_recipe_options o = {sizeof o, "none", "minmax", "none", 0};
    draw d = draw_from((uint64_t)a->common.seed, trial, class);
    int64_t chosen[PICTURES], judged[JUDGED_RELEVANT + JUDGED_OTHERS];
    akin_recipe *recipe = NULL;
    akin_rows *raw = NULL;
    akin_status st = AKIN_OK;
    int64_t n = gather(g, class, true, g->order);
    draw_front(&d, g->order, n, RELEVANT);
    memcpy(chosen, g->order, RELEVANT * sizeof *chosen);
    n = gather(g, class, false, g->order);
    draw_front(&d, g->order, n, OTHERS);
    memcpy(chosen + RELEVANT, g->order, OTHERS * sizeof *chosen);
    for (int i = 0; i < JUDGED_RELEVANT + JUDGED_OTHERS; ++i)
        judged[i] = i < JUDGED_RELEVANT ? i : i - JUDGED_RELEVANT + RELEVANT;
    APP_TRY(akin_rows_select(&raw, a->ctx, g->all, chosen, PICTURES));
    APP_TRY(akin_recipe_fit(&recipe, a->ctx, raw, &o));
    APP_TRY(akin_recipe_apply(&s->rows, a->ctx, recipe, raw));
    APP_TRY(akin_recipe_apply(&s->hidden, a->ctx, recipe, raw));
    APP_TRY(set_labels(a, s->rows, false));
    APP_TRY(set_labels(a, s->hidden, true));
    APP_TRY(s3ml_others(g->r, s->rows, judged, JUDGED_RELEVANT + JUDGED_OTHERS,
                        &s->unjudged));
    make_pairs(s);
done:
    akin_rows_free(raw);
    akin_recipe_free(recipe);
    return st;
}

static void close_session(session *s)
{
    akin_rows_free(s->rows);
    akin_rows_free(s->hidden);
    akin_rows_free(s->unjudged);
}

/* The pairs, or the judged labels for a learner that takes no pairs. */
static akin_status supervise(gallery *g, const session *s, const s3ml_method *m,
                             akin_supervision **known)
{
    akin_ctx *ctx = g->r->a->ctx;
    akin_status st = AKIN_OK;
    APP_TRY(akin_supervision_new(known, ctx, s->hidden, NULL, NULL));
    if (m->learner == NULL ||
        !(akin_learner_find(m->learner)->takes & AKIN_PAIRS))
        goto done;
    APP_TRY(
        akin_supervision_set(ctx, *known, AKIN_PAIRS, s->pairs, s->n_pairs));
done:
    return st;
}

static akin_status measure(gallery *g, const session *s, int method,
                           s3ml_figure *f, s3ml_figure *trial)
{
    enum { QUERIES = RELEVANT - JUDGED_RELEVANT };
    akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_supervision *known = NULL;
    akin_model *m = NULL;
    akin_retrieval found;
    int64_t queries[QUERIES];
    akin_status st = AKIN_OK;
    APP_TRY(supervise(g, s, &s3ml_methods[method], &known));
    APP_TRY(s3ml_learn(g->r, &s3ml_methods[method], known, s->rows, &m, f));
    if (m == NULL)
        goto done;
    for (int i = 0; i < QUERIES; ++i)
        queries[i] = i;
    o.query_rows = queries;
    o.n_query_rows = QUERIES;
    APP_TRY(
        akin_eval_retrieval(&found, NULL, g->r->a->ctx, m, s->unjudged, &o));
    s3ml_count(f, 100.0 * found.map);
    s3ml_count(trial, 100.0 * found.map);
done:
    akin_model_free(m);
    akin_supervision_free(known);
    return st;
}

/* ---- the run ------------------------------------------------------------ */

static akin_status run_trial(gallery *g, int64_t trial)
{
    s3ml_figure concepts[S3ML_METHODS] = {{0}};
    akin_status st = AKIN_OK;
    for (int64_t c = 0; c < g->n_concepts; ++c) {
        session s = {0};
        st = open_session(g, &s, g->concepts[c], trial);
        for (int m = 0; st == AKIN_OK && m < S3ML_METHODS; ++m)
            if (s3ml_is_in(m, S3ML_FEEDBACK))
                st = measure(g, &s, m, &g->figures[c][m], &concepts[m]);
        close_session(&s);
        APP_TRY(st);
        APP_TRY(reproduce_step(&g->r->steps));
    }
    for (int m = 0; m < S3ML_METHODS; ++m)
        if (concepts[m].n > 0)
            s3ml_count(&g->means[m], concepts[m].mean);
done:
    return st;
}

/* Seconds and non-zeros of one model, over all concepts. */
static void gather_costs(gallery *g, int m)
{
    s3ml_figure *f = &g->means[m];
    for (int64_t c = 0; c < g->n_concepts; ++c) {
        f->seconds += g->figures[c][m].seconds / (double)g->n_concepts;
        f->nonzeros += g->figures[c][m].nonzeros / (double)g->n_concepts;
        f->failures += g->figures[c][m].failures;
        if (g->figures[c][m].failures > 0)
            memcpy(f->why, g->figures[c][m].why, sizeof f->why);
    }
}

static akin_status add_rows(gallery *g)
{
    app *a = g->r->a;
    akin_status st = AKIN_OK;
    for (int m = 0; m < S3ML_METHODS; ++m) {
        if (!s3ml_is_in(m, S3ML_FEEDBACK))
            continue;
        gather_costs(g, m);
        APP_TRY(reproduce_add(a, g->r->rows,
                              s3ml_row(&s3ml_methods[m], g->name, "feedback",
                                       "map", &g->means[m])));
        s3ml_report_failures(g->r, g->name, &s3ml_methods[m], &g->means[m]);
        for (int64_t c = 0; c < g->n_concepts; ++c) {
            char name[32];
            json_t *row = s3ml_row(&s3ml_methods[m], g->name, "feedback", "map",
                                   &g->figures[c][m]);
            snprintf(name, sizeof name, "%lld", (long long)g->concepts[c]);
            reproduce_put_text(row, "figure", "1");
            reproduce_put_text(row, "concept", name);
            APP_TRY(reproduce_add(a, g->r->rows, row));
        }
    }
done:
    return st;
}

/* Concepts are classes of enough pictures. */
static akin_status find_concepts(gallery *g)
{
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(g->r->a, g->n_classes + 1, &g->concepts));
    for (int64_t c = 0; c < g->n_classes; ++c)
        if (gather(g, c, true, g->order) >= RELEVANT &&
            gather(g, c, false, g->order) >= OTHERS)
            g->concepts[g->n_concepts++] = c;
    if (g->n_concepts == 0)
        APP_TRY(app_fail(g->r->a, AKIN_EFORMAT,
                         "labels.csv: no class has %d pictures and %d others "
                         "(both are needed)",
                         RELEVANT, OTHERS));
    if (g->r->flags->quick && g->n_concepts > QUICK_CONCEPTS)
        g->n_concepts = QUICK_CONCEPTS;
done:
    return st;
}

akin_status s3ml_relevance_feedback(s3ml_run *r, const char *folder)
{
    char path[REPRODUCE_PATH];
    gallery g = {.r = r};
    akin_status st = AKIN_OK;
    reproduce_folder(folder, g.name, sizeof g.name);
    APP_TRY(reproduce_path(r->a, path, folder, "features225.npy"));
    APP_TRY(akin_rows_read(&g.all, r->a->ctx, path, NULL));
    g.n = akin_rows_count(g.all);
    APP_TRY(APP_NEW(r->a, g.n + 1, &g.class));
    APP_TRY(csv_each(r->a, folder, "labels.csv", "class", take_class, &g));
    if (g.n_read < g.n)
        APP_TRY(app_fail(r->a, AKIN_EFORMAT,
                         "%s/labels.csv: %lld lines for %lld pictures", folder,
                         (long long)g.n_read, (long long)g.n));
    APP_TRY(APP_NEW(r->a, g.n + 1, &g.order));
    APP_TRY(find_concepts(&g));
    APP_TRY(APP_NEW(r->a, g.n_concepts, &g.figures));
    reproduce_begin(&r->steps, r->a, r->repeats * g.n_concepts);
    for (int64_t t = 0; st == AKIN_OK && t < r->repeats; ++t)
        st = run_trial(&g, t);
    reproduce_end(r->a);
    APP_TRY(st);
    APP_TRY(add_rows(&g));
done:
    free(g.figures);
    free(g.concepts);
    free(g.order);
    free(g.class);
    akin_rows_free(g.all);
    return st;
}
