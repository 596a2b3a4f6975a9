/* akin/export.h - an index in the form that other search engines load: schema,
 * items, and what turns a raw query into the query of the engine.
 * docs/reference/export.md */
#ifndef AKIN_EXPORT_H
#define AKIN_EXPORT_H

#include <akin/index.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct akin_export_options {
    uint64_t size;      /* sizeof(akin_export_options) */
    const char *to;     /* pgvector opensearch elasticsearch faiss hnswlib
                           numpy csv */
    const char *name;   /* what the engine calls it; letters, digits, _ */
    int64_t version;    /* of the model: NAME_v1, NAME_v2 stand side by side */
    const int64_t *ids; /* one for each row, increasing; NULL: row numbers */
    const char *since;  /* an earlier export: changes are written too; NULL */
    int64_t shards;     /* pgvector: parts of the items, one for a server */
    int64_t half;       /* pgvector: 1: vectors of 16-bit numbers */
    akin_compare by;    /* AKIN_BY_DEFAULT: as the index compares */
} akin_export_options;

#define AKIN_EXPORT_DEFAULTS                                                   \
    {                                                                          \
        .size = sizeof(akin_export_options), .to = "pgvector", .name = "akin", \
        .version = 1, .shards = 1, .by = AKIN_BY_DEFAULT,                      \
    }

enum { AKIN_EXPORT_LIMITS = 1024 };

/* What an export has. */
typedef struct akin_export_info {
    int64_t items;     /* that were not removed from the index */
    int64_t dim;       /* numbers of a vector */
    int64_t is_sparse; /* 1: items are sparse vectors */
    int64_t most;      /* most non-zeros of an item */
    int64_t has_query; /* 1: the export turns raw queries into vectors; 0:
                          akin embed does */
    int64_t changed;   /* since the earlier export: new items and others, */
    int64_t removed;   /* and those that are gone */
    char limits[AKIN_EXPORT_LIMITS]; /* of the engine, a line for each */
} akin_export_info;

/* Write a folder with all rows of an index that were not removed. It appears at
 * once and complete, and replaces an earlier export. The same index and options
 * give the same bytes.
 * AKIN_EINVAL: there is something else at the path; the engine cannot compare
 * as the model does; or the model changed since the earlier export. */
AKIN_API akin_status akin_export(akin_ctx *ctx, const akin_index *index,
                                 const char *folder,
                                 const akin_export_options *options,
                                 akin_export_info *info);

typedef struct akin_export_check_options {
    uint64_t size;      /* sizeof(akin_export_check_options) */
    int64_t top;        /* items to compare for each query */
    const int64_t *ids; /* of the rows of the index; NULL: row numbers */
} akin_export_check_options;

#define AKIN_EXPORT_CHECK_DEFAULTS                            \
    {                                                         \
        .size = sizeof(akin_export_check_options), .top = 10, \
    }

/* How an export compares with an index. */
typedef struct akin_export_check {
    int64_t queries, items;
    int64_t equal;     /* queries with the same items and scores; items of equal
                          scores may change places */
    double recall;     /* share of the index's items that the export finds */
    double difference; /* largest between two scores of one rank, as a share of
                          the score where that is above 1 */
    double tolerance;  /* the largest that counts as equal */
    int64_t is_exact;  /* 1: the engine stores what it is given */
    char to[24];       /* the engine */
} akin_export_check;

/* Read an export, turn raw queries into vectors as the engine would, compare
 * with every item, and compare the results with those of the index.
 * AKIN_EFORMAT: the export is damaged. AKIN_ESHAPE: it does not have as many
 * items as the index. */
AKIN_API akin_status akin_export_verify(
    akin_export_check *out, akin_ctx *ctx, const akin_index *index,
    const char *folder, const akin_rows *queries,
    const akin_export_check_options *options);

#ifdef __cplusplus
}
#endif
#endif
