/* akin images: make a folder of pictures searchable. */
#include <akin/collection.h>
#include <inttypes.h>
#include <string.h>

#include "app/json.h"
#include "app/ranks.h"
#include "app/text.h"
#include "cli/collection/report.h"
#include "cli/collection/watch.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct own_flags {
    const char *in, *out, *add, *model, *labels, *label_column;
    bool force, strict, prune, restore, watch;
} own_flags;

typedef struct images_flags {
    own_flags own;
    akin_images_options how;
} images_flags;

static const app_option own_options[] = {
    {"DIR", NULL, APP_FIELD(own_flags, in),
     .help = "a folder of pictures; a collection with --add, --model or "
             "--prune",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"out", "COLLECTION", APP_FIELD(own_flags, out),
     .help =
         "the collection to write, a folder; an interrupted run is resumed"},
    {"add", "DIR", APP_FIELD(own_flags, add),
     .help = "add pictures to a collection"},
    {"model", "MODEL", APP_FIELD(own_flags, model),
     .help =
         "the model that searches the collection from now on: a file from akin "
         "train --data COLLECTION, a measure without learning, or auto: "
         "square roots of counts, times idf"},
    {"labels", "CSV", APP_FIELD(own_flags, labels),
     .help = "labels of the pictures: a header with file (below DIR) and "
             "label (or class, target, y), several separated by ;. Without it, "
             "the sub-folder of DIR that a picture is in"},
    {"label-column", "NAME|N", APP_FIELD(own_flags, label_column),
     .help = "csv: the column that holds labels", .advanced = true},
    {"force", NULL, APP_FIELD(own_flags, force),
     .help = "replace an existing collection at --out", .needs = "out"},
    {"prune", NULL, APP_FIELD(own_flags, prune),
     .help = "remove pictures from a collection whose files are gone, also "
             "with --add",
     .excludes = "model"},
    {"restore", NULL, APP_FIELD(own_flags, restore),
     .help = "also add pictures that were removed from the collection earlier",
     .needs = "add", .advanced = true},
    {"watch", NULL, APP_FIELD(own_flags, watch),
     .help =
         "keep looking for pictures that are new or changed, until interrupted",
     .needs = "out|add"},
    {"strict", NULL, APP_FIELD(own_flags, strict),
     .help = "exit 2 when a picture is skipped", .advanced = true},
};

static const app_group own_group =
    APP_GROUP("Pictures and collection", own_options, (&(const own_flags){0}));

static const akin_images_options standard = AKIN_IMAGES_DEFAULTS;

#define FIELD(field) APP_FIELD(akin_images_options, field)

static const app_option how_options[] = {
    {"side", "N", FIELD(side),
     .help = "pixels of the longest side; larger pictures are shrunk first",
     .min = 32, .max = 16384, .advanced = true},
    {"first-octave", "N", FIELD(first_octave),
     .help = "first octave of the features; -1: doubles small pictures, "
             "which then have more features",
     .min = -1, .max = 2, .advanced = true},
    {"words", "N", FIELD(words),
     .help = "size of the codebook; auto: 10,000, or a tenth of the sample",
     .min = 1, .max = 2147483647.0, .zero = "auto"},
    {"sample", "N", FIELD(sample),
     .help = "descriptors that words are learned from, of pictures drawn at "
             "random; auto: 30 for each word, at least 100,000",
     .min = 1, .max = 1e12, .zero = "auto", .advanced = true},
    {"batch", "N", FIELD(batch),
     .help = "learn words from batches of this many descriptors, drawn for "
             "each iteration, until each has been seen about three times: "
             "faster, slightly worse words; auto: all in each of at most "
             "10 iterations",
     .min = 1, .max = 1e12, .zero = "auto", .advanced = true},
    {"codebook", "FILE", FIELD(codebook),
     .help = "take the words of this file, or of another collection, instead "
             "of learning them",
     .advanced = true},
    {"colours", "none|luv|hsv", FIELD(colours),
     .help = "also write 225 colour moments of each picture, to "
             "COLLECTION/colours.safetensors",
     .advanced = true},
};

static const app_group how_group =
    APP_GROUP_NEEDS("From pictures to words", how_options, &standard, "out");

static const report_words words = {"picture", "descriptor", "word", true};

/* The first time the collection is made, or added to. */
static akin_status add(app *a, const void *flags, bool first)
{
    const images_flags *f = flags;
    const own_flags *own = &f->own;
    const char *path = own->out ? own->out : own->in;
    akin_images_options o = f->how;
    akin_items_info info = {0};
    const double start = app_now();
    akin_status st = AKIN_OK;
    o.labels = own->labels;
    o.label_column = own->label_column;
    o.force = own->force;
    o.prune = own->prune;
    o.restore = own->restore;
    APP_TRY(own->out && first
                ? akin_images_make(a->ctx, path, own->in, &o, &info)
                : akin_images_add(a->ctx, path, own->out ? own->in : own->add,
                                  &o, &info));
    APP_TRY(report_look(a, &words, &info, path, app_now() - start, first,
                        own->strict));
done:
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const images_flags *f = flags;
    if ((f->own.model != NULL || f->own.watch) && app_ranks_leave(a))
        return AKIN_OK;
    if (f->own.model != NULL)
        return cli_item_set_model(a, f->own.in, f->own.model);
    return watch(a, add, flags, f->own.watch);
}

const app_command cmd_images = {
    .name = "images",
    .section = "collections",
    .summary = "make a folder of pictures searchable",
    .about =
        "Find pictures in a folder and below it, describe each by local "
        "features (RootSIFT), learn visual words from a part of them, count "
        "the words of each picture, and make an index.\n"
        "The collection is a folder. Wherever akin takes a file of rows it "
        "takes a collection, whose rows are the pictures in the order they "
        "came; their labels are the sub-folders of DIR, or those of --labels.\n"
        "Repeat an interrupted command to resume it. Pictures that cannot be "
        "read are named and skipped.",
    .examples = "akin images photos/ --out photos.akin\n"
                "akin search photos.akin --image new.jpg\n"
                "akin train solis-ada --data photos.akin --out m.safetensors\n"
                "akin images photos.akin --model m.safetensors\n"
                "akin images photos.akin --add more/",
    .size = sizeof(images_flags),
    .needs = "out|add|model|prune",
    .excludes = "out|add|model",
    APP_PARTS({&own_group, offsetof(images_flags, own)},
              {&how_group, offsetof(images_flags, how)}),
    .shared = true,
    .run = run,
};
