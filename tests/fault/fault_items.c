/* Reading a collection, and counting words of descriptors, with each allocation
 * failing once. */
#include <akin/codebook.h>
#include <akin/collection.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faulty.h"
#include "support.h"

#include "collection/pictures/geometry.h"

enum { N = 12, D = 3 };

static char folder[] = "/tmp/akin-fault-XXXXXX";
static char collection[64], table[64], facts[64];

/* Two clouds of rows, some of them twice. */
static akin_status make_rows(akin_ctx *ctx, akin_rows **out)
{
    static const char *const names[] = {"a", "b"};
    float x[N * D];
    int32_t labels[N];
    akin_status st = AKIN_OK;
    for (int i = 0; i < N; ++i) {
        labels[i] = i % 2;
        for (int j = 0; j < D; ++j)
            x[i * D + j] = (float)((j == i % 2 ? 5 : 1) + (i / 4) * (j + 1));
    }
    AK_TRY(akin_rows_new_dense(out, ctx, N, D, x));
    AK_TRY(akin_rows_set_labels(ctx, *out, labels, names, 2));
done:
    return st;
}

static akin_status tag(akin_ctx *ctx, void *arg)
{
    const int64_t first = 0;
    akin_collection *c = NULL;
    akin_rows *rows = NULL, *query = NULL;
    akin_tag *tags = NULL;
    int64_t n;
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(make_rows(ctx, &rows));
    AK_TRY(akin_rows_select(&query, ctx, rows, &first, 1));
    AK_TRY(akin_collection_open(&c, ctx, collection));
    AK_TRY(akin_collection_tag(&tags, &n, ctx, c, query, 3));
done:
    akin_tags_free(tags);
    akin_collection_close(c);
    akin_rows_free(query);
    akin_rows_free(rows);
    return st;
}

static akin_status duplicates(akin_ctx *ctx, void *arg)
{
    akin_collection *c = NULL;
    akin_duplicate *d = NULL;
    int64_t n;
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(akin_collection_open(&c, ctx, collection));
    AK_TRY(akin_collection_duplicates(&d, &n, ctx, c, 0.0));
    assert_true(n > 0);
done:
    akin_free(d);
    akin_collection_close(c);
    return st;
}

static akin_status pair(akin_ctx *ctx, void *arg)
{
    akin_collection *c = NULL;
    akin_rows *left = NULL, *right = NULL;
    const akin_model *m;
    akin_status st = AKIN_OK;
    (void)arg;
    AK_TRY(akin_collection_open(&c, ctx, collection));
    AK_TRY(akin_collection_pair(&left, &right, &m, ctx, c, 0, 1));
done:
    akin_rows_free(left);
    akin_rows_free(right);
    akin_collection_close(c);
    return st;
}

static akin_status fields(akin_ctx *ctx, void *arg)
{
    akin_collection *c = NULL;
    akin_field *all = NULL;
    int64_t n;
    akin_status st = AKIN_OK;
    (void)arg;
    AK_TRY(akin_collection_open(&c, ctx, collection));
    AK_TRY(akin_collection_fields(&all, &n, ctx, c, 1));
    assert_int_equal(n, 2);
done:
    akin_fields_free(all);
    akin_collection_close(c);
    return st;
}

static akin_status count(akin_ctx *ctx, void *arg)
{
    akin_codebook_options o = AKIN_CODEBOOK_DEFAULTS;
    akin_rows *bags = NULL;
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    o.words = 2;
    AK_TRY(akin_codebook_count(&bags, ctx, table, &o, NULL));
done:
    akin_rows_free(bags);
    return st;
}

static akin_status agree(akin_ctx *ctx, void *arg)
{
    ak_sift_frame frames[N];
    ak_frame_pair pairs[N];
    const ak_two_frames f = {frames, frames, N, N, 100.0};
    int64_t n;
    (void)arg;
    for (int32_t i = 0; i < N; ++i) {
        frames[i] = (ak_sift_frame){(float)(7 * i), (float)i, 2.0f, 0.1f};
        pairs[i] = (ak_frame_pair){i, i, 1.0, false};
    }
    return ak_geometry_agree(&n, ctx, &f, pairs, N);
}

static void all_survive(void **state)
{
    (void)state;
    assert_true(faulty_run(tag, NULL) > 10);
    assert_true(faulty_run(duplicates, NULL) > 10);
    assert_true(faulty_run(pair, NULL) > 5);
    assert_true(faulty_run(fields, NULL) > 5);
    assert_true(faulty_run(count, NULL) > 10);
    assert_true(faulty_run(agree, NULL) > 0);
}

/* Two fields for each row. */
static int write_facts(void)
{
    FILE *f = fopen(facts, "w");
    if (f == NULL)
        return 1;
    fputs("name,year,maker\n", f);
    for (int i = 0; i < N; ++i)
        fprintf(f, "n%d,%d,Ann\n", i, 1970 + i);
    return fclose(f) != 0;
}

static int set_up(void **state)
{
    akin_vectors_options o = AKIN_VECTORS_DEFAULTS;
    akin_ctx *ctx = NULL;
    akin_rows *rows = NULL;
    if (mkdtemp(folder) == NULL || support_set_up(state))
        return 1;
    ctx = *state;
    snprintf(collection, sizeof collection, "%s/c", folder);
    snprintf(table, sizeof table, "%s/t.fvecs", folder);
    snprintf(facts, sizeof facts, "%s/facts.csv", folder);
    o.fields = facts;
    if (make_rows(ctx, &rows) != AKIN_OK || write_facts() != 0 ||
        akin_vectors_make(ctx, collection, rows, &o, NULL) != AKIN_OK ||
        akin_rows_write(ctx, rows, table) != AKIN_OK)
        return 1;
    akin_rows_free(rows);
    return 0;
}

static int tear_down(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command) != 0 || support_tear_down(state);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(all_survive),
    };
    return cmocka_run_group_tests(cases, set_up, tear_down);
}
