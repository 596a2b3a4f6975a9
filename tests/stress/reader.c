/* Opens a collection again and again while others write to it, searches it, and
 * compares what is found with the same items indexed anew: for as many seconds
 * as it is told, or until killed. Prints how many searches agreed. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collection/collection.h"
#include "collection/derive.h"

enum { TOP = 5 };

static akin_ctx *ctx;

static void must(akin_status st)
{
    if (st == AKIN_OK)
        return;
    printf("failed: %s\n", akin_ctx_message(ctx));
    exit(1);
}

/* The items that are indexed: all but those that wait. */
static int64_t list_items(akin_collection *c, int64_t *ids, int64_t most)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    int64_t n = 0;
    must(ak_sql_ask(&c->catalog.sql, ctx, &q,
                    "SELECT id FROM items WHERE id NOT IN (SELECT item FROM "
                    "waiting) ORDER BY id",
                    ""));
    while (n < most) {
        must(ak_sql_next(&c->catalog.sql, ctx, q, &row));
        if (!row)
            break;
        ids[n++] = sqlite3_column_int64(q, 0);
    }
    sqlite3_finalize(q);
    return n;
}

/* The same search over the items that were indexed anew. */
static void compare(akin_collection *c, const int64_t *ids, int64_t n,
                    int64_t row, const int64_t *found, const double *scores)
{
    const akin_model *m = akin_index_model(c->segments[0].x);
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_rows *rows = NULL;
    akin_index *x = NULL;
    int64_t *again = NULL, like = -1;
    double *score = NULL;
    must(ak_derive_items(&rows, ctx, &c->catalog, &c->version.right, ids, n));
    must(akin_index_build(&x, ctx, m, rows, NULL));
    for (int64_t i = 0; i < n; ++i)
        if (ak_collection_row(c, ids[i]) == row)
            like = i;
    o.top = TOP;
    o.like = &like;
    o.n_like = 1;
    must(akin_index_search(&again, &score, ctx, x, NULL, &o));
    for (int k = 0; k < TOP; ++k) {
        const int64_t want = again[k] < 0 ? -1
                                          : ak_collection_row(c, ids[again[k]]);
        if (want != found[k] ||
            (want >= 0 && fabs(score[k] - scores[k]) > 1e-6)) {
            printf("differs: version %" PRId64 ", row %" PRId64 ", place %d: "
                   "%" PRId64 " %g, expected %" PRId64 " %g\n",
                   c->version.version, row, k, found[k], scores[k], want,
                   score[k]);
            exit(1);
        }
    }
    akin_index_free(x);
    akin_rows_free(rows);
    akin_free(again);
    akin_free(score);
}

static void look(const char *path)
{
    enum { MOST = 100000 };
    static int64_t ids[MOST];
    akin_find_options o = AKIN_FIND_DEFAULTS;
    akin_collection *c = NULL;
    int64_t *rows = NULL, row;
    double *scores = NULL;
    must(akin_collection_open(&c, ctx, path));
    must(ak_collection_segments(c, ctx));
    const int64_t n = list_items(c, ids, MOST);
    row = ak_collection_row(c, ids[rand() % n]);
    o.top = TOP;
    o.like = &row;
    o.n_like = 1;
    o.feedback = "none";
    must(akin_collection_search(&rows, &scores, ctx, c, NULL, &o));
    compare(c, ids, n, row, rows, scores);
    akin_free(rows);
    akin_free(scores);
    akin_collection_close(c);
}

int main(int argc, char **argv)
{
    int64_t done = 0;
    if (argc != 4) {
        printf("usage: reader COLLECTION SECONDS SEED\n");
        return argc == 1 ? 0 : 2;
    }
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    akin_ctx_set_threads(ctx, 1);
    srand((unsigned)atoi(argv[3]));
    const time_t end = time(NULL) + atoi(argv[2]);
    for (; time(NULL) < end; ++done)
        look(argv[1]);
    printf("%" PRId64 " searches agree\n", done);
    akin_ctx_free(ctx);
    return 0;
}
