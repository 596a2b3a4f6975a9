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
 * branch is left when the names still to come cannot lift it above the best:
 * by the sum over them, or by the best of them for each face. The problem holds
 * set cover: no method is quick for all distances, this one is for photos. */
#include "learn/captions/infeasible.h"

#include <math.h>
#include <string.h>

/* Gains looked at for one photo; then the best labels so far are taken. */
enum { MOST_WORK = 50000000 };

typedef struct search {
    const ak_photo *photo;
    const ak_infeasible_room *w;
    int64_t n, n_names;  // names of the caption that faces can have
    int64_t n_open;      // how many of them, the first, are worth opening
    double value;        // of the best labels so far
    int64_t work;        // gains looked at
} search;

akin_status ak_infeasible_rooms(ak_infeasible_room **out, akin_ctx *ctx,
                                int64_t count, int64_t n, int64_t p,
                                int64_t n_caption)
{
    ak_infeasible_room *all;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, count, &all));
    for (int64_t i = 0; i < count; ++i) {
        ak_infeasible_room *w = all + i;
        AK_TRY(AK_SCRATCH(ctx, p + 1, &w->used));
        AK_TRY(AK_SCRATCH(ctx, n_caption, &w->names));
        AK_TRY(AK_SCRATCH(ctx, n, &w->out));
        AK_TRY(AK_SCRATCH(ctx, n, &w->out_of));
        AK_TRY(AK_SCRATCH(ctx, (n_caption + 1) * n, &w->best));
        AK_TRY(AK_SCRATCH(ctx, (n_caption + 1) * n, &w->label));
        AK_TRY(AK_SCRATCH(ctx, n, &w->found));
    }
    *out = all;
done:
    return st;
}

int64_t ak_infeasible_loss(const ak_photo *photo, const int32_t *z,
                           const ak_infeasible_room *room)
{
    bool *used = room->used;
    int64_t loss = 0;
    for (int64_t q = 0; q <= photo->p; ++q)
        used[q] = true;  // any use is a mistake
    for (int64_t k = 0; k < photo->n_caption; ++k)
        used[photo->caption[k]] = false;
    for (int64_t f = 0; f < photo->n; ++f)
        if (z[f] != (int32_t)photo->p) {
            loss += used[z[f]];
            used[z[f]] = true;
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
static void look_outside(search *s)
{
    const ak_photo *photo = s->photo;
    bool *in_caption = s->w->used;
    memset(in_caption, 0, (size_t)(photo->p + 1) * sizeof *in_caption);
    for (int64_t k = 0; k < photo->n_caption; ++k)
        in_caption[photo->caption[k]] = true;
    for (int64_t f = 0; f < s->n; ++f) {
        s->w->out[f] = -INFINITY;
        s->w->out_of[f] = -1;
    }
    for (int64_t q = 0; q < photo->p; ++q)
        for (int64_t f = 0; !in_caption[q] && f < s->n; ++f)
            if (gain(s, f, q) > s->w->out[f]) {
                s->w->out[f] = gain(s, f, q);
                s->w->out_of[f] = (int32_t)q;
            }
    for (int64_t f = 0; f < s->n; ++f) {
        const double null = gain(s, f, photo->p) - 1.0;
        const bool outside = s->w->out[f] >= null;
        s->w->best[f] = outside ? s->w->out[f] : null;
        s->w->label[f] = outside ? s->w->out_of[f] : (int32_t)photo->p;
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
                (addition(s, s->w->best, q) > 1.0) == (pass == 0))
                s->w->names[s->n_names++] = q;
        }
        if (pass == 0)
            s->n_open = s->n_names;
    }
}

/* Do labels use a name outside, or one of the caption twice? */
static bool is_wrong(const search *s, const int32_t *label)
{
    for (int64_t f = 0; f < s->n; ++f) {
        if (label[f] == (int32_t)s->photo->p)
            continue;
        if (label[f] == s->w->out_of[f])
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

static void keep(search *s, double value, const int32_t *label)
{
    s->value = value;
    memcpy(s->w->found, label, (size_t)s->n * sizeof *label);
}

/* (2), a face to a name outside. */
static void spoil_one(search *s, const double *best, const int32_t *label,
                      double value)
{
    int64_t at = 0;
    for (int64_t f = 1; f < s->n; ++f)
        if (best[f] - s->w->out[f] < best[at] - s->w->out[at])
            at = f;
    value -= best[at] - s->w->out[at];
    if (!(value > s->value))
        return;
    keep(s, value, label);
    s->w->found[at] = s->w->out_of[at];
}

/* (2), two faces to the same name, which is opened where it is not. */
static void spoil_two(search *s, const double *best, const int32_t *label,
                      double value)
{
    for (int64_t k = 0; k < s->n_names; ++k) {
        const int32_t q = s->w->names[k];
        int64_t at[2] = {0, 0};
        bool opened = false;
        for (int64_t f = 0; f < s->n; ++f)
            opened = opened || label[f] == q;
        const double new_value = value + addition(s, best, q) -
                                 (opened ? 0.0 : 1.0) -
                                 two_cheapest(s, best, q, at);
        if (!(new_value > s->value))
            continue;
        keep(s, new_value, label);
        for (int64_t f = 0; f < s->n; ++f)
            if (f == at[0] || f == at[1] || gain(s, f, q) > best[f])
                s->w->found[f] = q;
    }
}

static void visit(search *s, int64_t depth, int64_t next, double value);

/* With and without each name still to come. */
static void descend(search *s, int64_t depth, int64_t next, double value)
{
    const int64_t n = s->n;
    const double *best = s->w->best + depth * n;
    const int32_t *label = s->w->label + depth * n;
    double *best2 = s->w->best + (depth + 1) * n;
    int32_t *label2 = s->w->label + (depth + 1) * n;
    for (; next < s->n_open && s->work <= MOST_WORK; ++next) {
        const int32_t q = s->w->names[next];
        const double more = addition(s, best, q) - 1.0;
        if (more <= 0.0)
            continue;
        for (int64_t f = 0; f < n; ++f) {
            const bool better = gain(s, f, q) > best[f];
            best2[f] = better ? gain(s, f, q) : best[f];
            label2[f] = better ? q : label[f];
        }
        visit(s, depth + 1, next + 1, value + more);
    }
}

/* What the names still to come can add at most: all of them what they add
 * alone, or each face its best of them for the cost of one. */
static double most_to_come(const search *s, const double *best, int64_t next)
{
    double apart = 0.0, together = -1.0;
    for (int64_t k = next; k < s->n_open; ++k)
        apart += fmax(0.0, addition(s, best, s->w->names[k]) - 1.0);
    for (int64_t f = 0; f < s->n && together < apart; ++f) {
        double most = 0.0;
        for (int64_t k = next; k < s->n_open; ++k)
            most = fmax(most, gain(s, f, s->w->names[k]) - best[f]);
        together += most;
    }
    return fmin(apart, fmax(0.0, together));
}

static void visit(search *s, int64_t depth, int64_t next, double value)
{
    const double *best = s->w->best + depth * s->n;
    const int32_t *label = s->w->label + depth * s->n;
    s->work += 2 * s->n * (s->n_open - next + 1);
    if (s->work > MOST_WORK || value + most_to_come(s, best, next) <= s->value)
        return;
    if (!is_wrong(s, label)) {
        if (s->w->out_of[0] >= 0)
            spoil_one(s, best, label, value);
        if (s->n >= 2)
            spoil_two(s, best, label, value);
    } else if (value > s->value) {
        keep(s, value, label);
    }
    descend(s, depth, next, value);
}

/* loss(z) - D(z) of the labels found; never below what (1) said. */
static double true_value(const search *s, int32_t *z)
{
    double sum = 0.0;
    for (int64_t f = 0; f < s->n; ++f) {
        z[f] = s->w->found[f];
        sum += s->photo->D[f * s->photo->stride + z[f]];
    }
    return (double)ak_infeasible_loss(s->photo, z, s->w) - sum;
}

double ak_infeasible_max(const ak_photo *photo, int32_t *z,
                         const ak_infeasible_room *room)
{
    const int64_t n = photo->n;
    search s = {.photo = photo, .w = room, .n = n, .value = -INFINITY};
    if (n == 0)
        return -INFINITY;
    look_outside(&s);
    sort_names(&s);
    double start = 0.0;
    for (int64_t f = 0; f < n; ++f)
        start += room->best[f];
    visit(&s, 0, 0, start);
    return isfinite(s.value) ? true_value(&s, z) : -INFINITY;
}
