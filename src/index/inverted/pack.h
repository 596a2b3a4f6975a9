/* index/inverted/pack.h - whole numbers in as few bits as the largest of them
 * needs.
 *
 * A full block has 128 numbers in 8 lanes of 16: number i is the (i % 16)-th of
 * lane i / 16, and a vector holds one word of each lane. What comes out stands
 * in the order of the vectors: number i at AK_PACK_PLACE(i). Blocks with fewer
 * numbers are one stream of bits, in order. Both are whole 32-bit words; the
 * vectors are read one beyond the end, AK_PACK_SLACK words. */
#ifndef AK_INDEX_INVERTED_PACK_H
#define AK_INDEX_INVERTED_PACK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    AK_PACK_BLOCK = 128,
    AK_PACK_MOST = 24,   // bits, but for words as they are:
    AK_PACK_WORDS = 32,  // bits
    AK_PACK_SLACK = 8,
};

#define AK_PACK_PLACE(i) ((i) % 16 * 8 + (i) / 16)

/* Bits for numbers up to `most`: 0 to 24, or 32. */
unsigned ak_pack_bits(uint32_t most);
/* Words that n <= 128 numbers take. */
int64_t ak_pack_size(int64_t n, unsigned bits);

void ak_pack(int64_t n, const uint32_t *v, unsigned bits, uint32_t *out);
void ak_unpack(int64_t n, const uint32_t *in, unsigned bits, uint32_t *v);
/* The number that `ak_unpack` writes to v[place]. */
uint32_t ak_unpack_one(int64_t n, const uint32_t *in, unsigned bits,
                       int64_t place);
/* The same of numbers that rise: packed are the gaps less one, where that of
 * the first is 0, and the first, below 2^31, is known. Returns the last one,
 * UINT32_MAX when it is too large; whatever the bits, none is larger. */
uint32_t ak_unpack_rising(int64_t n, const uint32_t *in, unsigned bits,
                          uint32_t first, uint32_t *v);

#endif
