/* la/clones.h - one loop for several processors, the same bits from each. */
#ifndef AK_LA_CLONES_H
#define AK_LA_CLONES_H

/* Before a function: compiled for AVX-512 and AVX2 too, and chosen when the
 * program is loaded. Sums must not be left to the compiler to reorder. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define AK_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define AK_CLONES
#endif

/* Before a loop whose iterations write to distinct places and do not depend on
 * each other. */
#if defined(__clang__)
#define AK_DISTINCT _Pragma("clang loop vectorize(assume_safety)")
#else
#define AK_DISTINCT _Pragma("GCC ivdep")
#endif

#endif
