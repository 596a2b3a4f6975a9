/* Figures 3 to 6: the cost of building and searching an index. */
#include <akin/index.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "reproduce/solis/solis.h"

enum { TOP = 100 };

/* CPU time, so that other load on the machine matters little. */
static double seconds_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* ---- one index ---------------------------------------------------------- */

/* Move the index from memory to a mapped, unlinked file. */
static akin_status move_to_file(app *a, akin_index **index, double *bytes)
{
    const char *folder = getenv("TMPDIR");
    char path[REPRODUCE_PATH];
    struct stat about;
    akin_index *mapped = NULL;
    akin_status st = AKIN_OK;
    if (folder == NULL || folder[0] == '\0')
        folder = "/tmp";
    snprintf(path, sizeof path, "%s/akin-index-XXXXXX", folder);
    const int fd = mkstemp(path);
    if (fd < 0)
        return app_fail(a, AKIN_EIO, "%s: %s", folder, strerror(errno));
    close(fd);
    APP_TRY(akin_index_save(a->ctx, *index, path));
    APP_TRY(akin_index_load(&mapped, a->ctx, path));
    if (stat(path, &about) != 0)
        APP_TRY(app_fail(a, AKIN_EIO, "%s: %s", path, strerror(errno)));
    *bytes += (double)about.st_size;
    akin_index_free(*index);
    *index = mapped;
    mapped = NULL;
done:
    akin_index_free(mapped);
    unlink(path);
    return st;
}

/* Time one raw query. */
static akin_status time_query(app *a, const akin_index *index,
                              const akin_rows *queries, int64_t q, double *ms)
{
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_rows *query = NULL;
    int64_t *rows = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    o.top = TOP;
    APP_TRY(akin_rows_select(&query, a->ctx, queries, &q, 1));
    const double start = seconds_now();
    APP_TRY(akin_index_search(&rows, &scores, a->ctx, index, query, &o));
    *ms += 1e3 * (seconds_now() - start);
done:
    akin_free(rows);
    akin_free(scores);
    akin_rows_free(query);
    return st;
}

akin_status solis_cost_add(solis_run *r, const akin_model *m,
                           const akin_rows *rows, const akin_rows *queries,
                           solis_cost *cost, double *ms)
{
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_index *index = NULL;
    akin_status st = AKIN_OK;
    double first = 0.0;  // a warm-up query, not counted
    o.prune = 1;
    const double start = seconds_now();
    APP_TRY(akin_index_build(&index, r->a->ctx, m, rows, &o));
    cost->seconds += seconds_now() - start;
    cost->postings += (double)akin_index_postings(index);
    APP_TRY(move_to_file(r->a, &index, &cost->bytes));
    if (akin_rows_count(queries) > 0)
        APP_TRY(time_query(r->a, index, queries, 0, &first));
    for (int64_t q = 0; q < akin_rows_count(queries); ++q)
        APP_TRY(time_query(r->a, index, queries, q, &ms[q]));
done:
    akin_index_free(index);
    return st;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

akin_status solis_cost_queries(solis_run *r, const double *ms, int64_t n,
                               solis_cost *cost)
{
    double *sorted = NULL;
    const akin_status st = APP_NEW(r->a, n, &sorted);
    if (st != AKIN_OK || n == 0)
        return st;
    memcpy(sorted, ms, (size_t)n * sizeof *ms);
    qsort(sorted, (size_t)n, sizeof *sorted, by_value);
    cost->ms = 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
    free(sorted);
    return AKIN_OK;
}

/* ---- the pictures ------------------------------------------------------- */

akin_status solis_cost_of_queries(solis_run *r, const solis_method *m,
                                  const akin_model *learned,
                                  const solis_queries *e, solis_cost *cost)
{
    const solis_book *b = &r->book;
    const akin_model *model = m->ranking == SOLIS_TFIDF   ? b->by_tfidf
                              : m->ranking == SOLIS_WORDS ? b->by_words
                                                          : learned;
    akin_rows *queries = NULL;
    double *ms = NULL;
    akin_status st = AKIN_OK;
    if (model == NULL)
        return AKIN_OK;
    APP_TRY(APP_NEW(r->a, e->n_queries, &ms));
    APP_TRY(akin_rows_select(&queries, r->a->ctx, b->counts, e->queries,
                             e->n_queries));
    APP_TRY(solis_cost_add(r, model, b->counts, queries, cost, ms));
    APP_TRY(solis_cost_queries(r, ms, e->n_queries, cost));
done:
    akin_rows_free(queries);
    free(ms);
    return st;
}
