/* The best labelling of a photo that does not fit its caption.
 *
 * A name of the caption costs 1 to open (its first use is no mistake), then
 * gives 1 - d_fq to each face that takes it. With O the names opened,
 *
 *   val(O) = sum_f max(1 - min_{q outside} d_fq, -d_f0, max_{q in O} 1 - d_fq)
 *            - |O|                                                       (1)
 *
 * and where the labels behind (1) fit the caption after all, the cheapest
 * change that spoils them: one face to a name outside, or two faces to the
 * same name of the caption.                                              (2)
 *
 * What one more name adds to (1) falls as O grows. So only names that add more
 * than 1 to the empty set are ever opened, but for the one of (2), and a
 * branch is left when the sum over the names still to come cannot lift it
 * above the best. The problem holds set cover: no method is quick for all
 * distances, this one is for photos. */
#include "opt/infeasible.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 1000000 };

typedef struct search {
    const ak_photo *photo;
    int64_t n, n_names;    // names of the caption that faces can have
    double *names;         // n_names: their numbers, those worth opening first
    int64_t n_open;        // how many are worth opening
    double *out, *out_of;  // n: best gain outside the caption, and its name
    double *best, *label;  // (depth + 1) x n: (1) at each depth
    double *found;         // n: the best labels so far
    double value;          // of those
    int64_t steps;
} search;

int64_t ak_infeasible_room(int64_t n, int64_t p, int64_t n_caption)
{
    return p + 1 + n_caption + 3 * n + 2 * (n_caption + 1) * n;
}

int64_t ak_infeasible_loss(const ak_photo *photo, const int32_t *z,
                           double *work)
{
    int64_t loss = 0;
    for (int64_t q = 0; q <= photo->p; ++q)
        work[q] = 1.0;  // any use is a mistake
    for (int64_t k = 0; k < photo->n_caption; ++k)
        work[photo->caption[k]] = 0.0;
    for (int64_t f = 0; f < photo->n; ++f)
        if (z[f] != (int32_t)photo->p) {
            loss += work[z[f]] != 0.0;
            work[z[f]] = 1.0;
        }
    return loss;
}

static double gain(const search *s, int64_t f, int64_t q)
{
    return 1.0 - s->photo->D[f * s->photo->stride + q];
}

static bool is_usable(const ak_photo *photo, int64_t q)
{
    for (int64_t f = 0; f < photo->n; ++f)
        if (!isfinite(photo->D[f * photo->stride + q]))
            return false;
    return true;
}

/* The best name outside for each face, and (1) of the empty set. */
static void look_outside(search *s, double *in_caption)
{
    const ak_photo *photo = s->photo;
    memset(in_caption, 0, (size_t)(photo->p + 1) * sizeof *in_caption);
    for (int64_t k = 0; k < photo->n_caption; ++k)
        in_caption[photo->caption[k]] = 1.0;
    for (int64_t f = 0; f < s->n; ++f) {
        s->out[f] = -INFINITY;
        s->out_of[f] = -1.0;
    }
    for (int64_t q = 0; q < photo->p; ++q)
        for (int64_t f = 0; in_caption[q] == 0.0 && f < s->n; ++f)
            if (gain(s, f, q) > s->out[f]) {
                s->out[f] = gain(s, f, q);
                s->out_of[f] = (double)q;
            }
    for (int64_t f = 0; f < s->n; ++f) {
        const double null = gain(s, f, photo->p) - 1.0;
        const bool outside = s->out[f] >= null;
        s->best[f] = outside ? s->out[f] : null;
        s->label[f] = outside ? s->out_of[f] : (double)photo->p;
    }
}

/* What name q adds to (1) at a depth, without its cost. */
static double addition(const search *s, const double *best, int64_t q)
{
    double sum = 0.0;
    for (int64_t f = 0; f < s->n; ++f)
        sum += fmax(0.0, gain(s, f, q) - best[f]);
    return sum;
}

/* The names worth opening first, in the order of the caption. */
static void sort_names(search *s)
{
    const ak_photo *photo = s->photo;
    for (int pass = 0; pass < 2; ++pass) {
        for (int64_t k = 0; k < photo->n_caption; ++k) {
            const int32_t q = photo->caption[k];
            if (is_usable(photo, q) &&
                (addition(s, s->best, q) > 1.0) == (pass == 0))
                s->names[s->n_names++] = (double)q;
        }
        if (pass == 0)
            s->n_open = s->n_names;
    }
}

/* Do labels use a name outside, or one of the caption twice? */
static bool is_wrong(const search *s, const double *label)
{
    for (int64_t f = 0; f < s->n; ++f) {
        if (label[f] == (double)s->photo->p)
            continue;
        if (label[f] == s->out_of[f])
            return true;
        for (int64_t g = 0; g < f; ++g)
            if (label[g] == label[f])
                return true;
    }
    return false;
}

/* The two faces that lose least by going to name q; the sum of what they lose,
 * faces that gain by it counted as 0, is returned. */
static double two_cheapest(const search *s, const double *best, int64_t q,
                           int64_t at[2])
{
    double least[2] = {INFINITY, INFINITY};
    for (int64_t f = 0; f < s->n; ++f) {
        const double loss = fmax(0.0, best[f] - gain(s, f, q));
        if (loss < least[0]) {
            least[1] = least[0];
            at[1] = at[0];
            least[0] = loss;
            at[0] = f;
        } else if (loss < least[1]) {
            least[1] = loss;
            at[1] = f;
        }
    }
    return least[0] + least[1];
}

static void keep(search *s, double value, const double *label)
{
    s->value = value;
    memcpy(s->found, label, (size_t)s->n * sizeof *label);
}

/* (2), a face to a name outside. */
static void spoil_one(search *s, const double *best, const double *label,
                      double value)
{
    int64_t at = 0;
    for (int64_t f = 1; f < s->n; ++f)
        if (best[f] - s->out[f] < best[at] - s->out[at])
            at = f;
    value -= best[at] - s->out[at];
    if (!(value > s->value))
        return;
    keep(s, value, label);
    s->found[at] = s->out_of[at];
}

/* (2), two faces to the same name, which is opened where it is not. */
static void spoil_two(search *s, const double *best, const double *label,
                      double value)
{
    for (int64_t k = 0; k < s->n_names; ++k) {
        const int64_t q = (int64_t)s->names[k];
        int64_t at[2] = {0, 0};
        bool opened = false;
        for (int64_t f = 0; f < s->n; ++f)
            opened = opened || label[f] == (double)q;
        const double new_value = value + addition(s, best, q) -
                                 (opened ? 0.0 : 1.0) -
                                 two_cheapest(s, best, q, at);
        if (!(new_value > s->value))
            continue;
        keep(s, new_value, label);
        for (int64_t f = 0; f < s->n; ++f)
            if (f == at[0] || f == at[1] || gain(s, f, q) > best[f])
                s->found[f] = (double)q;
    }
}

static void visit(search *s, int64_t depth, int64_t next, double value);

/* With and without each name still to come. */
static void descend(search *s, int64_t depth, int64_t next, double value)
{
    const int64_t n = s->n;
    const double *best = s->best + depth * n, *label = s->label + depth * n;
    double *best2 = s->best + (depth + 1) * n;
    double *label2 = s->label + (depth + 1) * n;
    for (; next < s->n_open; ++next) {
        const int64_t q = (int64_t)s->names[next];
        const double more = addition(s, best, q) - 1.0;
        if (more <= 0.0)
            continue;
        for (int64_t f = 0; f < n; ++f) {
            const bool better = gain(s, f, q) > best[f];
            best2[f] = better ? gain(s, f, q) : best[f];
            label2[f] = better ? (double)q : label[f];
        }
        visit(s, depth + 1, next + 1, value + more);
    }
}

static void visit(search *s, int64_t depth, int64_t next, double value)
{
    const double *best = s->best + depth * s->n;
    const double *label = s->label + depth * s->n;
    double bound = value;
    for (int64_t k = next; k < s->n_open; ++k)
        bound += fmax(0.0, addition(s, best, (int64_t)s->names[k]) - 1.0);
    if (bound <= s->value || ++s->steps > MOST_STEPS)
        return;
    if (!is_wrong(s, label)) {
        if (s->out_of[0] >= 0.0)
            spoil_one(s, best, label, value);
        if (s->n >= 2)
            spoil_two(s, best, label, value);
    } else if (value > s->value) {
        keep(s, value, label);
    }
    descend(s, depth, next, value);
}

/* loss(z) - D(z) of the labels found; never below what (1) said. */
static double true_value(const search *s, int32_t *z, double *work)
{
    double sum = 0.0;
    for (int64_t f = 0; f < s->n; ++f) {
        z[f] = (int32_t)s->found[f];
        sum += s->photo->D[f * s->photo->stride + z[f]];
    }
    return (double)ak_infeasible_loss(s->photo, z, work) - sum;
}

double ak_infeasible_max(const ak_photo *photo, int32_t *z, double *work)
{
    const int64_t n = photo->n;
    search s = {.photo = photo, .n = n, .value = -INFINITY};
    if (n == 0)
        return -INFINITY;
    s.names = work + photo->p + 1;
    s.out = s.names + photo->n_caption;
    s.out_of = s.out + n;
    s.found = s.out_of + n;
    s.best = s.found + n;
    s.label = s.best + (photo->n_caption + 1) * n;
    look_outside(&s, work);
    sort_names(&s);
    double start = 0.0;
    for (int64_t f = 0; f < n; ++f)
        start += s.best[f];
    visit(&s, 0, 0, start);
    return isfinite(s.value) ? true_value(&s, z, work) : -INFINITY;
}
