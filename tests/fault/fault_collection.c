/* Collections of documents and vectors: each allocation fails once, or, unless
 * AKIN_FAULTS is "all", one of several, as each run writes to the disk. What
 * was there before stays, or is there anew. */
#include <akin/collection.h>
#include <akin/events.h>
#include <akin/versions.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/ctx.h"
#include "collection_folder.h"
#include "faulty.h"

static char input[128], names[128];

static akin_status describe(akin_ctx *ctx)
{
    const char *const text = "orbit rocket";
    akin_collection *c = NULL;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_collection_open(&c, ctx, collection));
    AK_TRY(akin_collection_describe_text(&rows, ctx, c, &text, NULL, 1));
done:
    akin_rows_free(rows);
    akin_collection_close(c);
    return st;
}

/* `arg` is not NULL: they are added again. */
static akin_status documents(akin_ctx *ctx, void *arg)
{
    akin_documents_options o = AKIN_DOCUMENTS_DEFAULTS;
    akin_status st = AKIN_OK;
    o.force = 1;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(akin_documents_make(ctx, collection, input, &o, NULL));
    if (arg != NULL)
        AK_TRY(akin_documents_add(ctx, collection, input, &o, NULL));
    AK_TRY(describe(ctx));
done:
    return st;
}

static akin_status vectors(akin_ctx *ctx, void *arg)
{
    (void)arg;
    const float values[] = {1, 0, 0, 1};
    akin_vectors_options o = AKIN_VECTORS_DEFAULTS;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    o.names = names;
    o.force = 1;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(akin_rows_new_dense(&rows, ctx, 2, 2, values));
    AK_TRY(akin_vectors_make(ctx, collection, rows, &o, NULL));
    AK_TRY(akin_vectors_add(ctx, collection, rows, &o, NULL));
done:
    akin_rows_free(rows);
    return st;
}

/* An event with a query from outside is stored, read back and learned from; a
 * search uses it. */
static akin_status feedback(akin_ctx *ctx, void *arg)
{
    static const char event[] =
        "{\"key\":\"k\",\"query\":\"orbit rocket\",\"good\":[0],\"bad\":[1]}";
    const char *const text = "orbit rocket";
    akin_events *e = NULL;
    akin_collection *c = NULL;
    akin_rows *row = NULL;
    akin_version_info v;
    char *line = NULL;
    int64_t number, *rows = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(akin_events_open(&e, ctx, collection));
    AK_TRY(akin_events_add_json(&number, ctx, e, event, sizeof event - 1));
    AK_TRY(akin_events_next(&line, &number, ctx, e, 0));
    akin_free(line);
    AK_TRY(akin_events_previous(&line, &number, ctx, e, 0, -1));
    AK_TRY(akin_collection_learn(&v, ctx, collection, NULL));
    AK_TRY(akin_collection_open(&c, ctx, collection));
    AK_TRY(akin_collection_describe_text(&row, ctx, c, &text, NULL, 1));
    AK_TRY(akin_collection_search(&rows, &scores, ctx, c, row, NULL));
done:
    akin_free(rows);
    akin_free(scores);
    akin_free(line);
    akin_rows_free(row);
    akin_collection_close(c);
    akin_events_close(e);
    return st;
}

static void assert_survives(akin_status (*work)(akin_ctx *ctx, void *arg),
                            void *arg)
{
    enum { SOME = 17 };
    const char *which = getenv("AKIN_FAULTS");
    const bool all = which != NULL && strcmp(which, "all") == 0;
    const int64_t n = faulty_run_some(work, arg, all ? 1 : SOME);
    if (n < 0)
        fail_msg("allocation %d", (int)(-1 - n));
    assert_true(n > 10);
}

static void files_survive(void **state)
{
    (void)state;
    snprintf(input, sizeof input, "%s", text_path("docs"));
    assert_survives(documents, NULL);
}

static void records_survive(void **state)
{
    (void)state;
    snprintf(input, sizeof input, "%s", text_path("docs.jsonl"));
    assert_survives(documents, input);
}

static void feedback_survives(void **state)
{
    akin_ctx *ctx = NULL;
    (void)state;
    snprintf(input, sizeof input, "%s", text_path("docs"));
    assert_int_equal(akin_ctx_new(&ctx, NULL), AKIN_OK);
    assert_int_equal(documents(ctx, NULL), AKIN_OK);
    akin_ctx_free(ctx);
    assert_survives(feedback, NULL);
}

static void vectors_survive(void **state)
{
    (void)state;
    text_put("names", "a\nb\n", 4);
    snprintf(names, sizeof names, "%s", text_path("names"));
    assert_survives(vectors, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_survive),
        cmocka_unit_test(records_survive),
        cmocka_unit_test(feedback_survives),
        cmocka_unit_test(vectors_survive),
    };
    return cmocka_run_group_tests(tests, collection_begin, collection_end);
}
