/* Ranks: the same bytes for any number of them. */
#include <math.h>
#include <unistd.h>

#include "base/comm.h"
#include "faulty.h"
#include "ranks.h"
#include "support.h"

/* Numbers of any size and sign, so that the order of a sum matters. */
static double number(uint64_t seed, int64_t block, int64_t i)
{
    ak_rng rng = ak_rng_split(ak_rng_new(seed, AK_STREAM_SYNTH),
                              (uint64_t)(block * 100003 + i));
    const double x = ak_rng_unit(&rng) - 0.5;
    return ldexp(x, (int)ak_rng_below(&rng, 60) - 30);
}

typedef struct job {
    uint64_t seed;
    int64_t n, block, size;
    double *sums;      // of each block
    int64_t *squares;  // of each element
    int64_t fails_at;  // an element; -1: none
} job;

static int64_t blocks_of(const job *j)
{
    return (j->n + j->block - 1) / j->block;
}

static akin_status fill(void *arg, int64_t begin, int64_t end, int64_t worker)
{
    const job *j = arg;
    (void)worker;
    for (int64_t i = 0; i < j->size; ++i)
        j->sums[begin / j->block * j->size + i] =
            number(j->seed, begin / j->block, i);
    for (int64_t i = begin; i < end; ++i) {
        j->squares[i] = i * i;
        if (i == j->fails_at)
            return AKIN_ENUMERIC;
    }
    return AKIN_OK;
}

static akin_status work(akin_ctx *ctx, void *arg)
{
    job *j = arg;
    unsigned char *all;
    const size_t *offsets;
    char mine[16];
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    AK_TRY(AK_COMM_MAP(ctx, j->n, j->block, fill, j,
                       {j->squares, sizeof *j->squares}));
    AK_TRY(ak_comm_sum(ctx, j->n, j->block, j->size, j->sums));
    snprintf(mine, sizeof mine, "%" PRId64, akin_ctx_rank(ctx) * 7777);
    AK_TRY(ak_comm_collect(ctx, mine, strlen(mine) + 1, &all, &offsets));
    for (int64_t r = 0; r < akin_ctx_ranks(ctx); ++r)
        if (atoi((const char *)all + offsets[r]) != r * 7777)
            st = AKIN_EFORMAT;
    st = ak_comm_agree(ctx, st);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static job new_job(uint64_t seed, int64_t n, int64_t block, int64_t size)
{
    job j = {.seed = seed, .n = n, .block = block, .size = size};
    j.fails_at = -1;
    j.sums = calloc((size_t)((blocks_of(&j) + 1) * size), sizeof *j.sums);
    j.squares = calloc((size_t)n + 1, sizeof *j.squares);
    return j;
}

static void free_job(job *j)
{
    free(j->sums);
    free(j->squares);
}

/* The sum of n blocks from b on: pairs of neighbours, then pairs of pairs. */
static double plain_sum(const job *j, int64_t b, int64_t n, int64_t i)
{
    int64_t half = 1;
    if (n == 1)
        return number(j->seed, b, i);
    while (2 * half < n)
        half *= 2;
    return plain_sum(j, b, half, i) + plain_sum(j, b + half, n - half, i);
}

static void check(const job *j)
{
    for (int64_t i = 0; i < j->size; ++i) {
        const double expected = plain_sum(j, 0, blocks_of(j), i);
        assert_memory_equal(&j->sums[i], &expected, sizeof expected);
    }
    for (int64_t i = 0; i < j->n; ++i)
        assert_int_equal(j->squares[i], i * i);
}

static void any_number_of_ranks_gives_the_same_bytes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
        const int64_t ranks = 1 + ak_rng_below(&rng, RANKS_MOST);
        const int64_t n = 1 + ak_rng_below(&rng, 300);
        const int64_t block = 1 + ak_rng_below(&rng, 40);
        /* Long sums now and then: each rank adds up a slice. */
        const int64_t size = 1 + ak_rng_below(&rng, seed % 6 ? 50 : 20000);
        job jobs[RANKS_MOST];
        void *args[RANKS_MOST];
        print_message("seed %d\n", (int)seed);
        for (int64_t r = 0; r < ranks; ++r) {
            jobs[r] = new_job(seed, n, block, size);
            args[r] = &jobs[r];
        }
        assert_int_equal(ranks_run(ranks, work, args, NULL, NULL), AKIN_OK);
        for (int64_t r = 0; r < ranks; ++r) {
            check(&jobs[r]);
            free_job(&jobs[r]);
        }
    }
}

static void bytes_are_counted(void **state)
{
    (void)state;
    for (int64_t ranks = 1; ranks <= 3; ++ranks) {
        job jobs[3];
        void *args[3];
        int64_t bytes = 0;
        for (int64_t r = 0; r < ranks; ++r) {
            jobs[r] = new_job(1, 10 * ranks, 10, 6000);
            args[r] = &jobs[r];
        }
        assert_int_equal(ranks_run(ranks, work, args, NULL, &bytes), AKIN_OK);
        /* Elements, and a block of each rank, there and back; statuses and
         * texts besides. */
        const int64_t least = (ranks - 1) * (10 * ranks * 8 + 2 * 6000 * 8);
        assert_in_range(bytes, least, least + (ranks - 1) * 100);
        for (int64_t r = 0; r < ranks; ++r)
            free_job(&jobs[r]);
    }
}

static void all_ranks_hear_of_a_failure(void **state)
{
    (void)state;
    for (int64_t at = 0; at < 100; at += 33) {
        job jobs[3];
        void *args[3];
        for (int64_t r = 0; r < 3; ++r) {
            jobs[r] = new_job(1, 100, 10, 3);
            jobs[r].fails_at = at;
            args[r] = &jobs[r];
        }
        assert_int_equal(ranks_run(3, work, args, NULL, NULL), AKIN_ENUMERIC);
        for (int64_t r = 0; r < 3; ++r)
            free_job(&jobs[r]);
    }
}

/* Ranges have no gap, and the first rank has the first block. */
static akin_status check_ranges(akin_ctx *ctx, void *arg)
{
    (void)arg;
    const int64_t ranks = akin_ctx_ranks(ctx);
    for (int64_t n = 0; n < 70; ++n)
        for (int64_t block = 1; block < 20; ++block) {
            int64_t at = 0;
            for (int64_t r = 0; r < ranks; ++r) {
                const ak_rank_range x = ak_comm_range(ctx, n, block, r);
                if (x.begin != at || x.end < at ||
                    (x.begin % block != 0 && x.begin != n) ||
                    (r == 0 && n > 0 && x.end == 0))
                    return AKIN_EFORMAT;
                at = x.end;
            }
            if (at != n)
                return AKIN_EFORMAT;
        }
    return AKIN_OK;
}

static void ranges_cover_everything(void **state)
{
    void *args[RANKS_MOST] = {NULL};
    (void)state;
    for (int64_t ranks = 1; ranks <= RANKS_MOST; ++ranks)
        assert_int_equal(ranks_run(ranks, check_ranges, args, NULL, NULL),
                         AKIN_OK);
}

/* The same allocation fails on all ranks. */
static void memory_may_run_out(void **state)
{
    (void)state;
    for (int64_t n = 0;; ++n) {
        faulty f[3];
        akin_allocator memory[3];
        job jobs[3];
        void *args[3];
        for (int64_t r = 0; r < 3; ++r) {
            f[r] = (faulty){n, 0};
            memory[r] = (akin_allocator){faulty_alloc, faulty_resize,
                                         faulty_release, &f[r]};
            jobs[r] = new_job(1, 20, 20, 3);
            args[r] = &jobs[r];
        }
        const akin_status st = ranks_run(3, work, args, memory, NULL);
        for (int64_t r = 0; r < 3; ++r) {
            assert_int_equal(f[r].alive, 0);
            free_job(&jobs[r]);
        }
        if (st == AKIN_OK)
            return;
        assert_int_equal(st, AKIN_ENOMEM);
    }
}

/* Each rank tries to write its number. */
static akin_status write_number(akin_ctx *ctx, void *path)
{
    char text[32];
    akin_outputs outputs;
    snprintf(text, sizeof text, "%" PRId64, akin_ctx_rank(ctx));
    AK_CHECK(akin_output_check(ctx, path));
    AK_CHECK(akin_output_write(ctx, path, text));
    akin_outputs_begin(ctx, &outputs);
    return akin_outputs_end(ctx, &outputs, akin_output_write(ctx, path, text));
}

static void rank_0_alone_writes(void **state)
{
    char folder[] = "/tmp/akin-ranks-XXXXXX", path[64], nowhere[64], got[8];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/number", folder);
    snprintf(nowhere, sizeof nowhere, "%s/absent/number", folder);
    void *good[3] = {path, path, path}, *bad[3] = {nowhere, nowhere, nowhere};
    assert_int_equal(ranks_run(3, write_number, good, NULL, NULL), AKIN_OK);
    assert_int_equal(ranks_run(3, write_number, bad, NULL, NULL), AKIN_EIO);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(got, sizeof got, f));
    fclose(f);
    assert_string_equal(got, "0");
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0);  // nothing else is left there
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_ranks_gives_the_same_bytes),
        cmocka_unit_test(bytes_are_counted),
        cmocka_unit_test(all_ranks_hear_of_a_failure),
        cmocka_unit_test(ranges_cover_everything),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(rank_0_alone_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
