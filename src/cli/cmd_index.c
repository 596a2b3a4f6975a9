/* akin index: rows made ready for searching. */
#include <akin/collection.h>
#include <akin/index.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *model, *data, *out, *approximate, *score, *add, *remove;
    const char *side, *names;
    int64_t links, effort, shards;
    bool prune, as_is;
} own_flags;

typedef struct index_flags {
    own_flags own;
    statistics_flags statistics;
    reading_flags reading;
} index_flags;

static const app_option own_options[] = {
    {"MODEL", NULL, APP_FIELD(own_flags, model),
     .help = "a file from akin train, or a measure without learning: "
             "euclidean, cosine, tfidf, mahalanobis; an index with --add or "
             "--remove",
     .flags = APP_ARGUMENT | APP_NEEDED | APP_REPLACED},
    {"data", "FILE", APP_FIELD(own_flags, data),
     .help = "rows to find, as they were before training; 'part-*.svm': all "
             "files that match"},
    {"names", "FILE", APP_FIELD(own_flags, names),
     .help = "the name of each row of --data or --add, one per line; items of "
             "a collection have theirs",
     .needs = "data|add"},
    {"side", "left|right", APP_FIELD(own_flags, side),
     .help = "the side of the model that these rows are on; queries are on the "
             "other",
     .excludes = "add remove", .advanced = true},
    {"shards", "N", APP_FIELD(own_flags, shards),
     .help = "write a folder of N indexes, each of a range of the rows, and "
             "hold one of them in memory at a time; akin search searches the "
             "folder as one index",
     .max = 1e5, .zero = "one file",
     .excludes = "add remove names train labels"},
    {"out", "INDEX", APP_FIELD(own_flags, out),
     .help = "the index to write; with --shards a folder",
     .flags = APP_NEEDED | APP_OUTPUT | APP_BINARY | APP_EITHER},
    {"approximate", "none|hnsw", APP_FIELD(own_flags, approximate),
     .help = "hnsw: a graph of neighbours, faster but approximate",
     .excludes = "add remove"},
    {"score", "dot|cosine|distance", APP_FIELD(own_flags, score),
     .help = CLI_SCORE_HELP, .excludes = "add remove", .advanced = true},
    {"prune", NULL, APP_FIELD(own_flags, prune),
     .help = "drop columns of weight 0 permanently", .excludes = "add remove",
     .advanced = true},
    {"add", "FILE", APP_FIELD(own_flags, add),
     .help = "append rows to an index"},
    {"remove", "ROWS", APP_FIELD(own_flags, remove),
     .help = "remove rows from an index, as in 12,408,77; the others keep "
             "their numbers"},
    {"links", "N", APP_FIELD(own_flags, links),
     .help = "hnsw: neighbours of a row in the graph", .min = 2, .max = 512,
     .excludes = "add remove", .advanced = true},
    {"effort", "N", APP_FIELD(own_flags, effort),
     .help = "hnsw: candidates while the graph is built", .min = 1, .max = 1e6,
     .excludes = "add remove", .advanced = true},
    {"as-is", NULL, APP_FIELD(own_flags, as_is),
     .help = "rows have been through the recipe already",
     .excludes = "add remove", .advanced = true},
};

static const app_group own_group = APP_GROUP(
    "Model, data and index", own_options,
    (&(const own_flags){
        .side = "right", .approximate = "none", .links = 16, .effort = 200}));

/* A changed index may replace the old one; a new index may not replace its
 * model. */
static akin_status check_out(app *a, const own_flags *f)
{
    if (f->data != NULL && !akin_model_is_builtin(f->model) &&
        app_same_file(f->out, f->model))
        return app_fail(a, AKIN_EINVAL,
                        "--out: %s is also MODEL and would be overwritten",
                        f->out);
    if (f->shards > 0 && a->result_on_stdout)
        return app_fail(a, AKIN_EINVAL,
                        "--shards writes a folder, not standard output");
    return f->shards > 0 ? AKIN_OK : akin_output_check(a->ctx, f->out);
}

/* The names of the items are those of the rows from `first` on, unless some
 * items have no rows. */
static akin_status name_items(app *a, akin_index *x, int64_t first,
                              const char *path)
{
    const int64_t n = akin_index_count(x) - first;
    akin_collection *c = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, path));
    if (akin_collection_count(c) == n)
        APP_TRY(cli_item_names(a, x, first, c, NULL));
done:
    akin_collection_close(c);
    return st;
}

/* Name the rows from `first` on, which came from `data`. */
static akin_status name_rows(app *a, const own_flags *f, akin_index *x,
                             int64_t first, const char *data)
{
    if (f->names != NULL)
        return akin_index_read_names(a->ctx, x, first, f->names);
    return cli_is_folder(data) ? name_items(a, x, first, data) : AKIN_OK;
}

static akin_index_options options_of(const own_flags *f)
{
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    o.approximate = f->approximate;
    o.prune = f->prune;
    o.as_is = f->as_is;
    o.by = cli_compare(f->score);
    o.links = f->links;
    o.effort = f->effort;
    return o;
}

static akin_status build(app *a, const index_flags *f, akin_index **out)
{
    const own_flags *own = &f->own;
    const use_flags use = {.model = own->model,
                           .data = own->data,
                           .as_is = own->as_is,
                           .raw = true,
                           .turned = own->side[0] == 'l'};
    const akin_index_options o = options_of(own);
    cli_use u = {0};
    akin_status st = AKIN_OK;
    APP_TRY(cli_use_open(a, &u, &use, &f->reading, AKIN_RIGHT,
                         f->statistics.train));
    st = akin_index_build(out, a->ctx, u.model, u.data, &o);
    APP_TRY(st == AKIN_ESHAPE ? cli_in_file(a, st, u.path) : st);
    APP_TRY(name_rows(a, own, *out, 0, own->data));
done:
    cli_use_close(&u);
    return st;
}

static int64_t count_shards(const akin_index *x)
{
    int64_t n = 0;
    while (akin_index_shard(x, n) != NULL)
        ++n;
    return n;
}

/* A folder of shards, and the index that is in it. */
static akin_status build_shards(app *a, const index_flags *f, akin_index **out)
{
    const own_flags *own = &f->own;
    const akin_index_options o = options_of(own);
    akin_read_options read = cli_read_options(&f->reading, (cli_shape){0});
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    if (akin_model_is_builtin(own->model)) {
        APP_TRY(akin_model_builtin_shards(&m, a->ctx, own->model, own->data,
                                          own->shards, &read));
    } else {
        APP_TRY(cli_load_model(a, &m, own->model, own->side[0] == 'l'));
        read = cli_read_options(
            &f->reading,
            cli_shape_of_model(m, own->model, AKIN_RIGHT, own->as_is));
    }
    APP_TRY(akin_index_build_shards(a->ctx, own->out, m, own->data, own->shards,
                                    &read, &o));
    APP_TRY(akin_index_load(out, a->ctx, own->out));
    if (count_shards(*out) < own->shards)
        app_warn(a,
                 "%s has %s, not %" PRId64
                 ": there are few rows, or a file that cannot be cut",
                 own->out, app_counted(count_shards(*out), "shard").text,
                 own->shards);
done:
    akin_model_free(m);
    return st;
}

static akin_status change(app *a, const index_flags *f, akin_index **out)
{
    akin_rows *rows = NULL;
    int64_t *removed = NULL, count = 0;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(cli_row_list(a, &removed, &count, "remove", f->own.remove));
    APP_TRY(akin_index_load(&x, a->ctx, f->own.model));
    if (count > 0)
        APP_TRY(akin_index_remove(a->ctx, x, removed, count));
    if (f->own.add != NULL) {
        APP_TRY(cli_read_rows(a, &rows, f->own.add, &f->reading,
                              cli_shape_of_index(x, f->own.model, AKIN_RIGHT)));
        const int64_t first = akin_index_count(x);
        APP_TRY(akin_index_add(a->ctx, x, rows));
        APP_TRY(name_rows(a, &f->own, x, first, f->own.add));
    }
    *out = x;
    x = NULL;
done:
    akin_index_free(x);
    akin_rows_free(rows);
    free(removed);
    return st;
}

static int64_t size_of_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) ? (int64_t)s.st_size : 0;
}

static int64_t size_of(const akin_index *x, const char *path)
{
    const char *shard;
    int64_t bytes = size_of_file(path);
    for (int64_t i = 0; (shard = akin_index_shard(x, i)) != NULL; ++i)
        bytes += size_of_file(shard);
    return bytes;
}

static akin_status report(app *a, const akin_index *x, const char *path,
                          double seconds)
{
    const int64_t n = akin_index_present(x), bytes = size_of(x, path);
    if (a->common.json)
        return app_json_print(
            a,
            APP_OBJECT(APP_KEY("kind", akin_index_kind(x)), APP_KEY("rows", n),
                       APP_KEY("removed", akin_index_count(x) - n),
                       APP_KEY("bytes", bytes), APP_KEY("seconds", seconds),
                       APP_KEY("out", path)));
    return app_report(a, "%s: %s index, %s, %s, %s\n", app_shown(path),
                      akin_index_kind(x), app_counted(n, "row").text,
                      app_bytes(bytes).text, app_seconds(seconds).text);
}

static akin_status run(app *a, const void *flags)
{
    const index_flags *f = flags;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    const double start = app_now();
    APP_TRY(check_out(a, &f->own));
    if (f->own.shards > 0) {
        APP_TRY(build_shards(a, f, &x));
    } else {
        APP_TRY(f->own.data ? build(a, f, &x) : change(a, f, &x));
        APP_TRY(akin_index_save(a->ctx, x, f->own.out));
    }
    APP_TRY(report(a, x, f->own.out, app_now() - start));
done:
    akin_index_free(x);
    return st;
}

const app_command cmd_index = {
    .name = "index",
    .section = "use",
    .summary = "a search index",
    .about = "Build an index for akin search. It holds the model and its "
             "recipe: a search needs nothing else.\n"
             "Sparse rows under a diagonal model become an inverted index of "
             "raw values, and a search applies the model's weights to them. "
             "All other rows become vectors of the learned space. Both find "
             "exactly what a comparison with every row finds; --approximate "
             "hnsw is faster and may miss some rows.\n"
             "--shards is for more rows than memory holds: `--data "
             "'part-*.svm'` is read in N ranges, of one file or of many, and "
             "what is found is the same as in one index. Under mpirun, ranks "
             "build and search different shards.",
    .examples = "akin index m.safetensors --data rows.svm --out rows.index\n"
                "akin index tfidf --data rows.svm --names rows.txt --out "
                "rows.index\n"
                "akin index rows.index --add more.svm --remove 3,17 --out "
                "rows.index\n"
                "akin index tfidf --data 'part-*.svm' --shards 16 --out "
                "rows.shards",
    .size = sizeof(index_flags),
    .needs = "data|add|remove",
    .excludes = "data|add data|remove train|add train|remove",
    APP_PARTS({&own_group, offsetof(index_flags, own)},
              {&cli_statistics_group, offsetof(index_flags, statistics)},
              {&cli_reading_group, offsetof(index_flags, reading)}),
    .check_arguments = cli_check_model,
    .shared = true,
    .run = run,
};
