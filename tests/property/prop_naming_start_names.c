/* Names from random affinities and random sayings of a person are those of a
 * plain simulation: sets of names for each face, narrowed before the first
 * round, and every labelling of a photo tried. */
#include "context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "naming/assign.h"
#include "photos.h"

enum { PHOTOS = 7, NAMES = 4, FACES = 3 * PHOTOS, ROUNDS = 5, SEEDS = 200 };

typedef struct scene {
    photos x;
    double A[FACES][FACES];
    bool can[FACES][NAMES];  // by the caption and what was said
    bool in[FACES][NAMES];   // by the caption alone
    int32_t fixed[FACES], refused[2 * FACES * NAMES];
    ak_confirmed said;
    ak_affinity affinity;
    double theta;
} scene;

static bool is_taken(const scene *s, int64_t face, int32_t name)
{
    for (int64_t g = 0; g < s->x.n; ++g)
        if (g != face && s->fixed[g] == name &&
            s->x.peers.photo[g] == s->x.peers.photo[face])
            return true;
    return false;
}

/* A third of the faces is told (to be anyone of all, or nobody), and of the
 * others some are said not to be this or that. */
static void say(scene *s, ak_rng *r)
{
    for (int64_t f = 0; f < s->x.n; ++f)
        s->fixed[f] = AK_UNDECIDED;
    for (int64_t f = 0; f < s->x.n; ++f) {
        const int32_t name = (int32_t)ak_rng_below(r, NAMES + 1);
        if (ak_rng_unit(r) < 0.3 && (name == NAMES || !is_taken(s, f, name)))
            s->fixed[f] = name;
    }
    for (int64_t f = 0; f < s->x.n; ++f)
        for (int32_t q = 0; q < NAMES; ++q)
            if (s->fixed[f] != q && ak_rng_unit(r) < 0.2) {
                s->refused[2 * s->said.n_refused] = (int32_t)f;
                s->refused[2 * s->said.n_refused++ + 1] = q;
            }
    s->said.fixed = s->fixed;
    s->said.refused = s->refused;
}

static bool is_refused(const scene *s, int64_t face, int32_t name)
{
    for (int64_t k = 0; k < s->said.n_refused; ++k)
        if (s->refused[2 * k] == face && s->refused[2 * k + 1] == name)
            return true;
    return false;
}

static void open_sets(scene *s)
{
    const ak_bags *b = &s->x.bags;
    for (int64_t f = 0; f < s->x.n; ++f) {
        const int64_t photo = s->x.peers.photo[f];
        for (int64_t k = b->name_offsets[photo]; k < b->name_offsets[photo + 1];
             ++k)
            s->in[f][b->names[k]] = true;
        for (int32_t q = 0; q < NAMES; ++q)
            s->can[f][q] = s->in[f][q] &&
                           (s->fixed[f] >= 0
                                ? s->fixed[f] == q
                                : !is_taken(s, f, q) && !is_refused(s, f, q));
    }
}

static void open_scene(scene *s, uint64_t seed)
{
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    memset(s, 0, sizeof *s);
    assert_int_equal(photos_make(&s->x, ctx, seed, PHOTOS, NAMES, 4), AKIN_OK);
    say(s, &r);
    open_sets(s);
    for (int64_t f = 0; f < s->x.n; ++f)
        for (int64_t g = 0; g <= f; ++g)
            s->A[f][g] = s->A[g][f] = ak_rng_unit(&r);
    s->theta = 0.6 * ak_rng_unit(&r);
    assert_int_equal(ak_affinity_new(&s->affinity, ctx, &s->x.peers), AKIN_OK);
    for (int64_t f = 0; f < s->x.n; ++f) {
        const int32_t *peers;
        const int64_t n = ak_shared_names_get(&s->x.peers, f, &peers);
        for (int64_t k = 0; k < n; ++k)
            s->affinity.values[s->x.peers.start[f] + k] = s->A[f][peers[k]];
    }
}

/* ---- the simulation ----------------------------------------------------- */

/* Mean affinity of face f to the votes for q. */
static double score(const scene *s, double votes[FACES][NAMES], int64_t f,
                    int32_t q)
{
    double sum = 0.0, size = 0.0;
    for (int64_t g = 0; g < s->x.n; ++g) {
        sum += votes[g][q] * s->A[f][g];
        size += votes[g][q];
    }
    return size > 0.0 ? sum / size : 0.0;
}

/* The best labels of the faces first to end - 1, of a photo; those from f on
 * are yet to be tried, and ties go to what was tried first. */
static void try_labels(const scene *s, double votes[FACES][NAMES],
                       int64_t first, int64_t f, int64_t end, double total,
                       int32_t *labels, double *best, int32_t *found)
{
    if (f == end) {
        if (total > *best + 1e-12) {
            *best = total;
            memcpy(found + first, labels + first,
                   (size_t)(end - first) * sizeof *labels);
        }
        return;
    }
    for (int32_t q = 0; q <= NAMES; ++q) {
        bool may = s->fixed[f] >= 0 ? s->fixed[f] == q
                                    : q == NAMES || s->can[f][q];
        for (int64_t g = first; q < NAMES && g < f; ++g)
            may = may && labels[g] != q;
        labels[f] = q;
        if (may)
            try_labels(s, votes, first, f + 1, end,
                       total + (s->fixed[f] >= 0 ? 0.0
                                : q == NAMES     ? s->theta
                                                 : score(s, votes, f, q)),
                       labels, best, found);
    }
}

static void simulate(const scene *s, bool uniform, int64_t rounds,
                     int32_t *found)
{
    double votes[FACES][NAMES] = {{0.0}};
    int32_t labels[FACES];
    for (int64_t f = 0; f < s->x.n; ++f) {
        int64_t n = 0;
        for (int32_t q = 0; q < NAMES; ++q)
            n += s->can[f][q];
        for (int32_t q = 0; q < NAMES; ++q)
            votes[f][q] = !s->can[f][q] ? 0.0 : uniform ? 1.0 / (double)n : 1.0;
    }
    for (int64_t t = 0; t < rounds; ++t) {
        for (int64_t i = 0; i < PHOTOS; ++i) {
            const int64_t *at = s->x.bags.item_offsets + i;
            double best = -INFINITY;
            try_labels(s, votes, at[0], at[0], at[1], 0.0, labels, &best,
                       found);
        }
        for (int64_t f = 0; f < s->x.n; ++f)
            for (int32_t q = 0; q < NAMES; ++q)
                votes[f][q] = found[f] == q && s->in[f][q];
    }
}

/* ------------------------------------------------------------------------- */

static void check(const scene *s, uint64_t seed, bool uniform, int64_t rounds)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_scorer votes = ak_votes_of(&s->affinity);
    const ak_assign_options o = {.theta = s->theta,
                                 .count = -1,
                                 .rounds = rounds,
                                 .uniform = uniform,
                                 .confirmed = s->said};
    int32_t expected[FACES];
    ak_face_labels labels;
    simulate(s, uniform, rounds, expected);
    assert_int_equal(ak_face_labels_new(&labels, ctx, &s->x.peers), AKIN_OK);
    assert_int_equal(ak_label(&labels, ctx, &votes, &o), AKIN_OK);
    for (int64_t f = 0; f < s->x.n; ++f)
        if (labels.labels[f] != expected[f])
            fail_msg("seed %d, %d rounds%s, face %d: %d, not %d", (int)seed,
                     (int)rounds, uniform ? ", uniform" : "", (int)f,
                     labels.labels[f], expected[f]);
    ak_scratch_end(ctx, mark);
}

static void names_begin_with_what_was_said(void **state)
{
    static scene s;
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        const ak_mark mark = ak_scratch_begin(ctx);
        open_scene(&s, seed);
        for (int64_t rounds = 1; rounds <= ROUNDS; rounds += ROUNDS - 1) {
            check(&s, seed, false, rounds);
            check(&s, seed, true, rounds);
        }
        ak_scratch_end(ctx, mark);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(names_begin_with_what_was_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
