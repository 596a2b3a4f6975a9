/* base/rng.h - random numbers by counter, splittable.
 *
 * Draw number i of stream s under a seed is a function of (seed, s, i) alone,
 * so example t can be drawn by any thread, or again after a resume. The mixer
 * is the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
#ifndef AK_BASE_RNG_H
#define AK_BASE_RNG_H

#include <math.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 ak_u128;

typedef struct ak_rng {
    uint64_t key;
    uint64_t count;
} ak_rng;

/* Streams; one for each use, so that none repeats another's draws. */
enum {
    AK_STREAM_TRIPLETS = 1,
    AK_STREAM_PAIRS,
    AK_STREAM_SPLIT,
    AK_STREAM_SYNTH,
    AK_STREAM_TUNE,
    AK_STREAM_START,
    AK_STREAM_VALIDATE,
    AK_STREAM_SHUFFLE,
    AK_STREAM_ORDER,
    AK_STREAM_LABELS,
    AK_STREAM_PROTOTYPES,
    AK_STREAM_KERNEL,
    AK_STREAM_CLUSTER,
    AK_STREAM_PICTURES,
    AK_STREAM_FOLDS,
};

static inline uint64_t ak_mix64(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The generator number i of a parent; the parent is not advanced. */
static inline ak_rng ak_rng_split(ak_rng parent, uint64_t i)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    return (ak_rng){ak_mix64(parent.key + golden * (2 * i + 1)), 0};
}

static inline ak_rng ak_rng_new(uint64_t seed, uint64_t stream)
{
    const ak_rng root = {ak_mix64(seed + UINT64_C(0x632be59bd9b4e019)), 0};
    return ak_rng_split(root, stream);
}

static inline uint64_t ak_rng_next(ak_rng *r)
{
    return ak_mix64(r->key + UINT64_C(0x9e3779b97f4a7c15) * ++r->count);
}

/* Uniform in [0, n), n > 0; the bias, n / 2^64, is below notice. */
static inline int64_t ak_rng_below(ak_rng *r, int64_t n)
{
    const ak_u128 wide = (ak_u128)ak_rng_next(r) * (uint64_t)n;
    return (int64_t)(wide >> 64);
}

/* Uniform in [0, 1), 53 bits. */
static inline double ak_rng_unit(ak_rng *r)
{
    return (double)(ak_rng_next(r) >> 11) * 0x1p-53;
}

/* Standard normal, Box and Muller; two draws a call. */
static inline double ak_rng_normal(ak_rng *r)
{
    const double u = 1.0 - ak_rng_unit(r);  // in (0, 1]
    const double v = ak_rng_unit(r);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586477 * v);
}

/* Fisher and Yates, in place. */
static inline void ak_rng_shuffle(ak_rng *r, int64_t n, int64_t *a)
{
    for (int64_t i = n - 1; i > 0; --i) {
        const int64_t j = ak_rng_below(r, i + 1);
        const int64_t t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

#endif
