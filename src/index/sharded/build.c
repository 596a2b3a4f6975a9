/* Building the shards of this rank, one after another. */
#include <string.h>

#include "base/folder.h"
#include "index/sharded/sharded.h"

enum { MOST_SHARDS = 100000 };

typedef struct build {
    const akin_model *m;
    const char *data;
    int64_t n_shards;
    const akin_read_options *read;
    const akin_index_options *options;
    const char *folder;  // that is being made
    ak_shard *made;      // those of this rank
    int64_t n_made;
} build;

static akin_status build_shard(build *b, akin_ctx *ctx, int64_t shard)
{
    ak_shard *made = &b->made[b->n_made];
    char path[PATH_MAX];
    akin_rows *rows = NULL;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(
        akin_rows_read_shard(&rows, ctx, b->data, shard, b->n_shards, b->read));
    if (rows == NULL)
        goto done;
    AK_TRY(akin_index_build(&x, ctx, b->m, rows, b->options));
    AK_TRY(ak_shard_path(path, ctx, b->folder, shard));
    AK_TRY(akin_index_save(ctx, x, path));
    *made = (ak_shard){.number = shard, .rows = rows->n};
    AK_TRY(ak_shard_measure(made, ctx, path));
    ++b->n_made;
done:
    akin_index_free(x);
    akin_rows_free(rows);
    return st;
}

/* The ranks have shards, so each builds as if it were alone. */
static akin_status build_own(build *b, akin_ctx *ctx)
{
    const struct akin_comm *ranks = ak_ctx_comm(ctx);
    const ak_rank_range own = ak_comm_own(ctx, b->n_shards, 1);
    akin_status st = AK_SCRATCH(ctx, own.end - own.begin, &b->made);
    akin_ctx_set_comm(ctx, NULL);
    for (int64_t s = own.begin; s < own.end && st == AKIN_OK; ++s)
        st = build_shard(b, ctx, s);
    akin_ctx_set_comm(ctx, ranks);
    return ak_comm_agree(ctx, st);
}

/* Rank 0 writes the file of the folder, and loads all to see that the shards
 * are of one kind. */
static akin_status finish(const build *b, akin_ctx *ctx, const ak_shard *all,
                          int64_t n)
{
    char path[PATH_MAX];
    akin_index *x = NULL;
    int64_t rows = 0;
    akin_status st = AKIN_OK;
    if (n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: no rows", b->data));
    for (int64_t k = 0; k < n; ++k)
        rows += all[k].rows;
    if (rows > INT32_MAX)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE, "more than 2147483647 rows"));
    AK_TRY(ak_shard_path(path, ctx, b->folder, all[0].number));
    AK_TRY(akin_index_load(&x, ctx, path));
    AK_TRY(ak_sharded_write(ctx, b->folder, x, all, n));
    akin_index_free(x);
    x = NULL;
    AK_TRY(akin_index_load(&x, ctx, b->folder));
done:
    akin_index_free(x);
    return st;
}

/* The others learn from rank 0 where to write. */
static akin_status begin_folder(ak_new_folder *f, akin_ctx *ctx,
                                const char *path,
                                bool (*is_ours)(akin_ctx *, const char *))
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const bool first = akin_ctx_rank(ctx) == 0;
    unsigned char *all;
    const size_t *at;
    akin_status st = AKIN_OK;
    if (first)
        st = ak_folder_begin(f, ctx, path, is_ours, "an index in shards");
    AK_TRY(ak_comm_agree(ctx, st));
    AK_TRY(
        ak_comm_collect(ctx, f->made, first ? sizeof f->made : 0, &all, &at));
    memcpy(f->made, all, sizeof f->made);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static bool is_ours(akin_ctx *ctx, const char *folder)
{
    (void)ctx;
    return akin_index_is_folder(folder) != 0;
}

akin_status akin_index_build_shards(akin_ctx *ctx, const char *folder,
                                    const akin_model *m, const char *data,
                                    int64_t n_shards,
                                    const akin_read_options *read,
                                    const akin_index_options *options)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    build b = {.m = m,
               .data = data,
               .n_shards = n_shards,
               .read = read,
               .options = options};
    const struct akin_comm *ranks = ak_ctx_comm(ctx);
    const bool first = akin_ctx_rank(ctx) == 0;
    ak_new_folder f = {.made = ""};
    unsigned char *all;
    const size_t *at;
    akin_status st = AKIN_OK;
    if (n_shards < 1 || n_shards > MOST_SHARDS)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%" PRId64 " shards (expected 1 to %d)", n_shards,
                       MOST_SHARDS));
    AK_TRY(begin_folder(&f, ctx, folder, is_ours));
    b.folder = f.made;
    AK_TRY(build_own(&b, ctx));
    AK_TRY(ak_comm_collect(ctx, b.made, (size_t)b.n_made * sizeof *b.made, &all,
                           &at));
    const int64_t n = (int64_t)(at[akin_ctx_ranks(ctx)] / sizeof *b.made);
    akin_ctx_set_comm(ctx, NULL);
    if (first)
        st = finish(&b, ctx, (const ak_shard *)(const void *)all, n);
    akin_ctx_set_comm(ctx, ranks);
done:
    if (first)
        st = ak_folder_end(&f, ctx, st);
    st = ak_comm_agree(ctx, st);
    ak_scratch_end(ctx, mark);
    return st;
}
