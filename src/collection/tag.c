/* Labels for a new item, by the labels of the items that are nearest.
 *
 * A neighbour counts by how far it is ahead of the first item that is no
 * neighbour: of scores s_1 >= ... >= s_k > s_(k+1) the i-th has the weight
 * (s_i - s_(k+1)) / (s_1 - s_(k+1)), which is the same for any scale and
 * origin of the scores. What a label gets is its share of all weights. */
#include <stdlib.h>
#include <string.h>

#include "collection/collection.h"
#include "data/names.h"

enum { LOOKED_AT = 10 };  // items for each neighbour: some have no label

typedef struct votes {
    ak_names labels;
    double *sums;
    int64_t room;
    double all;
} votes;

static void drop_votes(votes *v)
{
    ak_names_free(&v->labels);
    akin_free(v->sums);
}

/* Every label of an item gets the weight. */
static akin_status vote(votes *v, akin_ctx *ctx, const char *labels,
                        double weight)
{
    while (*labels != '\0') {
        const size_t n = strcspn(labels, "\n");
        const int64_t before = v->labels.n;
        int32_t k;
        AK_CHECK(ak_names_add(&v->labels, ctx, labels, n, &k));
        AK_CHECK(ak_grow(ctx, k + 1, &v->room, sizeof *v->sums, &v->sums));
        v->sums[k] = weight + (k < before ? v->sums[k] : 0.0);
        labels += n + (labels[n] == '\n');
    }
    v->all += weight;
    return AKIN_OK;
}

/* The labelled ones of n items that were found, k + 1 at most. */
static akin_status neighbours(int64_t *rows, double *scores, int64_t n,
                              int64_t k, akin_ctx *ctx, akin_collection *c,
                              int64_t *count)
{
    akin_item item;
    *count = 0;
    for (int64_t i = 0; i < n && rows[i] >= 0 && *count <= k; ++i) {
        AK_CHECK(akin_collection_item(&item, ctx, c, rows[i]));
        rows[*count] = rows[i];
        scores[*count] = scores[i];
        *count += item.labels[0] != '\0';
    }
    return AKIN_OK;
}

static akin_status vote_all(votes *v, akin_ctx *ctx, akin_collection *c,
                            const int64_t *rows, const double *scores,
                            int64_t n, int64_t k)
{
    const double last = n > 0 ? scores[n - 1] : 0.0;
    const double range = n > 0 ? scores[0] - last : 0.0;
    akin_item item;
    for (int64_t i = 0; i < ak_min_i64(n, k); ++i) {
        AK_CHECK(akin_collection_item(&item, ctx, c, rows[i]));
        AK_CHECK(vote(v, ctx, item.labels,
                      range > 0.0 ? (scores[i] - last) / range : 1.0));
    }
    return AKIN_OK;
}

static int by_score(const void *a, const void *b)
{
    const akin_tag *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return strcmp(x->label, y->label);
}

void akin_tags_free(akin_tag *tags)
{
    for (int64_t i = 0; tags != NULL && tags[i].label != NULL; ++i)
        akin_free(tags[i].label);
    akin_free(tags);
}

static akin_status list_tags(akin_tag **out, int64_t *n, akin_ctx *ctx,
                             const votes *v)
{
    akin_tag *tags = NULL;
    int64_t count = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, v->labels.n + 1, &tags));
    for (; count < v->labels.n; ++count) {
        AK_TRY(ak_strdup(ctx, v->labels.texts[count], &tags[count].label));
        tags[count].score = v->all > 0.0 ? v->sums[count] / v->all : 0.0;
    }
    if (count > 0)
        qsort(tags, (size_t)count, sizeof *tags, by_score);
    *n = count;
    *out = tags;
    tags = NULL;
done:
    akin_tags_free(tags);
    return st;
}

akin_status akin_collection_tag(akin_tag **tags, int64_t *n, akin_ctx *ctx,
                                akin_collection *c, const akin_rows *query,
                                int64_t k)
{
    akin_find_options o = AKIN_FIND_DEFAULTS;
    int64_t *rows = NULL, count;
    double *scores = NULL;
    votes v = {0};
    akin_status st = AKIN_OK;
    if (akin_rows_count(query) != 1 || k < 1 || k > INT32_MAX)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%" PRId64 " items to tag, by %" PRId64
                       " neighbours (expected 1 item and 1 or more)",
                       akin_rows_count(query), k));
    o.top = LOOKED_AT * (k + 1);
    o.feedback = "none";
    AK_TRY(akin_collection_search(&rows, &scores, ctx, c, query, &o));
    AK_TRY(neighbours(rows, scores, o.top, k, ctx, c, &count));
    AK_TRY(vote_all(&v, ctx, c, rows, scores, count, k));
    AK_TRY(list_tags(tags, n, ctx, &v));
done:
    akin_free(rows);
    akin_free(scores);
    drop_votes(&v);
    return st;
}
