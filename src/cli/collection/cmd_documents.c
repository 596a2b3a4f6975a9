/* akin documents: make documents searchable. */
#include <akin/collection.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/collection/report.h"
#include "cli/collection/watch.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *in, *out, *add, *model, *labels, *label_column;
    const char *text_column, *name_column;
    bool header, force, strict, prune, restore, watch;
} own_flags;

typedef struct documents_flags {
    own_flags own;
    akin_documents_options how;
} documents_flags;

static const app_option own_options[] = {
    {"INPUT", NULL, APP_FIELD(own_flags, in),
     .help = "a folder of text files, or a .csv, .tsv or .jsonl with a text in "
             "each record; a collection with --add, --model or --prune",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"out", "COLLECTION", APP_FIELD(own_flags, out),
     .help =
         "the collection to write, a folder; an interrupted run is resumed"},
    {"add", "INPUT", APP_FIELD(own_flags, add),
     .help = "add documents to a collection; those that changed are counted "
             "again"},
    {"model", "MODEL", APP_FIELD(own_flags, model),
     .help =
         "the model that searches the collection from now on: a file from akin "
         "train --data COLLECTION, a measure without learning, or auto: "
         "square roots of counts, times idf"},
    {"labels", "CSV", APP_FIELD(own_flags, labels),
     .help = "labels of files: a header with file (below the folder) and label "
             "(or class, target, y), several separated by ;. Without it, the "
             "sub-folder that a file is in"},
    {"text-column", "NAME|N", APP_FIELD(own_flags, text_column),
     .help = "csv, jsonl: the text [text, body or content]",
     .needs = "out|add"},
    {"label-column", "NAME|N", APP_FIELD(own_flags, label_column),
     .help = "csv, jsonl: labels [label, class, target, y or labels]; or none",
     .needs = "out|add"},
    {"name-column", "NAME|N", APP_FIELD(own_flags, name_column),
     .help = "csv, jsonl: the name [id, name, title or key]",
     .needs = "out|add"},
    {"header", NULL, APP_FIELD(own_flags, header),
     .help = "csv: the first line holds names although columns are given by "
             "number",
     .needs = "out|add", .advanced = true},
    {"force", NULL, APP_FIELD(own_flags, force),
     .help = "replace an existing collection at --out", .needs = "out"},
    {"prune", NULL, APP_FIELD(own_flags, prune),
     .help = "remove documents from a collection that are gone, also with "
             "--add",
     .excludes = "model"},
    {"restore", NULL, APP_FIELD(own_flags, restore),
     .help = "also add documents that were removed from the collection earlier",
     .needs = "add", .advanced = true},
    {"watch", NULL, APP_FIELD(own_flags, watch),
     .help = "keep looking for documents that are new or changed, until "
             "interrupted",
     .needs = "out|add"},
    {"strict", NULL, APP_FIELD(own_flags, strict),
     .help = "exit 2 when a document is skipped", .advanced = true},
};

static const app_group own_group =
    APP_GROUP("Documents and collection", own_options, (&(const own_flags){0}));

static const akin_documents_options standard = AKIN_DOCUMENTS_DEFAULTS;

#define FIELD(field) APP_FIELD(akin_documents_options, field)

static const app_option how_options[] = {
    {"stop-words", "english|none|FILE", FIELD(stop_words),
     .help = "words to ignore: the built-in list, none, or those of a file"},
    {"min-length", "N", FIELD(min_length),
     .help = "characters of the shortest word that counts", .min = 1,
     .max = 100, .advanced = true},
    {"max-length", "N", FIELD(max_length),
     .help = "characters of the longest word that counts", .min = 1, .max = 100,
     .advanced = true},
};

static const app_group how_group =
    APP_GROUP_NEEDS("Words", how_options, &standard, "out");

static const report_words words = {"document", "word", "term", true};

static akin_documents_options options_of(const documents_flags *f)
{
    akin_documents_options o = f->how;
    o.labels = f->own.labels;
    o.label_column = f->own.label_column;
    o.text_column = f->own.text_column;
    o.name_column = f->own.name_column;
    o.header = f->own.header;
    o.force = f->own.force;
    o.prune = f->own.prune;
    o.restore = f->own.restore;
    return o;
}

/* The first time the collection is made, or added to. */
static akin_status add(app *a, const void *flags, bool first)
{
    const documents_flags *f = flags;
    const own_flags *own = &f->own;
    const char *path = own->out ? own->out : own->in;
    const akin_documents_options o = options_of(f);
    akin_items_info info = {0};
    const double start = app_now();
    akin_status st = AKIN_OK;
    APP_TRY(own->out && first
                ? akin_documents_make(a->ctx, path, own->in, &o, &info)
                : akin_documents_add(a->ctx, path,
                                     own->out ? own->in : own->add, &o, &info));
    APP_TRY(report_look(a, &words, &info, path, app_now() - start, first,
                        own->strict));
done:
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const documents_flags *f = flags;
    if (f->own.model != NULL)
        return cli_item_set_model(a, f->own.in, f->own.model);
    return watch(a, add, flags, f->own.watch);
}

const app_command cmd_documents = {
    .name = "documents",
    .section = "collections",
    .summary = "make documents searchable",
    .about =
        "Count the words of documents, as akin text does, and make an index. A "
        "document is a file of a folder, with its path as its name, or a "
        "record of a csv or JSON lines file, with its id, name, title or key; "
        "all other columns are its fields.\n"
        "The collection is a folder. Wherever akin takes a file of rows it "
        "takes a collection, whose rows are the documents in the order they "
        "came.\n"
        "Repeat an interrupted command to resume it. Documents that cannot be "
        "read are named and skipped.",
    .examples = "akin documents news/ --out news.akin\n"
                "akin search news.akin --text \"orbit of the moon\"\n"
                "akin documents news.akin --add more.jsonl\n"
                "akin train solis-ada --data news.akin --out m.safetensors\n"
                "akin documents news.akin --model m.safetensors",
    .size = sizeof(documents_flags),
    .needs = "out|add|model|prune",
    .excludes = "out|add|model",
    APP_PARTS({&own_group, offsetof(documents_flags, own)},
              {&how_group, offsetof(documents_flags, how)}),
    .run = run,
};
