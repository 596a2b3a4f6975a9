/* Rank 0 leads: all ranks do its orders, and end with its status. */
#include "base/crew.h"
#include "ranks.h"
#include "support.h"

/* A thing of several fields, some of them not there. */
typedef struct thing {
    int64_t n;
    double *numbers;  // n
    char *text;
} thing;

static akin_status pass_thing(ak_parcel *p, thing *x)
{
    AK_CHECK(AK_PARCEL_FIELD(p, &x->n));
    AK_CHECK(AK_PARCEL_ARRAY(p, &x->numbers, x->n));
    return ak_parcel_text(p, &x->text);
}

static void free_thing(thing *x)
{
    akin_free(x->numbers);
    akin_free(x->text);
    *x = (thing){0};
}

static void parcels_are_unpacked_as_packed(void **state)
{
    double numbers[3] = {1.5, -0.0, 1e300};
    thing in[] = {{3, numbers, "text"}, {0, numbers, ""}, {3, NULL, NULL}};
    (void)state;
    akin_ctx *ctx = NULL;
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    ak_parcel p = {.ctx = ctx};
    for (int i = 0; i < 3; ++i)
        assert_int_equal(pass_thing(&p, &in[i]), AKIN_OK);
    ak_parcel q = {.ctx = ctx, .unpacks = true, .bytes = p.bytes, .n = p.n};
    for (int i = 0; i < 3; ++i) {
        thing out = {0};
        assert_int_equal(pass_thing(&q, &out), AKIN_OK);
        assert_int_equal(out.n, in[i].n);
        assert_int_equal(out.numbers == NULL, in[i].numbers == NULL);
        assert_int_equal(out.text == NULL, in[i].text == NULL);
        if (out.numbers != NULL)
            assert_memory_equal(out.numbers, numbers, 8 * (size_t)out.n);
        if (out.text != NULL)
            assert_string_equal(out.text, in[i].text);
        free_thing(&out);
    }
    /* Nothing is read beyond the end, wherever that is. */
    for (int64_t n = 0; n < p.n; ++n) {
        ak_parcel cut = {.ctx = ctx, .unpacks = true, .bytes = p.bytes, .n = n};
        akin_status st = AKIN_OK;
        for (int i = 0; i < 3 && st == AKIN_OK; ++i) {
            thing out = {0};
            st = pass_thing(&cut, &out);
            free_thing(&out);
        }
        assert_int_equal(st, AKIN_EFORMAT);
    }
    ak_parcel_free(&p);
    akin_ctx_free(ctx);
}

/* ---- a crew that squares numbers ---- */

enum { SQUARE, FAIL, MOST = 50 };

typedef struct squares {
    ak_crew crew;
    akin_ctx *ctx;
    int64_t fails_on;  // a rank, -1: none
    bool ends_badly;
    int64_t got[MOST];  // on rank 0
    int64_t n;
} squares;

static akin_status do_square(void *state, akin_ctx *ctx, ak_parcel *order)
{
    squares *s = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t n, own[MOST], k = 0;
    unsigned char *all;
    const size_t *offsets;
    akin_status st = AKIN_OK;
    AK_TRY(AK_PARCEL_FIELD(order, &n));
    const ak_rank_range range = ak_comm_own(ctx, n, 1);
    for (int64_t i = range.begin; i < range.end; ++i)
        own[k++] = i * i;
    AK_TRY(ak_comm_deliver(ctx, own, (size_t)k * sizeof *own, &all, &offsets));
    assert_int_equal(all != NULL, akin_ctx_rank(ctx) == 0);
    if (all != NULL)
        memcpy(s->got, all, (size_t)n * sizeof *s->got);
    s->n = n;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status do_fail(void *state, akin_ctx *ctx, ak_parcel *order)
{
    const squares *s = state;
    (void)order;
    return akin_ctx_rank(ctx) == s->fails_on
               ? ak_fail(ctx, AKIN_ENUMERIC, "it failed")
               : AKIN_OK;
}

static const ak_duty duties[] = {do_square, do_fail};

static akin_status lead(void *arg)
{
    squares *s = arg;
    if (akin_ctx_ranks(s->ctx) != 1)
        return AKIN_EFORMAT;
    for (int64_t n = 0; n < MOST; ++n) {
        ak_parcel order = {.ctx = s->ctx};
        AK_CHECK(AK_PARCEL_FIELD(&order, &n));
        AK_CHECK(ak_crew_ask(&s->crew, s->ctx, SQUARE, &order));
        ak_parcel_free(&order);
        for (int64_t i = 0; i < n; ++i)
            if (s->got[i] != i * i)
                return AKIN_EFORMAT;
        /* A duty that fails on one rank is no end: rank 0 decides. */
        const akin_status st = ak_crew_ask(&s->crew, s->ctx, FAIL, NULL);
        if (st != (s->fails_on < 0 ? AKIN_OK : AKIN_ENUMERIC))
            return AKIN_EFORMAT;
        char why[32] = "it failed";
        if (s->fails_on > 0)
            snprintf(why, sizeof why, "rank %d: it failed", (int)s->fails_on);
        if (st != AKIN_OK && strcmp(akin_ctx_message(s->ctx), why) != 0)
            return AKIN_EFORMAT;
    }
    return s->ends_badly ? AKIN_EIO : AKIN_OK;
}

static akin_status work(akin_ctx *ctx, void *arg)
{
    squares *s = arg;
    const int64_t ranks = akin_ctx_ranks(ctx);
    s->ctx = ctx;
    s->crew = (ak_crew){.duties = duties, .state = s};
    const akin_status st = ak_crew_run(&s->crew, ctx, lead, s);
    return akin_ctx_ranks(ctx) == ranks ? st : AKIN_EFORMAT;
}

static void all_ranks_follow_rank_0(void **state)
{
    (void)state;
    for (int64_t ranks = 1; ranks <= RANKS_MOST; ++ranks)
        for (int64_t fails_on = -1; fails_on < ranks; ++fails_on) {
            squares all[RANKS_MOST];
            void *args[RANKS_MOST];
            const bool ends_badly = (ranks + fails_on) % 2;
            int64_t bytes;
            for (int64_t r = 0; r < ranks; ++r) {
                all[r] =
                    (squares){.fails_on = fails_on, .ends_badly = ends_badly};
                args[r] = &all[r];
            }
            assert_int_equal(ranks_run(ranks, work, args, NULL, &bytes),
                             ends_badly ? AKIN_EIO : AKIN_OK);
            for (int64_t r = 0; r < ranks; ++r)
                assert_int_equal(all[r].n, MOST - 1);
            assert_int_equal(bytes > 0, ranks > 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parcels_are_unpacked_as_packed),
        cmocka_unit_test(all_ranks_follow_rank_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
