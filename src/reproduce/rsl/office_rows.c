/* Rows of three sources of pictures, and what of them a round has.
 *
 * Counts become square roots of shares, and each source is centred and scaled
 * by all its pictures, whose labels are not looked at. Classes are known by
 * their names. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/splits.h"
#include "reproduce/rsl/office.h"

enum { QUICK_EACH = 30 };  // of a class, with --test and --quick

const source rsl_sources[SOURCES] = {
    {"amazon", "amazon_surf800.npy", "amazon_labels.csv", 20},
    {"webcam", "webcam_surf800.npy", "webcam_labels.csv", 8},
    {"dslr", "dslr_surf800.npy", "dslr_labels.csv", 8},
};

bool rsl_has_office(const char *folder)
{
    for (int i = 0; i < SOURCES; ++i)
        if (!rsl_has(folder, rsl_sources[i].file) ||
            !rsl_has(folder, rsl_sources[i].labels))
            return false;
    return true;
}

/* Square roots of shares, of the first `words` words. */
static akin_status roots(app *a, akin_rows **out, const akin_rows *rows,
                         int64_t words)
{
    const int64_t n = akin_rows_count(rows);
    float *values = NULL;
    int32_t *labels = NULL;
    const char **names = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(app_alloc(a, n, (size_t)words * sizeof *values, &values));
    APP_TRY(APP_NEW(a, n, &labels));
    APP_TRY(app_alloc(a, akin_rows_label_count(rows), sizeof *names, &names));
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *columns, *own;
        const float *x;
        double sum = 0.0;
        akin_rows_row(&columns, &x, rows, i);
        for (int64_t j = 0; j < words; ++j)
            sum += fabs((double)x[j]);
        for (int64_t j = 0; j < words && sum > 0.0; ++j)
            values[i * words + j] = (float)sqrt(fabs((double)x[j]) / sum);
        labels[i] = akin_rows_labels(&own, rows, i) > 0 ? own[0] : -1;
    }
    for (int64_t k = 0; k < akin_rows_label_count(rows); ++k)
        names[k] = akin_rows_label_name(rows, k);
    APP_TRY(akin_rows_new_dense(out, a->ctx, n, words, values));
    APP_TRY(akin_rows_set_labels(a->ctx, *out, labels, names,
                                 akin_rows_label_count(rows)));
done:
    free(values);
    free(labels);
    free(names);
    return st;
}

/* Both sets of a source, centred and scaled by the first. */
static akin_status prepare(app *a, const akin_rows *raw, const akin_rows *later,
                           int64_t words, akin_rows **out, akin_rows **test)
{
    const akin_recipe_options o = {sizeof o, "none", "none", "global", 1};
    akin_rows *r = NULL, *t = NULL;
    akin_recipe *recipe = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(roots(a, &r, raw, words));
    APP_TRY(akin_recipe_fit(&recipe, a->ctx, r, &o));
    APP_TRY(akin_recipe_apply(out, a->ctx, recipe, r));
    if (later != NULL) {
        APP_TRY(roots(a, &t, later, words));
        APP_TRY(akin_recipe_apply(test, a->ctx, recipe, t));
    }
done:
    akin_recipe_free(recipe);
    akin_rows_free(r);
    akin_rows_free(t);
    return st;
}

static akin_status open_source(office *o, int i)
{
    app *a = o->r->a;
    const reproduce_flags *f = o->r->flags;
    const source *s = &rsl_sources[i];
    akin_rows *raw = NULL, *later = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(rsl_read(a, &raw, f->data, s->file, s->labels));
    if (f->test != NULL) {
        APP_TRY(rsl_read(a, &later, f->test, s->file, s->labels));
        APP_TRY(rsl_check_columns(a, f->test, s->file, raw, later));
    }
    APP_TRY(
        prepare(a, raw, later, akin_rows_dim(raw), &o->rows[i], &o->test[i]));
    if (i == DSLR && akin_rows_dim(raw) > CUT)
        APP_TRY(prepare(a, raw, later, CUT, &o->cut, &o->cut_test));
done:
    akin_rows_free(raw);
    akin_rows_free(later);
    return st;
}

/* Classes that two sources have both. */
static akin_status check_classes(const office *o, int x, int y)
{
    const akin_rows *a = o->rows[x], *b = o->rows[y];
    int64_t shared = 0;
    for (int64_t i = 0; i < akin_rows_label_count(a); ++i)
        for (int64_t j = 0; j < akin_rows_label_count(b); ++j)
            shared += strcmp(akin_rows_label_name(a, i),
                             akin_rows_label_name(b, j)) == 0;
    if (shared >= 4)
        return AKIN_OK;
    return app_fail(o->r->a, AKIN_EINVAL,
                    "%s: %s and %s have %" PRId64
                    " classes in common (expected 4 or more)",
                    o->r->flags->data, rsl_sources[x].labels,
                    rsl_sources[y].labels, shared);
}

akin_status rsl_office_open(office *o)
{
    akin_status st = AKIN_OK;
    for (int i = 0; i < SOURCES; ++i)
        APP_TRY(open_source(o, i));
    for (int i = 1; i < SOURCES; ++i)
        APP_TRY(check_classes(o, 0, i));
    APP_TRY(check_classes(o, WEBCAM, DSLR));
done:
    return st;
}

void rsl_office_close(office *o)
{
    for (int i = 0; i < SOURCES; ++i) {
        akin_rows_free(o->rows[i]);
        akin_rows_free(o->test[i]);
    }
    akin_rows_free(o->cut);
    akin_rows_free(o->cut_test);
}

const akin_rows *rsl_office_target(const office *o, const rsl_setting *s,
                                   trip t)
{
    return s->cut ? o->cut : o->rows[t.to];
}

/* ---- a round ------------------------------------------------------------ */

void rsl_split_free(rsl_split *p)
{
    akin_rows_free(p->first);
    akin_rows_free(p->rest);
}

/* Classes [from, to) of the rows that `names` has, by name. */
typedef struct classes {
    const akin_rows *names;
    int64_t from, to;
} classes;

/* `each` rows of each class into `first`, the others into `rest`. */
static akin_status take_part(app *a, rsl_split *p, const akin_rows *rows,
                             draw *d, int64_t each, classes of)
{
    const int64_t n = akin_rows_count(rows);
    int64_t *first = NULL, *rest = NULL, *all = NULL;
    int64_t n_first = 0, n_rest = 0, n_all;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n, &first));
    APP_TRY(APP_NEW(a, n, &rest));
    for (int64_t c = of.from; c < of.to; ++c) {
        APP_TRY(rsl_of_label(a, rows, akin_rows_label_name(of.names, c), &all,
                             &n_all));
        const int64_t k = each < n_all ? each : n_all;
        draw_front(d, all, n_all, k);
        memcpy(first + n_first, all, (size_t)k * sizeof *all);
        memcpy(rest + n_rest, all + k, (size_t)(n_all - k) * sizeof *all);
        n_first += k;
        n_rest += n_all - k;
    }
    APP_TRY(akin_rows_select(&p->first, a->ctx, rows, first, n_first));
    APP_TRY(akin_rows_select(&p->rest, a->ctx, rows, rest, n_rest));
done:
    free(first);
    free(rest);
    free(all);
    return st;
}

void rsl_round_free(rsl_round *h)
{
    rsl_split_free(&h->left);
    rsl_split_free(&h->right);
    rsl_split_free(&h->source);
    rsl_split_free(&h->target);
}

akin_status rsl_draw_round(const office *o, const rsl_setting *s, trip t,
                           int64_t number, int64_t round, rsl_round *h)
{
    app *a = o->r->a;
    const bool whole = o->r->flags->test != NULL;
    const akin_rows *from = o->rows[t.from];
    const akin_rows *to = rsl_office_target(o, s, t);
    const akin_rows *later = s->cut ? o->cut_test : o->test[t.to];
    const int64_t all = akin_rows_label_count(to);
    const int64_t half = s->new_classes ? all / 2 : all;
    const classes known = {to, 0, half}, others = {to, half, all};
    const int64_t most = o->r->flags->quick ? QUICK_EACH : INT64_MAX;
    const int64_t each = whole ? most : rsl_sources[t.from].each;
    draw d = draw_from((uint64_t)a->common.seed, number, round);
    akin_status st = AKIN_OK;
    APP_TRY(take_part(a, &h->left, from, &d, each, known));
    APP_TRY(take_part(a, &h->right, to, &d, whole ? most : TARGET_EACH, known));
    APP_TRY(take_part(a, &h->source, from, &d, each, others));
    APP_TRY(take_part(a, &h->target, whole ? later : to, &d, 0,
                      s->new_classes ? others : known));
done:
    return st;
}
