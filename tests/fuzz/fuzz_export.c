/* Any bytes as the files of an export, with a line %% between two: the
 * manifest, features.csv, items.csv, and the vectors of its engine. The export
 * is refused, or compared with a small index. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <akin/export.h>

#include "fuzz.h"

static char folder[64];

static void put(const char *name, const uint8_t *data, size_t n)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (f == NULL)
        abort();
    fwrite(data, 1, n, f);
    fclose(f);
}

static void clean_up(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    if (system(command) != 0)
        abort();
}

static akin_index *index_of(akin_ctx *ctx, bool sparse)
{
    static const int64_t offsets[4] = {0, 2, 3, 5};
    static const int32_t cols[5] = {0, 1, 1, 0, 2};
    static const float vals[9] = {1, 2, 3, 4, 5, 6, 7, 8, 1};
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    akin_index *x = NULL;
    if ((sparse ? akin_rows_new_sparse(&rows, ctx, 3, 3, offsets, cols, vals)
                : akin_rows_new_dense(&rows, ctx, 3, 3, vals)) != AKIN_OK ||
        akin_model_builtin(&m, ctx, sparse ? "tfidf" : "euclidean", rows) !=
            AKIN_OK ||
        akin_index_build(&x, ctx, m, rows, NULL) != AKIN_OK)
        abort();
    akin_model_free(m);
    akin_rows_free(rows);
    return x;
}

/* The next file, and what is behind it. */
static size_t next_part(const uint8_t **data, size_t *n, const uint8_t **part)
{
    const uint8_t *end = memmem(*data, *n, "\n%%\n", 4);
    const size_t size = end ? (size_t)(end - *data) + 1 : *n;
    *part = *data;
    *data += end ? size + 3 : size;
    *n -= end ? size + 3 : size;
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const files[] = {"manifest.json", "features.csv",
                                        "items.csv"};
    static const char *const vectors[] = {
        "items.ndjson", "items.npy", "items.npz", "items.faiss", "items.hnsw"};
    static const float query[3] = {1, 0, 2};
    static akin_index *x[2];
    akin_ctx *ctx = fuzz_ctx();
    akin_rows *queries = NULL;
    const uint8_t *part;
    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "/tmp/akin-fuzz-XXXXXX");
        if (mkdtemp(folder) == NULL || atexit(clean_up) != 0)
            abort();
        x[0] = index_of(ctx, false);
        x[1] = index_of(ctx, true);
    }
    for (int k = 0; k < 3; ++k) {
        const size_t size = next_part(&data, &n, &part);
        put(files[k], part, size);
    }
    for (int k = 0; k < 5; ++k)
        put(vectors[k], data, n);
    if (akin_rows_new_dense(&queries, ctx, 1, 3, query) != AKIN_OK)
        abort();
    for (int k = 0; k < 2; ++k) {
        akin_export_check r = {0};
        const akin_status st =
            akin_export_verify(&r, ctx, x[k], folder, queries, NULL);
        if (st == AKIN_OK && (r.recall < 0.0 || r.recall > 1.0))
            abort();
    }
    akin_rows_free(queries);
    return 0;
}
