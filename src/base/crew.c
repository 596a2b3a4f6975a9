#include "base/crew.h"

#include <string.h>

/* Before an order, its length; or the end, with the status of rank 0. */
typedef struct order_head {
    int64_t duty;  // -1: the end
    int64_t n;
    int64_t status;
} order_head;

/* Rank 0 says why another rank failed where it did not. */
static akin_status tell_why(akin_ctx *ctx, akin_status own, akin_status st)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const char *why = own != AKIN_OK ? akin_ctx_message(ctx) : "";
    unsigned char *all = NULL;
    const size_t *offsets;
    const akin_status sent =
        ak_comm_deliver(ctx, why, strlen(why) + 1, &all, &offsets);
    for (int64_t r = 1; sent == AKIN_OK && all && r < akin_ctx_ranks(ctx); ++r)
        if (own == AKIN_OK && all[offsets[r]] != '\0') {
            ak_fail(ctx, st, "rank %" PRId64 ": %s", r, all + offsets[r]);
            break;
        }
    ak_scratch_end(ctx, mark);
    return st;
}

/* All ranks do it, and learn whether all have done it. */
static akin_status do_duty(const ak_crew *c, akin_ctx *ctx, int64_t duty,
                           const ak_parcel *order)
{
    ak_parcel p = {.ctx = ctx, .unpacks = true};
    if (order != NULL) {
        p.bytes = order->bytes;
        p.n = order->n;
    }
    const akin_status own = c->duties[duty](c->state, ctx, &p);
    const akin_status st = ak_comm_agree(ctx, own);
    return st == AKIN_OK || akin_ctx_ranks(ctx) == 1 ? st
                                                     : tell_why(ctx, own, st);
}

int64_t ak_crew_size(const ak_crew *c)
{
    return c->comm ? c->comm->size : 1;
}

static akin_status send_order(akin_ctx *ctx, order_head head,
                              const ak_parcel *order)
{
    AK_CHECK(ak_comm_broadcast(ctx, &head, sizeof head, 0));
    return ak_comm_broadcast(ctx, order ? order->bytes : NULL, (size_t)head.n,
                             0);
}

akin_status ak_crew_ask(ak_crew *c, akin_ctx *ctx, int64_t duty,
                        const ak_parcel *order)
{
    const order_head head = {duty, order ? order->n : 0, AKIN_OK};
    akin_ctx_set_comm(ctx, c->comm);
    akin_status st = send_order(ctx, head, order);
    if (st == AKIN_OK)
        st = do_duty(c, ctx, duty, order);
    akin_ctx_set_comm(ctx, NULL);
    return st;
}

/* Orders until the last. One that failed has failed on all ranks, and rank 0
 * knows what follows from that. */
static akin_status follow(const ak_crew *c, akin_ctx *ctx)
{
    order_head head;
    for (;;) {
        const ak_mark mark = ak_scratch_begin(ctx);
        ak_parcel order = {.ctx = ctx};
        akin_status st = AKIN_OK;
        AK_CHECK(ak_comm_broadcast(ctx, &head, sizeof head, 0));
        if (head.duty < 0)
            break;
        order.n = head.n;
        AK_TRY(AK_SCRATCH(ctx, head.n, &order.bytes));
        AK_TRY(ak_comm_broadcast(ctx, order.bytes, (size_t)head.n, 0));
        (void)do_duty(c, ctx, head.duty, &order);
    done:
        ak_scratch_end(ctx, mark);
        if (st != AKIN_OK)
            return st;
    }
    return head.status == AKIN_OK
               ? AKIN_OK
               : ak_fail(ctx, (akin_status)head.status, "rank 0 failed: %s",
                         akin_status_meaning((akin_status)head.status));
}

akin_status ak_crew_run(ak_crew *c, akin_ctx *ctx,
                        akin_status (*lead)(void *arg), void *arg)
{
    c->comm = ak_ctx_comm(ctx);
    if (c->comm != NULL && c->comm->rank > 0)
        return follow(c, ctx);
    akin_ctx_set_comm(ctx, NULL);
    const akin_status st = lead(arg);
    akin_ctx_set_comm(ctx, c->comm);
    if (c->comm == NULL)
        return st;
    const akin_status sent =
        ak_comm_broadcast(ctx, &(order_head){-1, 0, st}, sizeof(order_head), 0);
    return st == AKIN_OK ? sent : st;
}

akin_status ak_crew_deliver(akin_ctx *ctx, int64_t n,
                            akin_status (*pass)(void *arg, ak_parcel *p,
                                                int64_t i),
                            void *arg)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_rank_range own = ak_comm_own(ctx, n, 1);
    const bool leads = akin_ctx_rank(ctx) == 0;
    ak_parcel mine = {.ctx = ctx};
    ak_parcel theirs = {.ctx = ctx, .unpacks = true};
    const size_t *offsets;
    akin_status st = AKIN_OK;
    for (int64_t i = own.begin; !leads && i < own.end && st == AKIN_OK; ++i)
        st = pass(arg, &mine, i);
    AK_TRY(ak_comm_agree(ctx, st));
    AK_TRY(ak_comm_deliver(ctx, mine.bytes, (size_t)mine.n, &theirs.bytes,
                           &offsets));
    theirs.n = (int64_t)offsets[akin_ctx_ranks(ctx)];
    for (int64_t i = own.end; leads && i < n; ++i)
        AK_TRY(pass(arg, &theirs, i));
done:
    ak_parcel_free(&mine);
    ak_scratch_end(ctx, mark);
    return st;
}
