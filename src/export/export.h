/* export/export.h - what an export consists of.
 *
 * An item is a vector u, dense or sparse, and the engine compares it with the
 * vector v of a query:
 *
 *   dot        S = u'v               also of the cosine, for vectors of length
 * 1 distance   S = -|u - v|^2
 *
 * With x the prepared row of an item, z that of a query, and w the weights of a
 * diagonal model, sparse vectors are
 *
 *   dot        u = x                v = w z                          (1)
 *   cosine     u = x / sqrt(N(x))   v = w z / sqrt(N(z))             (2)
 *   distance   u = sqrt(w) x        v = sqrt(w) z                    (3)
 *
 * where N(x) = sum |w_j| x_j^2. Only (1) leaves items as they are when weights
 * change. Dense vectors are the two sides of akin_model_embed, of length 1 for
 * the cosine. */
#ifndef AK_EXPORT_EXPORT_H
#define AK_EXPORT_EXPORT_H

#include <akin/export.h>

#include "base/folder.h"
#include "data/columns.h"
#include "data/io/sink.h"
#include "data/rows.h"
#include "export/query_side.h"

/* Items by increasing id. */
typedef struct ak_items {
    int64_t n;
    int64_t *ids;      // n
    ak_columns names;  // "": none
    akin_rows *rows;   // n vectors
} ak_items;

void ak_items_free(ak_items *items);

typedef struct ak_export ak_export;

/* An engine: how items are stored for it, and read back. */
typedef struct ak_engine {
    const char *name;
    bool has_sparse;   // it compares sparse vectors,
    bool has_gaps;     // also by their distance
    bool has_sync;     // it takes changes alone
    int64_t most_dim;  // of dense vectors
    /* All files but the manifest and the query side. */
    akin_status (*write)(ak_export *e, akin_ctx *ctx);
    /* The items of a folder; e->m is known. */
    akin_status (*read)(ak_export *e, akin_ctx *ctx);
    void (*limits)(ak_export *e);
} ak_engine;

extern const ak_engine ak_engine_pgvector, ak_engine_opensearch,
    ak_engine_elasticsearch, ak_engine_faiss, ak_engine_hnswlib,
    ak_engine_numpy, ak_engine_csv;

/* An export that is written or read. */
struct ak_export {
    const ak_engine *engine;
    char name[64];
    int64_t version;
    bool sparse;    // vectors
    bool distance;  // or dot product
    bool half;
    int64_t dim, most;
    int64_t shards;
    ak_query_side query;
    ak_items items;
    char limits[AKIN_EXPORT_LIMITS];
    char folder[PATH_MAX];  // where its files are
    ak_items changes;       // since an earlier export; rows NULL: none asked
    int64_t *removed;       // ids
    int64_t n_removed;
};

void ak_export_free(ak_export *e);
/* The engine of this name; NULL: there is none. */
const ak_engine *ak_engine_find(const char *name);

/* One more line of limits. */
void ak_export_limit(ak_export *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The vectors of all rows that were not removed, as (1) to (3) say. `ids` may
 * be NULL. */
akin_status ak_export_items(ak_export *e, akin_ctx *ctx, const akin_index *x,
                            const int64_t *ids, akin_compare by);

/* manifest.json and the query side; the engine of a folder is found there. */
akin_status ak_export_put_manifest(const ak_export *e, akin_ctx *ctx);
akin_status ak_export_open(ak_export *e, akin_ctx *ctx, const char *folder);

/* ---- files of several engines ---- */

/* A file of the export. */
akin_status ak_export_sink(const ak_export *e, akin_ctx *ctx, const char *name,
                           ak_sink **out);
/* Formatted, of at most 4095 bytes. */
akin_status ak_export_print(ak_sink *s, akin_ctx *ctx, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A name with U+FFFD for each byte that is not text. NULL is "". From
 * scratch. */
akin_status ak_export_text(akin_ctx *ctx, const char *name, char **out);

/* `id,name,embedding`: [1,2,3] or {1:2.5,7:1}/9, whose numbers begin with 1.
 * Without `vectors` `id,name`. Shard `part` of `parts`. */
akin_status ak_items_write_csv(const ak_export *e, akin_ctx *ctx,
                               const ak_items *items, const char *name,
                               bool vectors, int64_t part, int64_t parts);
/* items.csv, or items.0.csv and so on for several parts. */
akin_status ak_items_read_csv(ak_export *e, akin_ctx *ctx, bool vectors,
                              int64_t parts);
/* The next item of a file; its vector follows. */
akin_status ak_items_add(ak_items *items, akin_ctx *ctx, int64_t *room,
                         int64_t id, const char *name, size_t len);

/* The vectors of a file, number by number: those of e->items. */
typedef struct ak_filling {
    akin_rows *rows;
    int64_t n, col_room, val_room, row_room;
} ak_filling;
akin_status ak_filling_begin(ak_filling *f, akin_ctx *ctx, ak_export *e);
/* The column is for sparse vectors alone. */
akin_status ak_filling_add(ak_filling *f, akin_ctx *ctx, int32_t column,
                           float value);
akin_status ak_filling_end_row(ak_filling *f, akin_ctx *ctx);

/* removed.csv: the ids that are gone since an earlier export. */
akin_status ak_export_put_removed(const ak_export *e, akin_ctx *ctx);
/* query.py, where the query side is known. */
akin_status ak_export_put_program(const ak_export *e, akin_ctx *ctx);

/* A text with variables: @key@ becomes its value, a line %key% is there where
 * the value is not empty, a line %!key% where it is. */
typedef struct ak_variable {
    const char *key, *value;
} ak_variable;
akin_status ak_template_write(const ak_export *e, akin_ctx *ctx,
                              const char *file, const char *const *lines,
                              size_t n_lines, const ak_variable *variables,
                              size_t n_variables);

#endif
