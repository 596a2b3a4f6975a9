/* One source, compiled for each width of the processor's vectors: whole numbers
 * come out the same from all. */
#include "index/inverted/pack.h"

#include <string.h>

#include "la/sparse.h"

enum { LANES = 8, RUN = AK_PACK_BLOCK / LANES };

typedef uint32_t lanes __attribute__((vector_size(32), aligned(4)));

/* The k-th vector of numbers; shifted in two steps, as 32 is none. */
#define VECTOR(in, bits, k)                                 \
    ((VECTOR_AT(in, (k) * (bits) / 32) >> SHIFT(bits, k)) | \
     (VECTOR_AT(in, (k) * (bits) / 32 + 1) << 1 << (31 - SHIFT(bits, k))))
#define VECTOR_AT(in, w) (*(const lanes *)((in) + (w)*LANES))
#define SHIFT(bits, k) ((k) * (bits) % 32)

#define DEFINE_UNPACK(name, attribute)                                         \
    attribute static void name(const uint32_t *in, unsigned bits,              \
                               uint32_t *out)                                  \
    {                                                                          \
        const uint32_t mask = (UINT32_C(1) << bits) - 1;                       \
        for (unsigned k = 0; k < RUN; ++k)                                     \
            *(lanes *)(out + k * LANES) = VECTOR(in, bits, k) & mask;          \
    }                                                                          \
    attribute static uint32_t name##_rising(const uint32_t *in, unsigned bits, \
                                            uint32_t first, uint32_t *out)     \
    {                                                                          \
        const uint32_t mask = (UINT32_C(1) << bits) - 1;                       \
        lanes run = {0}, base = {0};                                           \
        for (unsigned k = 0; k < RUN; ++k) {                                   \
            run += (VECTOR(in, bits, k) & mask) + 1;                           \
            *(lanes *)(out + k * LANES) = run;                                 \
        }                                                                      \
        uint32_t at = first - 1;                                               \
        for (int l = 0; l < LANES; ++l) {                                      \
            base[l] = at;                                                      \
            at += run[l];                                                      \
        }                                                                      \
        for (unsigned k = 0; k < RUN; ++k)                                     \
            *(lanes *)(out + k * LANES) += base;                               \
        return at;                                                             \
    }

DEFINE_UNPACK(portable, )
#if defined(__x86_64__)
DEFINE_UNPACK(avx2, __attribute__((target("avx2"))))
#else
#define avx2 portable
#define avx2_rising portable_rising
#endif

unsigned ak_pack_bits(uint32_t most)
{
    unsigned bits = 0;
    while (most >> bits != 0 && bits <= AK_PACK_MOST)
        ++bits;
    return bits <= AK_PACK_MOST ? bits : AK_PACK_WORDS;
}

int64_t ak_pack_size(int64_t n, unsigned bits)
{
    if (n == AK_PACK_BLOCK)
        return (RUN * (int64_t)bits + 31) / 32 * LANES;
    return (n * (int64_t)bits + 31) / 32;
}

/* Put a number at a bit of every `stride`-th word. */
static void put(uint32_t *out, int64_t stride, int64_t bit, uint32_t v,
                unsigned bits)
{
    uint32_t *word = out + bit / 32 * stride;
    const unsigned shift = (unsigned)(bit % 32);
    word[0] |= v << shift;
    if (shift + bits > 32)
        word[stride] |= v >> (32 - shift);
}

void ak_pack(int64_t n, const uint32_t *v, unsigned bits, uint32_t *out)
{
    memset(out, 0, (size_t)ak_pack_size(n, bits) * sizeof *out);
    for (int64_t i = 0; i < n && bits > 0; ++i)
        if (n == AK_PACK_BLOCK)
            put(out + i / RUN, LANES, i % RUN * bits, v[i], bits);
        else
            put(out, 1, i * bits, v[i], bits);
}

/* Eight bytes hold any number; there is slack behind the last one. */
static inline uint32_t get(const uint32_t *in, int64_t bit, unsigned bits)
{
    uint64_t word;
    memcpy(&word, (const char *)in + bit / 8, sizeof word);
    return (uint32_t)(word >> bit % 8 & ((UINT64_C(1) << bits) - 1));
}

/* Read by vectors? Not what is short, nor words as they are. */
static bool is_vectors(int64_t n, unsigned bits)
{
    return n == AK_PACK_BLOCK && bits <= AK_PACK_MOST;
}

void ak_unpack(int64_t n, const uint32_t *in, unsigned bits, uint32_t *v)
{
    if (bits == 0)
        memset(v, 0, (size_t)n * sizeof *v);
    else if (bits == AK_PACK_WORDS)
        memcpy(v, in, (size_t)n * sizeof *v);
    else if (!is_vectors(n, bits))
        for (int64_t i = 0; i < n; ++i)
            v[i] = get(in, i * bits, bits);
    else if (ak_la_level_now() == AK_LA_PORTABLE)
        portable(in, bits, v);
    else
        avx2(in, bits, v);
}

uint32_t ak_unpack_one(int64_t n, const uint32_t *in, unsigned bits,
                       int64_t place)
{
    if (bits == 0)
        return 0;
    if (bits == AK_PACK_WORDS)
        return in[place];
    if (!is_vectors(n, bits))
        return get(in, place * bits, bits);
    const unsigned bit = (unsigned)(place / LANES) * bits, shift = bit % 32;
    const uint32_t *word = in + bit / 32 * LANES + place % LANES;
    const uint32_t high = word[LANES] << 1 << (31 - shift);
    return (word[0] >> shift | high) & ((UINT32_C(1) << bits) - 1);
}

/* Gaps of any size, one by one. */
static uint32_t unpack_wide(int64_t n, const uint32_t *in, uint32_t first,
                            uint32_t *v)
{
    uint64_t last = first;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t at = n == AK_PACK_BLOCK ? AK_PACK_PLACE(i) : i;
        last += i > 0 ? (uint64_t)in[at] + 1 : 0;
        if (last >= UINT32_MAX)
            return UINT32_MAX;
        v[at] = (uint32_t)last;
    }
    return (uint32_t)last;
}

/* 127 gaps of 24 bits and the first row stay below 2^32. */
static uint32_t unpack_short(int64_t n, const uint32_t *in, unsigned bits,
                             uint32_t first, uint32_t *v)
{
    uint32_t last = first;
    v[0] = first;
    for (int64_t i = 1; i < n; ++i) {
        last += get(in, i * bits, bits) + 1;
        v[i] = last;
    }
    return last;
}

uint32_t ak_unpack_rising(int64_t n, const uint32_t *in, unsigned bits,
                          uint32_t first, uint32_t *v)
{
    if (bits == AK_PACK_WORDS)
        return unpack_wide(n, in, first, v);
    if (n < AK_PACK_BLOCK)
        return unpack_short(n, in, bits, first, v);
    return ak_la_level_now() == AK_LA_PORTABLE
               ? portable_rising(in, bits, first, v)
               : avx2_rising(in, bits, first, v);
}
