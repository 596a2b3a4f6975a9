/* base/checkpoint.h - the state of a run, so that it can be continued.
 *
 * A loop has a function that names every number of its state; this function
 * writes the state and also restores it. A loop inside of a loop has its own
 * section. Without a checkpoint these calls do nothing. All ranks must make
 * them alike. */
#ifndef AK_BASE_CHECKPOINT_H
#define AK_BASE_CHECKPOINT_H

#include "base/ctx.h"

/* Where numbers go to or come from. */
typedef struct ak_state {
    akin_status (*f64)(struct ak_state *s, akin_ctx *ctx, const char *name,
                       int64_t n, double *x);
    akin_status (*i64)(struct ak_state *s, akin_ctx *ctx, const char *name,
                       int64_t *x, int64_t least, int64_t most);
} ak_state;

/* n numbers, none of them NAN, which stay where they are until the state is
 * written. */
static inline akin_status ak_state_f64(ak_state *s, akin_ctx *ctx,
                                       const char *name, int64_t n, double *x)
{
    return s->f64(s, ctx, name, n, x);
}

/* A whole number in a range. EFORMAT: one that is restored is not. */
static inline akin_status ak_state_i64(ak_state *s, akin_ctx *ctx,
                                       const char *name, int64_t *x,
                                       int64_t least, int64_t most)
{
    return s->i64(s, ctx, name, x, least, most);
}

/* The state of one loop. */
typedef struct ak_section {
    const char *name;
    akin_status (*visit)(void *self, akin_ctx *ctx, ak_state *s);
    void *self;
    struct ak_section *outer;  // the loop that this one is in, or NULL
} ak_section;

/* A checkpoint of some kind; learn/checkpoint.c has the one in a file. */
typedef struct ak_checkpoint {
    ak_section *inner;
    akin_status (*restore)(struct ak_checkpoint *c, akin_ctx *ctx,
                           const ak_section *s, bool *continued);
    akin_status (*step)(struct ak_checkpoint *c, akin_ctx *ctx);
} ak_checkpoint;

/* Before the loop, with its state as it begins. *continued: it was restored. */
akin_status ak_section_enter(akin_ctx *ctx, ak_section *s, bool *continued);
/* After each iteration of the innermost loop, unless it is the last. A run that
 * was asked to stop, and may have ended otherwise than it would, is not
 * written. */
akin_status ak_section_step(akin_ctx *ctx);
/* After the loop, also after a failed `enter`. */
void ak_section_leave(akin_ctx *ctx, const ak_section *s);

#endif
