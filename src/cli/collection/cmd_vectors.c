/* akin vectors: rows with names become a collection. */
#include <akin/collection.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/collection/report.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *in, *out, *add, *model, *names, *fields;
    bool force;
} own_flags;

typedef struct vectors_flags {
    own_flags own;
    reading_flags reading;
} vectors_flags;

static const app_option own_options[] = {
    {"ROWS", NULL, APP_FIELD(own_flags, in),
     .help = "a file of rows: embeddings, counts, ...; a collection with --add "
             "or --model",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"out", "COLLECTION", APP_FIELD(own_flags, out),
     .help = "the collection to write, a folder"},
    {"add", "ROWS", APP_FIELD(own_flags, add),
     .help = "add rows to a collection; those whose name is there are "
             "replaced"},
    {"model", "MODEL", APP_FIELD(own_flags, model),
     .help =
         "the model that searches the collection from now on: a file from akin "
         "train --data COLLECTION, a measure without learning, or auto"},
    {"names", "FILE", APP_FIELD(own_flags, names),
     .help = "the name of each row, one per line; without it the names in "
             "--fields, or else numbers"},
    {"fields", "CSV", APP_FIELD(own_flags, fields),
     .help = "a record for each row, with a header: id, name, title or key is "
             "its name, label or labels its labels, others are fields"},
    {"force", NULL, APP_FIELD(own_flags, force),
     .help = "replace an existing collection at --out", .needs = "out"},
};

static const app_group own_group =
    APP_GROUP("Rows and collection", own_options, (&(const own_flags){0}));

static const report_words words = {"vector", NULL, "column", false};

/* Rows to add have columns as those that are there. */
static akin_status read_rows(app *a, const vectors_flags *f, akin_rows **out)
{
    const own_flags *own = &f->own;
    akin_collection *c = NULL;
    cli_shape shape = {0};
    akin_status st = AKIN_OK;
    if (own->add != NULL) {
        APP_TRY(akin_collection_open(&c, a->ctx, own->in));
        APP_TRY(akin_collection_index_base(&shape.index_base, a->ctx, c));
    }
    APP_TRY(cli_read_rows(a, out, own->add ? own->add : own->in, &f->reading,
                          shape));
done:
    akin_collection_close(c);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const vectors_flags *f = flags;
    const own_flags *own = &f->own;
    const char *path = own->out ? own->out : own->in;
    const akin_vectors_options o = {.size = sizeof o,
                                    .names = own->names,
                                    .fields = own->fields,
                                    .force = own->force};
    const double start = app_now();
    akin_items_info info = {0};
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    if (own->model != NULL)
        return cli_item_set_model(a, own->in, own->model);
    APP_TRY(read_rows(a, f, &rows));
    st = own->out ? akin_vectors_make(a->ctx, path, rows, &o, &info)
                  : akin_vectors_add(a->ctx, path, rows, &o, &info);
    if (st == AKIN_ESHAPE)
        st = cli_in_file(a, st, own->out ? own->in : own->add);
    APP_TRY(st);
    APP_TRY(report_items(a, &words, &info, path, app_now() - start));
done:
    akin_rows_free(rows);
    return st;
}

const app_command cmd_vectors = {
    .name = "vectors",
    .section = "collections",
    .summary = "make rows with names searchable",
    .about =
        "Make a collection of rows from anywhere: embeddings, counts, "
        "measurements. Each row is an item with a name, labels and fields.\n"
        "The collection is a folder. Wherever akin takes a file of rows it "
        "takes a collection. Sparse rows are compared by square roots of "
        "counts, times idf, and dense ones by the cosine, until --model sets "
        "another measure.",
    .examples = "akin vectors photos.npy --names photos.txt --out photos.akin\n"
                "akin vectors words.svm --fields films.csv --out films.akin\n"
                "akin search films.akin --like Alien --where 'year < 1990'\n"
                "akin vectors films.akin --add new.svm --fields new.csv",
    .size = sizeof(vectors_flags),
    .needs = "out|add|model",
    .excludes = "out|add|model",
    APP_PARTS({&own_group, offsetof(vectors_flags, own)},
              {&cli_reading_group, offsetof(vectors_flags, reading)}),
    .run = run,
};
