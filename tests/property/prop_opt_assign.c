/* Assignments and wrong labellings of small photos, against trying them all. */
#include <math.h>
#include <string.h>

#include "context.h"

#include "base/rng.h"
#include "learn/captions/margins.h"
#include "opt/assign.h"

enum { FACES = 5, NAMES = 5, MOST = 40, TRIALS = 3000 };

static ak_assign_room *room;
static ak_infeasible_room *wrong_room;

static int rooms_begin(void **state)
{
    return context_begin(state) != 0 ||
           ak_assign_rooms(&room, ctx, 1, MOST, MOST) != AKIN_OK ||
           ak_infeasible_rooms(&wrong_room, ctx, 1, MOST, MOST, MOST) !=
               AKIN_OK;
}

#define ROOM_CASE(f) \
    cmocka_unit_test_setup_teardown(f, rooms_begin, context_end)

/* Step z, digits below `base`, as a number; false behind the last. */
static bool count_up(int32_t *z, int64_t n, int32_t base)
{
    for (int64_t f = n - 1; f >= 0; --f) {
        if (++z[f] < base)
            return true;
        z[f] = 0;
    }
    return false;
}

static bool is_redundant(const int32_t *z, int64_t n, int32_t null)
{
    for (int64_t f = 0; f < n; ++f)
        for (int64_t g = 0; z[f] != null && g < f; ++g)
            if (z[f] == z[g])
                return true;
    return false;
}

/* Uniform, of one of several sizes, or full of ties. */
static void fill(ak_rng *r, int64_t n, double *x)
{
    static const double sizes[] = {0.3, 1.0, 3.0, 8.0};
    const double size = sizes[ak_rng_below(r, 4)];
    const bool ties = ak_rng_below(r, 3) == 0;
    for (int64_t i = 0; i < n; ++i) {
        x[i] = size * ak_rng_unit(r);
        if (ties)
            x[i] = round(2.0 * x[i]) / 2.0;
    }
}

/* ---- assignment --------------------------------------------------------- */

typedef struct instance {
    int64_t n, r;
    double score[FACES * NAMES], none[FACES];
    ak_assignment a;
} instance;

static void make(instance *x, ak_rng *rng)
{
    x->n = 1 + ak_rng_below(rng, FACES);
    x->r = ak_rng_below(rng, NAMES + 1);
    fill(rng, x->n * x->r, x->score);
    fill(rng, x->n, x->none);
    for (int64_t k = 0; k < x->n * x->r; ++k)
        if (ak_rng_below(rng, 12) == 0)
            x->score[k] = -INFINITY;
    x->a = (ak_assignment){x->n, x->r, x->r, x->score, x->none};
}

/* The total of labels, null = r; -INFINITY when they are forbidden. */
static double total_of(const instance *x, const int32_t *z, bool with_none)
{
    double sum = 0.0;
    for (int64_t f = 0; f < x->n; ++f)
        sum += z[f] < x->r ? x->score[f * x->r + z[f]]
               : with_none ? x->none[f]
                           : 0.0;
    return sum;
}

static void assignments_are_the_first_of_the_best(void **state)
{
    (void)state;
    ak_rng rng = ak_rng_new(11, AK_STREAM_SYNTH);
    for (int t = 0; t < TRIALS; ++t) {
        instance x;
        int32_t z[FACES] = {0}, first[FACES] = {0}, labels[FACES];
        double best = -INFINITY;
        make(&x, &rng);
        do {
            const double sum = total_of(&x, z, true);
            if (is_redundant(z, x.n, (int32_t)x.r) || !(sum > best + 1e-10))
                continue;
            best = sum;
            memcpy(first, z, sizeof z);
        } while (count_up(z, x.n, (int32_t)x.r + 1));
        const double total = ak_assign(&x.a, labels, room);
        if (fabs(total - best) > 1e-10)
            fail_msg("trial %d: %g, the best is %g", t, total, best);
        for (int64_t f = 0; f < x.n; ++f)
            if (labels[f] != (first[f] < x.r ? first[f] : -1))
                fail_msg("trial %d: face %d", t, (int)f);
    }
}

/* 0 and 1 on names 1 and 2 are as good as on 2 and 0: the first gives up a name
 * that the other has to take, for one that nobody needs. */
static void ties_are_found_over_names_given_up(void **state)
{
    (void)state;
    static const double score[] = {-3.0, -1.5, -1.0, -1.5, -3.0, -1.0};
    static const double none[] = {-13.0, -13.0};
    const ak_assignment a = {2, 3, 3, score, none};
    int32_t labels[2];
    assert_true(ak_assign(&a, labels, room) == -2.5);
    assert_int_equal(labels[0], 1);
    assert_int_equal(labels[1], 2);
}

static void gains_are_those_of_one_name_more(void **state)
{
    (void)state;
    ak_rng rng = ak_rng_new(12, AK_STREAM_SYNTH);
    for (int t = 0; t < TRIALS; ++t) {
        instance x;
        int32_t z[FACES] = {0};
        double V[FACES + 1], gains[FACES];
        make(&x, &rng);
        for (int j = 0; j <= FACES; ++j)
            V[j] = -INFINITY;
        do {
            int64_t j = 0;
            for (int64_t f = 0; f < x.n; ++f)
                j += z[f] < x.r;
            if (!is_redundant(z, x.n, (int32_t)x.r))
                V[j] = fmax(V[j], total_of(&x, z, false));
        } while (count_up(z, x.n, (int32_t)x.r + 1));
        const int64_t n = ak_assign_gains(&x.a, gains, room);
        for (int64_t j = 0; j < n; ++j)
            if (fabs(gains[j] - (V[j + 1] - V[j])) > 1e-10)
                fail_msg("trial %d: gain %d", t, (int)j);
        assert_true(n == FACES || !isfinite(V[n + 1]));
    }
}

/* ---- margins ------------------------------------------------------------ */

static void margins_are_what_any_other_label_loses(void **state)
{
    (void)state;
    ak_rng rng = ak_rng_new(15, AK_STREAM_SYNTH);
    for (int t = 0; t < TRIALS; ++t) {
        instance x;
        int32_t z[FACES] = {0}, labels[FACES];
        double other[FACES], margins[FACES];
        make(&x, &rng);
        const double total = ak_assign(&x.a, labels, room);
        ak_assign_margins(&x.a, margins, room);
        for (int64_t f = 0; f < x.n; ++f)
            other[f] = -INFINITY;
        do {
            const double sum = total_of(&x, z, true);
            for (int64_t f = 0; f < x.n; ++f)
                if (!is_redundant(z, x.n, (int32_t)x.r) &&
                    z[f] != (labels[f] < 0 ? (int32_t)x.r : labels[f]))
                    other[f] = fmax(other[f], sum);
        } while (count_up(z, x.n, (int32_t)x.r + 1));
        for (int64_t f = 0; f < x.n; ++f)
            if (isfinite(other[f]) ? fabs(total - other[f] - margins[f]) > 1e-10
                                   : margins[f] != INFINITY)
                fail_msg("trial %d: face %d, %g for %g", t, (int)f, margins[f],
                         total - other[f]);
    }
}

/* The total of the best assignment in which face f has not label q. */
static double total_without(int64_t n, int64_t r, double *score, double *none,
                            int64_t f, int32_t q)
{
    const ak_assignment a = {n, r, r, score, none};
    double *cell = q < 0 ? none + f : score + f * r + q, kept = *cell;
    int32_t labels[MOST];
    *cell = q < 0 ? -1e6 : -INFINITY;
    const double total = ak_assign(&a, labels, room);
    *cell = kept;
    return total;
}

/* Those of large photos, full of ties in every second one. */
static void margins_of_many_faces_match_assignments(void **state)
{
    (void)state;
    ak_rng rng = ak_rng_new(16, AK_STREAM_SYNTH);
    for (int t = 0; t < 40; ++t) {
        const int64_t n = 1 + ak_rng_below(&rng, MOST);
        const int64_t r = 1 + ak_rng_below(&rng, MOST);
        double score[MOST * MOST], none[MOST], margins[MOST];
        const ak_assignment a = {n, r, r, score, none};
        int32_t labels[MOST];
        for (int64_t k = 0; k < n * r; ++k) {
            score[k] = ak_rng_unit(&rng) + (k % r == k / r);
            score[k] = t % 2 ? score[k] : round(4.0 * score[k]) / 4.0;
        }
        for (int64_t f = 0; f < n; ++f)
            none[f] = 0.75;
        const double total = ak_assign(&a, labels, room);
        ak_assign_margins(&a, margins, room);
        for (int64_t f = 0; f < n; ++f) {
            const double other = total_without(n, r, score, none, f, labels[f]);
            assert_true(fabs(total - other - margins[f]) < 1e-10);
        }
    }
}

/* ---- wrong labellings --------------------------------------------------- */

/* The fewest faces to change until z fits: over all labellings that fit. */
static int64_t changes(const ak_photo *photo, const int32_t *z)
{
    int32_t y[FACES] = {0};
    int64_t least = photo->n;
    do {
        int32_t named[FACES];
        int64_t n = 0;
        for (int64_t f = 0; f < photo->n; ++f)
            named[f] = y[f] < photo->n_caption ? photo->caption[y[f]]
                                               : (int32_t)photo->p;
        if (is_redundant(named, photo->n, (int32_t)photo->p))
            continue;
        for (int64_t f = 0; f < photo->n; ++f)
            n += named[f] != z[f];
        least = n < least ? n : least;
    } while (count_up(y, photo->n, (int32_t)photo->n_caption + 1));
    return least;
}

static double value_of(const ak_photo *photo, const int32_t *z)
{
    double sum = (double)changes(photo, z);
    for (int64_t f = 0; f < photo->n; ++f)
        sum -= photo->D[f * photo->stride + z[f]];
    return sum;
}

static void check_photo(const ak_photo *photo, int t)
{
    int32_t z[FACES] = {0}, found[FACES];
    double best = -INFINITY;
    do {
        const int64_t loss = changes(photo, z);
        assert_int_equal(ak_infeasible_loss(photo, z, wrong_room), loss);
        if (loss > 0)
            best = fmax(best, value_of(photo, z));
    } while (count_up(z, photo->n, (int32_t)photo->p + 1));
    const double value = ak_infeasible_max(photo, found, wrong_room);
    if (!isfinite(best)) {
        assert_true(value == -INFINITY);
        return;
    }
    if (fabs(value - best) > 1e-10 ||
        fabs(value_of(photo, found) - best) > 1e-10)
        fail_msg("trial %d: %g, the best is %g", t, value, best);
    assert_true(changes(photo, found) > 0);
}

static void wrong_labellings_are_the_best_of_all(void **state)
{
    (void)state;
    ak_rng rng = ak_rng_new(13, AK_STREAM_SYNTH);
    for (int t = 0; t < TRIALS / 4; ++t) {
        const int64_t n = 1 + ak_rng_below(&rng, 4);
        const int64_t p = 1 + ak_rng_below(&rng, 4);
        double D[FACES * (NAMES + 1)];
        int32_t caption[NAMES];
        ak_photo photo = {n, p, p + 1, D, 0, caption};
        fill(&rng, n * (p + 1), D);
        for (int32_t q = 0; q < (int32_t)p; ++q)
            if (ak_rng_below(&rng, 2))
                caption[photo.n_caption++] = q;
        check_photo(&photo, t);
    }
}

/* Three of 40 names cover six faces; the rest is of no use. */
/* The best over all sets of names that faces may share, each at a cost of 1;
 * false where no two faces share one: such labels may fit. */
static bool best_shared(const ak_photo *photo, double *best)
{
    bool shared = false;
    *best = -INFINITY;
    for (uint32_t set = 0; set < 1U << photo->p; ++set) {
        double value = 0.0;
        uint32_t used = 0, twice = 0;
        for (int64_t f = 0; f < photo->n; ++f) {
            const double *D = photo->D + f * photo->stride;
            int64_t at = photo->p;
            double gain = -D[at];
            for (int64_t q = 0; q < photo->p; ++q)
                if ((set >> q & 1U) && 1.0 - D[q] > gain) {
                    gain = 1.0 - D[q];
                    at = q;
                }
            value += gain;
            if (at < photo->p) {
                twice |= used & 1U << at;
                used |= 1U << at;
            }
        }
        for (int64_t q = 0; q < photo->p; ++q)
            value -= set >> q & 1U;
        if (value > *best) {
            *best = value;
            shared = twice != 0;
        }
    }
    return shared;
}

static void no_set_of_names_is_better(void **state)
{
    (void)state;
    enum { N = 6, P = 11, LEAST = 100 };
    double D[N * (P + 1)], best;
    int32_t caption[P], z[N];
    const ak_photo photo = {N, P, P + 1, D, P, caption};
    ak_rng rng = ak_rng_new(15, AK_STREAM_SYNTH);
    int checked = 0;
    for (int32_t q = 0; q < P; ++q)
        caption[q] = q;
    for (int t = 0; t < 200; ++t) {
        for (int64_t k = 0; k < N * (P + 1); ++k)
            D[k] = k % (P + 1) == P ? 1.0 : -3.0 * ak_rng_unit(&rng);
        if (!best_shared(&photo, &best))
            continue;
        ++checked;
        assert_true(fabs(ak_infeasible_max(&photo, z, wrong_room) - best) <
                    1e-9);
    }
    assert_true(checked >= LEAST);
}

static void long_captions_are_searched_in_time(void **state)
{
    (void)state;
    enum { N = 6, P = 40 };
    double D[N * (P + 1)];
    int32_t caption[P], z[N];
    const ak_photo photo = {N, P, P + 1, D, P, caption};
    ak_rng rng = ak_rng_new(14, AK_STREAM_SYNTH);
    for (int64_t k = 0; k < N * (P + 1); ++k)
        D[k] = 0.5 + 0.1 * ak_rng_unit(&rng);
    for (int32_t q = 0; q < P; ++q)
        caption[q] = q;
    for (int64_t f = 0; f < N; ++f)
        D[f * (P + 1) + 7 * (f / 2)] = -2.0;
    const double value = ak_infeasible_max(&photo, z, wrong_room);
    assert_true(fabs(value - 15.0) < 1e-12);
    for (int64_t f = 0; f < N; ++f)
        assert_int_equal(z[f], 7 * (f / 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ROOM_CASE(assignments_are_the_first_of_the_best),
        ROOM_CASE(ties_are_found_over_names_given_up),
        ROOM_CASE(gains_are_those_of_one_name_more),
        ROOM_CASE(margins_are_what_any_other_label_loses),
        ROOM_CASE(margins_of_many_faces_match_assignments),
        ROOM_CASE(wrong_labellings_are_the_best_of_all),
        ROOM_CASE(no_set_of_names_is_better),
        ROOM_CASE(long_captions_are_searched_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
