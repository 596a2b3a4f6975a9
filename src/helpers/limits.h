/* helpers/limits.h - what a helper may use, so that a file costs no more. */
#ifndef AK_HELPERS_LIMITS_H
#define AK_HELPERS_LIMITS_H

#include <sys/resource.h>

/* The type of RLIMIT_* is an enumeration here and an int elsewhere, hence a
 * macro around the part that does not need it. */
static inline struct rlimit ak_lower(struct rlimit now, rlim_t most)
{
    if (now.rlim_max == RLIM_INFINITY || now.rlim_max > most)
        now.rlim_max = most;
    now.rlim_cur = now.rlim_max;
    return now;
}

#define AK_LIMIT(what, most)                \
    do {                                    \
        struct rlimit now;                  \
        if (getrlimit((what), &now) == 0) { \
            now = ak_lower(now, (most));    \
            setrlimit((what), &now);        \
        }                                   \
    } while (0)

/* Bytes of memory, seconds of work, bytes of a file; no core is left. */
static inline void ak_set_limits(rlim_t memory, rlim_t seconds, rlim_t file)
{
#ifdef AK_HELPER_SANITIZED
    (void)memory;  // shadow memory is far beyond any limit
#else
    AK_LIMIT(RLIMIT_AS, memory);
#endif
    AK_LIMIT(RLIMIT_CPU, seconds);
    AK_LIMIT(RLIMIT_CORE, 0);
    AK_LIMIT(RLIMIT_FSIZE, file);
}

#endif
