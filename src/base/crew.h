/* base/crew.h - rank 0 leads, and the other ranks do parts of its work.
 *
 * For calls whose state is there once: a collection is open on rank 0 alone.
 * Rank 0 runs such a call as a single process does. Where it asks for a duty,
 * all ranks do it together, as with base/comm.h. In between the context of rank
 * 0 has one rank, and the others wait. */
#ifndef AK_BASE_CREW_H
#define AK_BASE_CREW_H

#include "base/comm.h"
#include "base/parcel.h"

/* Done by all ranks, each with its own state, for an order of rank 0. */
typedef akin_status (*ak_duty)(void *state, akin_ctx *ctx, ak_parcel *order);

/* Set the first two. */
typedef struct ak_crew {
    const ak_duty *duties;
    void *state;
    const akin_comm *comm;  // while the context has none
} ak_crew;

/* Run `lead` on rank 0, and on the others the duties that it asks for. All
 * return its status. */
akin_status ak_crew_run(ak_crew *c, akin_ctx *ctx,
                        akin_status (*lead)(void *arg), void *arg);
/* In `lead`: duties[duty] with an order that was packed, or NULL. */
akin_status ak_crew_ask(ak_crew *c, akin_ctx *ctx, int64_t duty,
                        const ak_parcel *order);
/* In a duty with n results, of which a rank has those of ak_comm_own(ctx, n,
 * 1): rank 0 gets those of the others. pass(arg, p, i) packs or unpacks one. */
akin_status ak_crew_deliver(akin_ctx *ctx, int64_t n,
                            akin_status (*pass)(void *arg, ak_parcel *p,
                                                int64_t i),
                            void *arg);
int64_t ak_crew_size(const ak_crew *c);

#endif
