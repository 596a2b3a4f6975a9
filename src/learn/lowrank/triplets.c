#include "learn/lowrank/triplets.h"

#include <math.h>
#include <string.h>

#include "learn/difference.h"
#include "learn/merge.h"

akin_status ak_triplet_head_begin(ak_triplet_head *h, akin_ctx *ctx,
                                  const ak_triplet_rule *rule,
                                  const char *units, const ak_tensors *resume)
{
    *h = (ak_triplet_head){
        .rule = rule, .step_scale = 1.0, .margin = 1.0, .step = 1.0};
    h->relative = resume ? ak_tensors_get_note(resume, "margins") != NULL
                         : strcmp(units, "relative") == 0;
    if (resume == NULL || !h->relative)
        return AKIN_OK;
    AK_CHECK(ak_tensors_need_f64(resume, ctx, "margins", &h->margins));
    AK_CHECK(ak_tensors_need_f64(resume, ctx, "products", &h->products));
    return ak_state_count(resume, ctx, "triplets", &h->seen);
}

akin_status ak_triplet_head_save(const ak_triplet_head *h, akin_ctx *ctx,
                                 ak_tensors *t)
{
    if (!h->relative)
        return AKIN_OK;
    AK_CHECK(ak_tensors_note_f64(t, ctx, "margins", h->margins));
    AK_CHECK(ak_tensors_note_f64(t, ctx, "products", h->products));
    return ak_tensors_note_i64(t, ctx, "triplets", h->seen);
}

double ak_triplet_step(const ak_triplet_head *h, double length)
{
    return length * h->step_scale * h->step;
}

/* (5) and (6). */
static void set_units(ak_triplet_head *h)
{
    h->margin = h->margins / (double)h->seen;
    h->step = h->products > 0.0 ? h->margins / h->products : 0.0;
}

/* Count a triplet into them. */
static void measure(ak_triplet_head *h, const ak_example *e)
{
    ++h->seen;
    h->margins += fabs(ak_spvec_dot(e->x, e->D));
    h->products += e->x2 * e->D2;
    set_units(h);
}

void ak_triplet_head_divide(ak_triplet_head *h)
{
    h->before[0] = h->margins;
    h->before[1] = h->products;
    h->before[2] = (double)h->seen;
}

akin_status ak_triplet_head_merge(ak_triplet_head *h, akin_ctx *ctx)
{
    double x[] = {h->margins, h->products, (double)h->seen};
    if (!h->relative)
        return AKIN_OK;
    AK_CHECK(ak_merge_sums(ctx, 3, h->before, x));
    h->margins = x[0];
    h->products = x[1];
    h->seen = (int64_t)x[2];
    if (h->seen > 0)
        set_units(h);
    ak_triplet_head_divide(h);
    return AKIN_OK;
}

void ak_triplet_head_end(ak_triplet_head *h)
{
    ak_spvec_buffer_free(&h->example.x_memory);
    ak_spvec_buffer_free(&h->example.D_memory);
}

static akin_status set_example(ak_example *e, akin_ctx *ctx,
                               const akin_rows *rows, const int64_t *t)
{
    ak_spvec_buffer *b = &e->D_memory;
    AK_CHECK(ak_spvec_take_row(&e->x, ctx, &e->x_memory, rows, t[0]));
    AK_CHECK(ak_spvec_reserve(b, ctx, ak_difference_room(rows, t[1], t[2])));
    e->D = (ak_spvec){ak_difference(rows, t[1], t[2], b->cols, b->vals),
                      b->cols, b->vals};  // (2)
    e->x2 = ak_spvec_norm2(e->x);
    e->D2 = ak_spvec_norm2(e->D);
    return AKIN_OK;
}

akin_status ak_triplet_observe(void *state, akin_ctx *ctx,
                               const akin_rows *rows, const int64_t *triplets,
                               int64_t count, akin_learn_info *info)
{
    ak_triplet_head *head = state;
    const ak_triplet_rule *rule = head->rule;
    ak_example *e = &head->example;
    const ak_mark mark = ak_scratch_begin(ctx);
    char *held = NULL;  // keeps the scratch of the steps allocated
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 1, &held));
    for (int64_t i = 0; i < count; ++i) {
        AK_TRY(ak_ctx_poll(ctx));
        if (rule->fetch && i + 1 < count)
            rule->fetch(state, rows, triplets + 3 * (i + 1));
        AK_TRY(set_example(e, ctx, rows, triplets + 3 * i));
        if (head->relative)
            measure(head, e);
        const double margin = rule->margin(state, e);
        if (!isfinite(margin))
            AK_TRY(AKIN_ENUMERIC);
        e->loss = fmax(0.0, head->margin - margin);  // (3)
        if (e->loss > 0.0)
            AK_TRY(rule->step(state, ctx, e));
        ak_learn_count(info, e->loss > 0.0 ? e->loss / head->margin : 0.0,
                       e->loss > 0.0);
        if (rule->after != NULL)
            AK_TRY(rule->after(state, ctx));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_triplet_score(void *state, akin_ctx *ctx, const akin_rows *rows,
                             int64_t x, int64_t y, double *score)
{
    ak_triplet_head *h = state;
    ak_example *e = &h->example;
    AK_CHECK(ak_spvec_take_row(&e->x, ctx, &e->x_memory, rows, x));
    AK_CHECK(ak_spvec_take_row(&e->D, ctx, &e->D_memory, rows, y));
    *score = h->rule->margin(state, e);
    return AKIN_OK;
}

void ak_triplet_set_step_scale(void *state, double scale)
{
    ((ak_triplet_head *)state)->step_scale = scale;
}
