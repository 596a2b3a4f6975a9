/* akin/base.h - status codes and the context every call takes. */
#ifndef AKIN_BASE_H
#define AKIN_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define AKIN_API __attribute__((visibility("default")))
#else
#define AKIN_API
#endif

/* The version of these headers; 1000 * 1000 * MAJOR + 1000 * MINOR + PATCH. */
#define AKIN_VERSION_MAJOR 0
#define AKIN_VERSION_MINOR 1
#define AKIN_VERSION_PATCH 0
#define AKIN_VERSION_NUMBER                                    \
    (1000 * (1000 * AKIN_VERSION_MAJOR + AKIN_VERSION_MINOR) + \
     AKIN_VERSION_PATCH)
#define AKIN_VERSION "0.1.0"

typedef enum akin_status {
#define AKIN_STATUS(name, exit_code, meaning) AKIN_##name,
#include <akin/status.def>
#undef AKIN_STATUS
    AKIN_STATUS_COUNT
} akin_status;

/* "ESHAPE", and "sizes do not fit each other". */
AKIN_API const char *akin_status_name(akin_status st);
AKIN_API const char *akin_status_meaning(akin_status st);
/* What a program should exit with: 0, 1, 2 or 130. */
AKIN_API int akin_status_exit(akin_status st);

/* The version of the library that runs, which may be newer than AKIN_VERSION
 * and AKIN_VERSION_NUMBER. */
AKIN_API const char *akin_version(void);
AKIN_API int64_t akin_version_number(void);

/* Where memory comes from. `alloc` gives zero-filled memory, or NULL; `resize`
 * behaves as realloc, `release` as free. */
typedef struct akin_allocator {
    void *(*alloc)(void *user, size_t size);
    void *(*resize)(void *user, void *p, size_t size);
    void (*release)(void *user, void *p);
    void *user;
} akin_allocator;

/* Allocator, threads, seed, callbacks and the last message. One per thread of
 * the caller; models and rows made with it may be shared once finished. Only
 * akin_ctx_set_progress and akin_ctx_set_cancelled may be called from other
 * threads. */
typedef struct akin_ctx akin_ctx;

/* `allocator` NULL: the C library's. */
AKIN_API akin_status akin_ctx_new(akin_ctx **out,
                                  const akin_allocator *allocator);
AKIN_API void akin_ctx_free(akin_ctx *ctx);

/* Free an array or text that the library returned; NULL is allowed. */
AKIN_API void akin_free(void *p);

/* One line on what went wrong last, "" if nothing has. Borrowed. */
AKIN_API const char *akin_ctx_message(const akin_ctx *ctx);

/* 0 (the default): as many as there are cores. Results do not depend on it. */
AKIN_API void akin_ctx_set_threads(akin_ctx *ctx, int64_t threads);
AKIN_API int64_t akin_ctx_threads(const akin_ctx *ctx);

/* Default 1. Same input, seed and version give the same bytes. */
AKIN_API void akin_ctx_set_seed(akin_ctx *ctx, uint64_t seed);
AKIN_API uint64_t akin_ctx_seed(const akin_ctx *ctx);

/* The progress of a long call. */
typedef struct akin_progress {
    const char *what; /* "triplets", "queries", "trials" */
    int64_t done;
    int64_t total; /* 0: not known */
    double loss;   /* running mean, NAN where there is none */
    int64_t limit; /* most iterations; 0: no limit, or not known */
} akin_progress;

/* Called regularly from the calling thread; non-zero cancels the run, which
 * then returns AKIN_ECANCELLED. May be set from any thread, also during a call:
 * when akin_ctx_set_progress returns, the function before it is not running and
 * is not called again, except where it is that function itself that sets
 * another. */
typedef int (*akin_progress_fn)(void *user, const akin_progress *p);
AKIN_API void akin_ctx_set_progress(akin_ctx *ctx, akin_progress_fn fn,
                                    void *user);

/* 1: long calls with this context return AKIN_ECANCELLED soon and without a
 * result, those that run and those that begin later, until it is 0 again. (A
 * progress function that returns non-zero asks for less: akin_learn then
 * completes the model it has.) From any thread, and from a signal handler. */
AKIN_API void akin_ctx_set_cancelled(akin_ctx *ctx, int cancelled);
AKIN_API int akin_ctx_cancelled(const akin_ctx *ctx);

typedef enum { AKIN_LOG_INFO, AKIN_LOG_WARNING } akin_log_level;

/* One line of text without a newline. The library prints nothing itself. */
typedef void (*akin_log_fn)(void *user, akin_log_level level, const char *line);
AKIN_API void akin_ctx_set_log(akin_ctx *ctx, akin_log_fn fn, void *user);

/* How near a candidate is to a word that nobody knows: letters to insert, drop,
 * change or swap, whatever their case; 1 if the word begins it. 0: it is the
 * word itself, or not near. */
AKIN_API int64_t akin_word_near(const char *word, const char *candidate);

/* Check that a file can be written here, without changing anything. AKIN_EIO:
 * the message has the reason. "-" is standard output. */
AKIN_API akin_status akin_output_check(akin_ctx *ctx, const char *path);
/* 1 if writing the second would overwrite the first; 0 for devices, pipes. */
AKIN_API int akin_output_same(const char *a, const char *b);

/* Write a text to a file atomically, or to standard output for "-". */
AKIN_API akin_status akin_output_write(akin_ctx *ctx, const char *path,
                                       const char *text);

/* Write several files together: those written between `begin` and `end` get
 * their names at the end, or none of them when `st` is not AKIN_OK. Devices and
 * pipes are written at once. AKIN_EINVAL: two outputs are the same file. `end`
 * returns `st` or its own error. */
typedef struct akin_outputs {
    struct ak_writer *first; /* the first pending one; not for callers */
} akin_outputs;
AKIN_API void akin_outputs_begin(akin_ctx *ctx, akin_outputs *outputs);
AKIN_API akin_status akin_outputs_end(akin_ctx *ctx, akin_outputs *outputs,
                                      akin_status st);

#ifdef __cplusplus
}
#endif
#endif
