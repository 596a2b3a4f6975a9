/* akin codebook: words for a user's own local descriptors, and counts of them.
 */
#include <akin/codebook.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"

typedef struct codebook_flags {
    const char *input, *out, *codebook, *bags, *names, *collection;
    int64_t words, sample;
    bool force;
} codebook_flags;

static const app_option options[] = {
    {"DESCRIPTORS", NULL, APP_FIELD(codebook_flags, input),
     .help = "a folder with a file of rows for each item (.npy, .fvecs, .csv "
             "and others), in sub-folders by label; or one file, which is one "
             "item",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"out", "FILE", APP_FIELD(codebook_flags, out),
     .help = "the codebook to write", .flags = APP_OUTPUT | APP_BINARY},
    {"words", "N", APP_FIELD(codebook_flags, words),
     .help = "size of the codebook; auto: 10,000, or a tenth of the sample",
     .min = 1, .max = 2147483647.0, .zero = "auto", .excludes = "codebook"},
    {"sample", "N", APP_FIELD(codebook_flags, sample),
     .help = "descriptors that words are learned from, of items drawn at "
             "random; auto: 30 for each word, at least 100,000",
     .min = 1, .max = 1e12, .zero = "auto", .excludes = "codebook",
     .advanced = true},
    {"codebook", "FILE", APP_FIELD(codebook_flags, codebook),
     .help = "take the words of this file, or of a collection, instead of "
             "learning them",
     .needs = "bags|collection", .excludes = "out"},
    {"collection", "COLLECTION", APP_FIELD(codebook_flags, collection),
     .help = "make a collection of the items, a folder that has the words too",
     .excludes = "out bags names"},
    {"force", NULL, APP_FIELD(codebook_flags, force),
     .help = "replace an existing collection", .needs = "collection"},
    {"bags", "FILE", APP_FIELD(codebook_flags, bags),
     .help = "write a row for each item: how often it has each word; for akin "
             "vectors, akin train, akin search --queries",
     .flags = APP_OUTPUT | APP_ROWS},
    {"names", "FILE", APP_FIELD(codebook_flags, names),
     .help = "write the names of the items, one per line, for akin vectors "
             "--names",
     .flags = APP_OUTPUT, .needs = "bags"},
};

static const app_group group =
    APP_GROUP("Descriptors and words", options, (&(const codebook_flags){0}));

static akin_status report(app *a, const codebook_flags *f,
                          const akin_codebook_info *i)
{
    const char *path = f->collection ? f->collection
                       : f->bags     ? f->bags
                                     : f->out;
    if (a->common.json) {
        json_t *all = APP_OBJECT(
            APP_KEY("words", i->words), APP_KEY("dim", i->dim),
            APP_KEY("sample", i->sample), APP_KEY("rows", i->items),
            APP_KEY("descriptors", i->descriptors),
            APP_KEY("labels", i->classes), APP_KEY("skipped", i->left_out));
        app_json_add_text(all, "out", path);
        return app_json_print(a, all);
    }
    if (i->items == 0)
        return app_report(a, "%s: %s of %s, from %s\n", app_shown(path),
                          app_counted(i->words, "word").text,
                          app_counted(i->dim, "number").text,
                          app_counted(i->sample, "descriptor").text);
    return app_report(a, "%s: %s with %s, %s, %s%s\n", app_shown(path),
                      app_counted(i->items, "item").text,
                      app_counted(i->descriptors, "descriptor").text,
                      app_counted(i->words, "word").text,
                      app_count(i->classes).text,
                      i->classes == 1 ? " class" : " classes");
}

/* The files appear together; a collection is written by itself. */
static akin_status count(app *a, const codebook_flags *f,
                         const akin_codebook_options *o,
                         akin_codebook_info *info)
{
    akin_outputs files;
    akin_rows *bags = NULL;
    if (f->collection != NULL)
        return akin_codebook_count(NULL, a->ctx, f->input, o, info);
    akin_outputs_begin(a->ctx, &files);
    akin_status st =
        akin_codebook_count(f->bags ? &bags : NULL, a->ctx, f->input, o, info);
    if (st == AKIN_OK && f->bags != NULL)
        st = akin_rows_write(a->ctx, bags, f->bags);
    st = akin_outputs_end(a->ctx, &files, st);
    akin_rows_free(bags);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const codebook_flags *f = flags;
    akin_codebook_options o = AKIN_CODEBOOK_DEFAULTS;
    akin_codebook_info info;
    o.words = f->words;
    o.sample = f->sample;
    o.codebook = f->codebook;
    o.out = f->out;
    o.names = f->names;
    o.collection = f->collection;
    o.force = f->force;
    const akin_status st = count(a, f, &o, &info);
    if (st != AKIN_OK)
        return st;
    app_progress_clear(&a->progress);
    return report(a, f, &info);
}

const app_command cmd_codebook = {
    .name = "codebook",
    .section = "collections",
    .summary = "words for local descriptors of your own",
    .about =
        "Learn words from local descriptors of any kind and dimension, by "
        "k-means, and count the words of each item: a file whose rows are its "
        "descriptors. A collection of the items is one of vectors. New items "
        "are counted by the same words with --codebook, for akin search "
        "--queries and akin vectors --add.",
    .examples =
        "akin codebook patches/ --words 1000 --collection patches.akin\n"
        "akin codebook new.npy --codebook patches.akin --bags new.svm\n"
        "akin search patches.akin --queries new.svm\n"
        "akin codebook patches/ --out words.safetensors --bags bags.svm "
        "--names names.txt",
    .size = sizeof(codebook_flags),
    .needs = "out|bags|collection",
    APP_PARTS({&group, 0}),
    .shared = true,
    .alone = "collection",
    .run = run,
};
