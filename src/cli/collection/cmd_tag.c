/* akin tag: labels for a new item, by a model that knows labels or by the
 * nearest items of a collection. */
#include <akin/collection.h>
#include <akin/eval.h>
#include <akin/text.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct tag_flags {
    const char *from, *image, *text, *document, *model;
    int64_t top, k;
} tag_flags;

static const app_option options[] = {
    {"COLLECTION|MODEL", NULL, APP_FIELD(tag_flags, from),
     .help = "a collection with labels, or a model that knows labels",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"image", "FILE", APP_FIELD(tag_flags, image),
     .help = "a picture, for a collection of pictures"},
    {"text", "TEXT", APP_FIELD(tag_flags, text),
     .help = "a text, for a collection of documents or a model with the words "
             "of akin text"},
    {"document", "FILE", APP_FIELD(tag_flags, document),
     .help = "a text in a file, for a collection of documents"},
    {"model", "MODEL", APP_FIELD(tag_flags, model),
     .help = "a collection: the labels of this model, learned from its rows, "
             "instead of those of neighbours"},
    {"top", "N", APP_FIELD(tag_flags, top),
     .help = "labels to list, the best first", .min = 1, .max = 1e6},
    {"k", "N", APP_FIELD(tag_flags, k),
     .help = "a collection: nearest items with a label that vote", .min = 1,
     .max = 1e6, .excludes = "model"},
};

static const app_group group = APP_GROUP(
    "Item and labels", options, (&(const tag_flags){.top = 5, .k = 20}));

/* ---- the labels ---- */

static akin_status print_tags(app *a, const akin_tag *tags, int64_t n)
{
    akin_status st = AKIN_OK;
    json_t *list = json_array();
    for (int64_t i = 0; i < n && st == AKIN_OK; ++i)
        if (a->common.json)
            json_array_append_new(
                list,
                APP_OBJECT(APP_KEY("label", app_json_string(tags[i].label)),
                           APP_KEY("score", tags[i].score)));
        else
            st = app_print(a, "%s %s\n", tags[i].label,
                           app_score(a, tags[i].score).text);
    if (!a->common.json) {
        json_decref(list);
        return st;
    }
    return app_json_print(a, APP_OBJECT(APP_KEY("labels", list)));
}

static akin_status need_labels(app *a, const akin_model *m, const char *name)
{
    if (akin_model_label_count(m) > 0)
        return AKIN_OK;
    return app_fail(a, AKIN_EINVAL,
                    "%s knows no labels (expected a model of logistic, "
                    "perceptron or another learner that ranks labels)",
                    app_shown(name));
}

/* By a model, from one raw row. */
static akin_status rank(app *a, const akin_model *m, const akin_rows *raw,
                        int64_t top)
{
    const int64_t n = akin_model_label_count(m);
    akin_rows *row = NULL;
    int32_t *labels = NULL;
    double *scores = NULL;
    akin_tag *tags = NULL;
    int64_t count = 0;
    akin_status st = AKIN_OK;
    if (top > n)
        top = n;
    APP_TRY(APP_NEW(a, top, &labels));
    APP_TRY(APP_NEW(a, top, &scores));
    APP_TRY(APP_NEW(a, top, &tags));
    APP_TRY(akin_model_prepare(&row, a->ctx, m, raw, AKIN_LEFT));
    APP_TRY(akin_rank_labels(labels, scores, a->ctx, m, row, top));
    for (; count < top && labels[count] >= 0; ++count)
        tags[count] = (akin_tag){
            (char *)akin_model_label_name(m, labels[count]), scores[count]};
    APP_TRY(print_tags(a, tags, count));
done:
    akin_rows_free(row);
    free(labels);
    free(scores);
    free(tags);
    return st;
}

/* ---- the item ---- */

static akin_status describe(app *a, akin_collection *c, const tag_flags *f,
                            akin_rows **out)
{
    const char *kind = f->image ? "images" : "documents";
    const char *file = f->image ? f->image : f->document;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_ask(a->ctx, c, kind));
    APP_TRY(f->text ? akin_collection_describe_text(out, a->ctx, c, &f->text,
                                                    NULL, 1)
                    : akin_collection_describe(out, a->ctx, c, &file, 1));
    if (akin_rows_nonzeros(*out) == 0)
        app_remark(a, "%s: nothing in it that the collection knows",
                   f->text ? "--text" : app_shown(file));
done:
    return st;
}

static akin_status tag_by_collection(app *a, const tag_flags *f)
{
    akin_collection *c = NULL;
    akin_model *m = NULL;
    akin_rows *row = NULL;
    akin_tag *tags = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, f->from));
    if (f->model != NULL) {
        APP_TRY(akin_model_load(&m, a->ctx, f->model));
        APP_TRY(need_labels(a, m, f->model));
    }
    APP_TRY(describe(a, c, f, &row));
    if (m != NULL) {
        APP_TRY(cli_in_file(a, rank(a, m, row, f->top), f->model));
        goto done;
    }
    const bool known = akin_rows_nonzeros(row) > 0;
    if (known)
        APP_TRY(akin_collection_tag(&tags, &n, a->ctx, c, row, f->k));
    if (n == 0 && known)
        APP_TRY(app_fail(a, AKIN_EINVAL, "%s: no item near it has a label",
                         app_shown(f->from)));
    APP_TRY(print_tags(a, tags, n < f->top ? n : f->top));
done:
    akin_tags_free(tags);
    akin_rows_free(row);
    akin_model_free(m);
    akin_collection_close(c);
    return st;
}

/* Words are counted by the recipe of the model. */
static akin_status tag_by_model(app *a, const tag_flags *f)
{
    akin_model *m = NULL;
    akin_rows *row = NULL;
    akin_status st = AKIN_OK;
    if (f->text == NULL || f->model != NULL)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "--%s needs a collection, and %s is not one",
                         f->image      ? "image"
                         : f->document ? "document"
                                       : "model",
                         app_shown(f->from)));
    if (app_was_given(a, "k"))
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "--k is for neighbours of a collection; a model ranks "
                         "labels itself"));
    APP_TRY(akin_model_load(&m, a->ctx, f->from));
    APP_TRY(need_labels(a, m, f->from));
    APP_TRY(cli_in_file(a,
                        akin_text_count(&row, a->ctx, &f->text, NULL, 1,
                                        akin_model_recipe(m, AKIN_LEFT), NULL),
                        f->from));
    if (akin_rows_nonzeros(row) == 0)
        app_remark(a, "--text: nothing in it that the model knows");
    APP_TRY(rank(a, m, row, f->top));
done:
    akin_rows_free(row);
    akin_model_free(m);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const tag_flags *f = flags;
    return cli_is_folder(f->from) ? tag_by_collection(a, f)
                                  : tag_by_model(a, f);
}

const app_command cmd_tag = {
    .name = "tag",
    .section = "collections",
    .summary = "labels for a new item",
    .about =
        "Print lines `label score`, the best first. By a collection, the "
        "labels of the nearest items that have one vote, nearer ones with more "
        "weight; the score is the share of the votes. By a model that knows "
        "labels, the score is that of the model: of logistic a probability. "
        "akin predict is for rows of numbers.",
    .examples = "akin tag photos.akin --image new.jpg\n"
                "akin tag news.akin --text 'the rocket reached its orbit'\n"
                "akin tag topics.safetensors --text 'the rocket reached its "
                "orbit' --top 3",
    .size = sizeof(tag_flags),
    .needs = "image|text|document",
    .excludes = "image|text|document",
    APP_PARTS({&group, 0}),
    .run = run,
};
