#include "base/checkpoint.h"

akin_status ak_section_enter(akin_ctx *ctx, ak_section *s, bool *continued)
{
    ak_checkpoint *c = ak_ctx_checkpoint(ctx);
    *continued = false;
    if (c == NULL)
        return AKIN_OK;
    s->outer = c->inner;
    c->inner = s;
    return c->restore(c, ctx, s, continued);
}

akin_status ak_section_step(akin_ctx *ctx)
{
    ak_checkpoint *c = ak_ctx_checkpoint(ctx);
    return c != NULL && !ak_ctx_stopped(ctx) ? c->step(c, ctx) : AKIN_OK;
}

void ak_section_leave(akin_ctx *ctx, const ak_section *s)
{
    ak_checkpoint *c = ak_ctx_checkpoint(ctx);
    if (c != NULL && c->inner == s)
        c->inner = s->outer;
}
