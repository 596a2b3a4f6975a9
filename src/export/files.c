/* Files without an engine of their own: a table, or NumPy's arrays. Their
 * queries are made by query.py. */
#include <stdio.h>
#include <string.h>

#include "data/io/npy.h"
#include "export/export.h"
#include "export/query_program.h"

akin_status ak_export_put_program(const ak_export *e, akin_ctx *ctx)
{
    if (!e->query.known)
        return AKIN_OK;
    return ak_template_write(e, ctx, "query.py", query_program,
                             sizeof query_program / sizeof *query_program, NULL,
                             0);
}

static akin_status csv_write(ak_export *e, akin_ctx *ctx)
{
    AK_CHECK(ak_items_write_csv(e, ctx, &e->items, "items.csv", true, 0, 1));
    if (e->changes.rows != NULL) {
        AK_CHECK(
            ak_items_write_csv(e, ctx, &e->changes, "changes.csv", true, 0, 1));
        AK_CHECK(ak_export_put_removed(e, ctx));
    }
    return ak_export_put_program(e, ctx);
}

static akin_status csv_read(ak_export *e, akin_ctx *ctx)
{
    return ak_items_read_csv(e, ctx, true, 1);
}

static void csv_limits(ak_export *e)
{
    ak_export_limit(e, "csv: 9 significant digits, which read back as the same "
                       "32-bit numbers");
}

const ak_engine ak_engine_csv = {
    .name = "csv",
    .has_sparse = true,
    .has_gaps = true,
    .has_sync = true,
    .most_dim = INT32_MAX,
    .write = csv_write,
    .read = csv_read,
    .limits = csv_limits,
};

/* ---- NumPy ---- */

static const char *numpy_file(const ak_export *e)
{
    return e->sparse ? "items.npz" : "items.npy";
}

static akin_status put_ids(const ak_export *e, akin_ctx *ctx)
{
    char header[AK_NPY_HEADER];
    ak_sink *s = NULL;
    akin_status st = AKIN_OK;
    const size_t n = ak_npy_make_header(header, "<i8", 1, &e->items.n);
    AK_TRY(ak_export_sink(e, ctx, "ids.npy", &s));
    AK_TRY(ak_sink_put(s, ctx, header, n));
    AK_TRY(ak_sink_put(s, ctx, e->items.ids,
                       (size_t)e->items.n * sizeof *e->items.ids));
done:
    return ak_sink_close(s, ctx, st);
}

static akin_status numpy_write(ak_export *e, akin_ctx *ctx)
{
    char path[PATH_MAX];
    AK_CHECK(ak_folder_join(path, ctx, e->folder, numpy_file(e)));
    AK_CHECK(akin_rows_write(ctx, e->items.rows, path));
    AK_CHECK(put_ids(e, ctx));
    AK_CHECK(ak_items_write_csv(e, ctx, &e->items, "items.csv", false, 0, 1));
    return ak_export_put_program(e, ctx);
}

static akin_status numpy_read(ak_export *e, akin_ctx *ctx)
{
    char path[PATH_MAX];
    AK_CHECK(ak_items_read_csv(e, ctx, false, 1));
    AK_CHECK(ak_folder_join(path, ctx, e->folder, numpy_file(e)));
    AK_CHECK(akin_rows_read(&e->items.rows, ctx, path, NULL));
    const akin_rows *rows = e->items.rows;
    if (rows->n != e->items.n || rows->d != e->dim ||
        (rows->offsets != NULL) != e->sparse)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: not the vectors of this export (expected %" PRId64
                       " of %" PRId64 " numbers)",
                       path, e->items.n, e->dim);
    return AKIN_OK;
}

static void numpy_limits(ak_export *e)
{
    ak_export_limit(e, "numpy: float32, as in the index");
}

const ak_engine ak_engine_numpy = {
    .name = "numpy",
    .has_sparse = true,
    .has_gaps = true,
    .most_dim = INT32_MAX,
    .write = numpy_write,
    .read = numpy_read,
    .limits = numpy_limits,
};
