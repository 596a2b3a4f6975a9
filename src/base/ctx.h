/* base/ctx.h - a context inside the library: memory, messages, progress.
 *
 * Results come from ak_alloc, temporaries from the scratch stack. Only the
 * thread that owns the context may touch either; workers of ak_parallel_for
 * get their memory beforehand. */
#ifndef AK_BASE_CTX_H
#define AK_BASE_CTX_H

#include <akin/base.h>
#include <inttypes.h>
#include <stdbool.h>

#include "base/size.h"

struct ak_checkpoint;
struct akin_comm;
struct akin_outputs;

/* Jump to `done` with the status of a call that failed. */
#define AK_TRY(call)       \
    do {                   \
        st = (call);       \
        if (st != AKIN_OK) \
            goto done;     \
    } while (0)

/* Return the status of a call that failed; for functions that own nothing. */
#define AK_CHECK(call)                         \
    do {                                       \
        const akin_status ak_status_ = (call); \
        if (ak_status_ != AKIN_OK)             \
            return ak_status_;                 \
    } while (0)

/* Store the message and return `st`: `return ak_fail(ctx, AKIN_ESHAPE, ...)`.
 * The function that finds the problem writes the message; callers pass the
 * status on. */
akin_status ak_fail(akin_ctx *ctx, akin_status st, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
akin_status ak_nomem(akin_ctx *ctx, size_t bytes);

void ak_log(akin_ctx *ctx, akin_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Report progress at most every few milliseconds; ECANCELLED when asked to
 * stop. Cheap enough for every block of work, not for every element. */
akin_status ak_ctx_tick(akin_ctx *ctx, const char *what, int64_t done,
                        int64_t total, double loss);
/* ECANCELLED where akin_ctx_set_cancelled asks for it, whatever a run could
 * keep. For loops that have nothing to report; workers may call it too. */
akin_status ak_ctx_poll(const akin_ctx *ctx);
/* A context of a worker: it is cancelled when that of the caller is. */
void ak_ctx_work_for(akin_ctx *ctx, const akin_ctx *caller);
/* As tick, in the loop of a learner that can return its model so far: iteration
 * `done` of at most `limit` (0: no limit), or part `done` of `total`. Between
 * keep_begin and keep_end a request to stop is not an error: stopped() returns
 * true, the loop ends as at its limit, and the code after it runs completely.
 * keep_end returns whether there was such a request. */
akin_status ak_ctx_step(akin_ctx *ctx, const char *what, int64_t done,
                        int64_t limit, double loss);
akin_status ak_ctx_part(akin_ctx *ctx, const char *what, int64_t done,
                        int64_t total, double loss);
bool ak_ctx_stopped(const akin_ctx *ctx);
void ak_ctx_keep_begin(akin_ctx *ctx);
bool ak_ctx_keep_end(akin_ctx *ctx);
/* Between begin and end no progress is reported, for a call inside a call; it
 * can still be cancelled. */
void ak_ctx_quiet_begin(akin_ctx *ctx);
void ak_ctx_quiet_end(akin_ctx *ctx);
/* Between begin and end nothing is logged, for attempts that the caller did not
 * ask for. */
void ak_ctx_mute_begin(akin_ctx *ctx);
void ak_ctx_mute_end(akin_ctx *ctx);

/* `count` zero-filled elements of `size` bytes. `*out` is NULL on failure and
 * never NULL on success. */
akin_status ak_alloc(akin_ctx *ctx, int64_t count, size_t size, void *out);
/* Resize to `count` elements; old ones are kept, new ones are not zeroed. `out`
 * is the address of the pointer; on failure the old array stays. */
akin_status ak_resize(akin_ctx *ctx, int64_t count, size_t size, void *out);
/* Room for `wanted` elements at least: as resize, but some more are taken in
 * advance. `*room` is how many fit. */
akin_status ak_grow(akin_ctx *ctx, int64_t wanted, int64_t *room, size_t size,
                    void *out);
/* `bytes` zero bytes, or NULL without a message. Free with akin_free. */
void *ak_block_new(akin_ctx *ctx, size_t bytes);
/* A copy of the allocator, for further contexts. */
akin_allocator ak_ctx_allocator(const akin_ctx *ctx);
/* A copy of the string. */
akin_status ak_strdup(akin_ctx *ctx, const char *s, char **out);

#define AK_NEW(ctx, count, out) ak_alloc((ctx), (count), sizeof **(out), (out))

/* The scratch stack. `end` frees everything taken since `begin`. */
typedef struct ak_mark {
    void *chunk;
    size_t used;
} ak_mark;

ak_mark ak_scratch_begin(akin_ctx *ctx);
void ak_scratch_end(akin_ctx *ctx, ak_mark mark);
/* `count` zero-filled elements, aligned to 64 bytes. */
akin_status ak_scratch(akin_ctx *ctx, int64_t count, size_t size, void *out);
#define AK_SCRATCH(ctx, count, out) \
    ak_scratch((ctx), (count), sizeof **(out), (out))
/* The same for several arrays of `count` doubles:
 * AK_SCRATCH_EACH(ctx, d * d, &U, &V). */
akin_status ak_scratch_each(akin_ctx *ctx, int64_t count, double **const *out,
                            size_t n);
#define AK_SCRATCH_EACH(ctx, count, ...)                             \
    ak_scratch_each((ctx), (count), (double **const[]){__VA_ARGS__}, \
                    sizeof((double **const[]){__VA_ARGS__}) /        \
                        sizeof(double **))

/* Scratch memory that stays: memory taken between begin and end leaves the
 * stack and lives until ak_keep_free. Nothing is kept if `begin` fails;
 * ak_scratch_end with the mark discards what was taken. */
akin_status ak_keep_begin(akin_ctx *ctx, ak_mark *mark);
void *ak_keep_end(akin_ctx *ctx, ak_mark mark);
void ak_keep_free(void *kept);

/* Memory that a context caches between calls, for short calls that need a lot
 * of it. AK_KEPT_ZEROS is zero when taken and must be zero when given back;
 * AK_KEPT_ROUGH has any contents. A caller that cannot give it back frees
 * it. */
typedef enum { AK_KEPT_ZEROS, AK_KEPT_ROUGH, AK_KEPT_KINDS } ak_kept;
akin_status ak_kept_take(akin_ctx *ctx, ak_kept kind, int64_t bytes, void *out);
void ak_kept_give(akin_ctx *ctx, ak_kept kind, int64_t bytes, void *p);

void *ak_ctx_pool(akin_ctx *ctx);
void ak_ctx_set_pool(akin_ctx *ctx, void *pool);
/* Of base/file.h: where commits wait, NULL when they do not. */
struct akin_outputs *ak_ctx_files(const akin_ctx *ctx);
void ak_ctx_set_files(akin_ctx *ctx, struct akin_outputs *files);
/* Of base/comm.h: NULL where the context has one rank. */
const struct akin_comm *ak_ctx_comm(const akin_ctx *ctx);
/* A context that works for another in the same thread, as all ranks have one,
 * shares work as that one does. */
void ak_ctx_join_ranks(akin_ctx *ctx, akin_ctx *caller);
/* Of base/checkpoint.h: NULL where there is none. */
struct ak_checkpoint *ak_ctx_checkpoint(const akin_ctx *ctx);
void ak_ctx_set_checkpoint(akin_ctx *ctx, struct ak_checkpoint *c);
void ak_ctx_count_communicated(akin_ctx *ctx, int64_t bytes);

#endif
