/* akin explain: why two rows are alike, or why a row gets a label. */
#include <akin/collection.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "app/nearest.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

enum { NUMBER_SIZE = 24 };

typedef struct own_flags {
    const char *rows, *right, *score, *label, *by;
    int64_t top;
} own_flags;

/* Two items of a collection, and where pictures are drawn. */
typedef struct picture_flags {
    const char *a, *b, *model, *out;
} picture_flags;

typedef struct explain_flags {
    use_flags use;
    own_flags own;
    picture_flags pictures;
    statistics_flags statistics;
    reading_flags reading;
    app_exact exact;
} explain_flags;

static const app_option own_options[] = {
    {"rows", "I,J", APP_FIELD(own_flags, rows),
     .help = "the two rows, numbered from 0; one row I with --label"},
    {"label", "NAME", APP_FIELD(own_flags, label),
     .help = "a model that ranks labels: why row I gets this label",
     .excludes = "right score"},
    {"right", "FILE", APP_FIELD(own_flags, right),
     .help = "J is a row of this file instead of --data", .advanced = true},
    {"by", "auto|features|pairs", APP_FIELD(own_flags, by),
     .help = "list features, or pairs of a feature of I and one of J; auto: "
             "pairs for words under a low-rank or full model",
     .excludes = "label"},
    {"top", "K", APP_FIELD(own_flags, top),
     .help = "features to list, the largest contributions first", .min = 1,
     .max = 2147483647.0},
    {"score", "dot|cosine|distance", APP_FIELD(own_flags, score),
     .help = CLI_SCORE_HELP, .advanced = true},
};

static const app_group own_group =
    APP_GROUP("What to explain", own_options,
              (&(const own_flags){.by = "auto", .top = 10}));

static const app_option picture_options[] = {
    {"A", NULL, APP_FIELD(picture_flags, a),
     .help = "an item of the collection, by row or name",
     .flags = APP_ARGUMENT},
    {"B", NULL, APP_FIELD(picture_flags, b), .help = "the other item",
     .flags = APP_ARGUMENT},
    {"model", "MODEL", APP_FIELD(picture_flags, model),
     .help = "explain by this model, or a measure without learning, instead of "
             "the collection's own",
     .advanced = true},
    {"out", "FILE", APP_FIELD(picture_flags, out),
     .help = "pictures: draw the matching regions to this file, svg or png",
     .flags = APP_OUTPUT},
};

static const app_group picture_group =
    APP_GROUP("A collection in place of MODEL", picture_options,
              (&(const picture_flags){0}));

/* ---- two rows, or a row and a label ---- */

static akin_status check_row(app *a, const akin_rows *rows, int64_t i)
{
    const int64_t n = akin_rows_count(rows);
    if (i >= 0 && i < n)
        return AKIN_OK;
    return app_fail(a, AKIN_EINVAL,
                    "--rows: there is no row %" PRId64 " (0 to %" PRId64 ")", i,
                    n - 1);
}

static akin_status read_rows(app *a, const char *text, int64_t ij[2],
                             const akin_rows *left, const akin_rows *right)
{
    char rest;
    errno = 0;
    if (sscanf(text, "%" SCNd64 ",%" SCNd64 "%c", &ij[0], &ij[1], &rest) != 2 ||
        errno == ERANGE)
        return app_fail(a, AKIN_EINVAL,
                        "--rows needs two row numbers as I,J (not '%s')", text);
    const akin_status st = check_row(a, left, ij[0]);
    return st == AKIN_OK ? check_row(a, right, ij[1]) : st;
}

/* A row and the number of a label. */
static akin_status read_label(app *a, const cli_use *u, const own_flags *f,
                              int64_t ij[2])
{
    const int64_t n = akin_model_label_count(u->model);
    app_nearest near = {.word = f->label};
    char rest;
    if (sscanf(f->rows, "%" SCNd64 "%c", &ij[0], &rest) != 1)
        return app_fail(a, AKIN_EINVAL,
                        "--label needs one row number in --rows (not '%s')",
                        f->rows);
    for (ij[1] = 0; ij[1] < n; ++ij[1]) {
        const char *name = akin_model_label_name(u->model, ij[1]);
        if (strcmp(name, f->label) == 0)
            return check_row(a, u->data, ij[0]);
        app_nearest_try(&near, name);
    }
    return app_fail(a, AKIN_EINVAL, "the model has no label '%s'%s", f->label,
                    app_nearest_hint(&near, "").text);
}

/* Names of features; without a name, the number in the data file. */
typedef struct naming {
    const akin_rows *rows;
    const akin_recipe *recipe;
    int64_t base;
    bool as_is;  // the rows have not been through the recipe
} naming;

static const char *name_of(const naming *n, int64_t feature)
{
    const char *name = akin_rows_column_name(n->rows, feature);
    if (name == NULL && n->recipe != NULL)
        name = akin_recipe_column_name(n->recipe, feature);
    return name;
}

static int64_t number_of(const naming *n, int64_t feature)
{
    if (n->recipe != NULL && !n->as_is)
        feature = akin_recipe_column(n->recipe, feature);
    return feature + n->base;
}

static naming naming_of(const cli_use *u, const akin_rows *rows, akin_side side,
                        bool as_is)
{
    return (naming){rows, akin_model_recipe(u->model, side),
                    u->first.index_base == AKIN_BASE_1, as_is};
}

/* Two rows that a model compares, and the names of their features. */
typedef struct compared {
    const akin_model *model;
    const akin_rows *left, *right;
    int64_t ij[2];
    naming names[2];
    akin_compare by;
} compared;

/* The name, or the number as text in `room`. */
static const char *shown_name(const naming *n, int64_t feature,
                              char room[NUMBER_SIZE])
{
    const char *name = name_of(n, feature);
    snprintf(room, NUMBER_SIZE, "%" PRId64, number_of(n, feature));
    return name != NULL ? name : room;
}

static akin_status print_lines(app *a, const akin_reason *r, int64_t count,
                               const naming *names)
{
    char number[NUMBER_SIZE];
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < count && st == AKIN_OK; ++i)
        st = app_print(a, "%s %s\n",
                       r[i].feature < 0
                           ? "others"
                           : shown_name(names, r[i].feature, number),
                       app_score(a, r[i].contribution).text);
    return st;
}

static json_t *feature_json(const naming *names, int64_t feature)
{
    const char *name = name_of(names, feature);
    json_t *object = APP_OBJECT(APP_KEY("feature", number_of(names, feature)));
    json_t *text = name ? json_string(name) : NULL;
    if (text != NULL)  // and is UTF-8
        json_object_set_new(object, "name", text);
    return object;
}

static json_t *reason_json(const akin_reason *r, const naming *names)
{
    json_t *reason = feature_json(names, r->feature);
    json_object_set_new(reason, "contribution", app_json_real(r->contribution));
    return reason;
}

static akin_status print_json(app *a, const akin_reason *r, int64_t count,
                              const naming *names, double score)
{
    json_t *rows = json_array();
    double others = 0.0;
    for (int64_t i = 0; i < count; ++i) {
        if (r[i].feature < 0)
            others = r[i].contribution;
        else
            json_array_append_new(rows, reason_json(&r[i], names));
    }
    return app_json_print(a, APP_OBJECT(APP_KEY("score", score),
                                        APP_KEY("reasons", rows),
                                        APP_KEY("others", others)));
}

/* The score is the sum of the contributions. */
static double sum_of(const akin_reason *r, int64_t count)
{
    double sum = 0.0;
    for (int64_t i = count - 1; i >= 0; --i)
        sum += r[i].contribution;
    return sum;
}

static akin_status explain_label(app *a, const cli_use *u, const own_flags *f,
                                 bool as_is)
{
    const naming names = naming_of(u, u->data, AKIN_LEFT, as_is);
    const int64_t dim = akin_rows_dim(u->data);
    const int64_t top = f->top < dim ? f->top : dim;
    akin_reason *r = NULL;
    int64_t ij[2] = {0, 0}, count = 0;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, top + 1, &r));
    APP_TRY(read_label(a, u, f, ij));
    APP_TRY(akin_model_explain_label(r, &count, a->ctx, u->model, u->data,
                                     ij[0], ij[1], top));
    APP_TRY(a->common.json ? print_json(a, r, count, &names, sum_of(r, count))
                           : print_lines(a, r, count, &names));
done:
    free(r);
    return st;
}

static akin_status score_of(app *a, const compared *c, double *score)
{
    return akin_model_score(score, a->ctx, c->model, c->left, c->right, c->ij,
                            1, c->by);
}

static akin_status explain_features(app *a, const compared *c, int64_t top)
{
    const int64_t dim = akin_rows_dim(c->left);
    akin_reason *r = NULL;
    int64_t count = 0;
    double score = 0.0;
    akin_status st = AKIN_OK;
    if (top > dim)
        top = dim;
    APP_TRY(APP_NEW(a, top + 1, &r));
    APP_TRY(akin_model_explain(r, &count, a->ctx, c->model, c->left, c->ij[0],
                               c->right, c->ij[1], top, c->by));
    APP_TRY(score_of(a, c, &score));
    APP_TRY(a->common.json ? print_json(a, r, count, &c->names[0], score)
                           : print_lines(a, r, count, &c->names[0]));
done:
    free(r);
    return st;
}

/* ---- pairs of features ---- */

/* "gun <-> weapon 0.21". */
static akin_status print_pairs(app *a, const akin_pair_reason *r, int64_t count,
                               const naming names[2])
{
    char left[NUMBER_SIZE], right[NUMBER_SIZE];
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < count && st == AKIN_OK; ++i) {
        const app_text value = app_score(a, r[i].contribution);
        st = r[i].left < 0 ? app_print(a, "others %s\n", value.text)
                           : app_print(a, "%s <-> %s %s\n",
                                       shown_name(&names[0], r[i].left, left),
                                       shown_name(&names[1], r[i].right, right),
                                       value.text);
    }
    return st;
}

static akin_status print_pairs_json(app *a, const akin_pair_reason *r,
                                    int64_t count, const naming names[2],
                                    double score)
{
    json_t *rows = json_array();
    double others = 0.0;
    for (int64_t i = 0; i < count; ++i) {
        if (r[i].left < 0)
            others = r[i].contribution;
        else
            json_array_append_new(
                rows, APP_OBJECT(
                          APP_KEY("left", feature_json(&names[0], r[i].left)),
                          APP_KEY("right", feature_json(&names[1], r[i].right)),
                          APP_KEY("contribution", r[i].contribution)));
    }
    return app_json_print(a, APP_OBJECT(APP_KEY("score", score),
                                        APP_KEY("pairs", rows),
                                        APP_KEY("others", others)));
}

static akin_status explain_pairs(app *a, const compared *c, int64_t top)
{
    const int32_t *columns;
    const float *values;
    const int64_t most = akin_rows_row(&columns, &values, c->left, c->ij[0]) *
                         akin_rows_row(&columns, &values, c->right, c->ij[1]);
    akin_pair_reason *r = NULL;
    int64_t count = 0;
    double score = 0.0;
    akin_status st = AKIN_OK;
    if (top > most)
        top = most;
    APP_TRY(APP_NEW(a, top + 1, &r));
    APP_TRY(akin_model_explain_pairs(r, &count, a->ctx, c->model, c->left,
                                     c->ij[0], c->right, c->ij[1], top, c->by));
    APP_TRY(score_of(a, c, &score));
    APP_TRY(a->common.json ? print_pairs_json(a, r, count, c->names, score)
                           : print_pairs(a, r, count, c->names));
done:
    free(r);
    return st;
}

static akin_status explain_compared(app *a, const compared *c,
                                    const own_flags *f)
{
    const bool pairs = strcmp(f->by, "auto") == 0
                           ? akin_rows_is_sparse(c->left) &&
                                 akin_model_has_pairs(c->model)
                           : strcmp(f->by, "pairs") == 0;
    return pairs ? explain_pairs(a, c, f->top) : explain_features(a, c, f->top);
}

static akin_status explain_rows(app *a, const cli_use *u, const own_flags *f,
                                bool as_is)
{
    compared c = {.model = u->model,
                  .left = u->data,
                  .right = u->data,
                  .by = cli_compare(f->score)};
    akin_rows *other = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(cli_use_right(a, u, &other, f->right, NULL));
    if (other != NULL)
        c.right = other;
    c.names[0] = naming_of(u, c.left, AKIN_LEFT, as_is);
    c.names[1] = naming_of(u, c.right, AKIN_RIGHT, as_is);
    APP_TRY(read_rows(a, f->rows, c.ij, c.left, c.right));
    APP_TRY(explain_compared(a, &c, f));
done:
    akin_rows_free(other);
    return st;
}

static akin_status check_flags(app *a, const own_flags *f, const akin_model *m)
{
    if (!akin_model_compares(m) && f->label == NULL)
        return app_fail(
            a, AKIN_EINVAL,
            "this model ranks labels: choose one with --label NAME");
    if (akin_model_label_count(m) == 0 && f->label != NULL)
        return app_fail(a, AKIN_EINVAL,
                        "--label is for models that rank labels");
    return AKIN_OK;
}

/* ---- two pictures of a collection ---- */

static akin_status print_regions(app *a, const akin_match *m, int64_t n)
{
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < n && st == AKIN_OK; ++i)
        st = app_print(a, "%" PRId64 " %s %.1f %.1f %.1f %.1f%s\n", m[i].word,
                       app_score(a, m[i].contribution).text, m[i].left[0],
                       m[i].left[1], m[i].right[0], m[i].right[1],
                       m[i].agrees ? " agrees" : "");
    return st;
}

static int64_t count_agreeing(const akin_match *m, int64_t n)
{
    int64_t agree = 0;
    for (int64_t i = 0; i < n; ++i)
        agree += m[i].agrees;
    return agree;
}

static akin_status print_regions_json(app *a, const akin_match *m, int64_t n,
                                      int64_t all, double score,
                                      const char *out)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n; ++i)
        json_array_append_new(
            list, APP_OBJECT(
                      APP_KEY("word", m[i].word),
                      APP_KEY("contribution", m[i].contribution),
                      APP_KEY("left", json_pack("[f,f,f]", m[i].left[0],
                                                m[i].left[1], m[i].left[2])),
                      APP_KEY("right", json_pack("[f,f,f]", m[i].right[0],
                                                 m[i].right[1], m[i].right[2])),
                      APP_KEY("agrees", (bool)m[i].agrees)));
    json_t *object = APP_OBJECT(
        APP_KEY("score", score), APP_KEY("matches", all),
        APP_KEY("agreeing", count_agreeing(m, all)), APP_KEY("regions", list));
    app_json_add_text(object, "out", out);
    return app_json_print(a, object);
}

static akin_status refuse_picture(app *a, const char *out, int64_t row)
{
    return app_fail(a, AKIN_EINVAL,
                    "--out: %s is also picture %" PRId64
                    " and would be overwritten",
                    out, row);
}

/* The drawing must not take the place of a picture: of any by its path, of the
 * two also by another name. */
static akin_status check_drawing(app *a, akin_collection *c, const char *out,
                                 const int64_t ij[2])
{
    char path[PATH_MAX];
    akin_item p;
    int64_t row = -1;
    akin_status st = AKIN_OK;
    if (realpath(out, path) == NULL)
        return AKIN_OK;
    for (int k = 0; k < 2; ++k) {
        APP_TRY(akin_collection_item(&p, a->ctx, c, ij[k]));
        if (app_same_file(out, p.path))
            return refuse_picture(a, out, ij[k]);
    }
    st = akin_collection_find(&row, a->ctx, c, path);
    if (row >= 0)
        return refuse_picture(a, out, row);
    if (st == AKIN_EINVAL)  // there is none
        st = AKIN_OK;
done:
    return st;
}

static akin_status explain_pictures(app *a, akin_collection *c,
                                    const akin_model *model,
                                    const picture_flags *f, const int64_t ij[2],
                                    int64_t top)
{
    akin_match *m = NULL;
    int64_t n = 0;
    double score = 0.0;
    akin_status st = AKIN_OK;
    if (f->out != NULL)
        APP_TRY(check_drawing(a, c, f->out, ij));
    APP_TRY(
        akin_collection_match(&m, &n, &score, a->ctx, c, model, ij[0], ij[1]));
    const int64_t shown = app_was_given(a, "top") && top < n ? top : n;
    if (f->out != NULL)
        APP_TRY(akin_collection_draw(a->ctx, c, ij[0], ij[1], m, shown, score,
                                     f->out));
    if (a->common.json)
        APP_TRY(print_regions_json(a, m, shown, n, score, f->out));
    else if (f->out == NULL)
        APP_TRY(print_regions(a, m, shown < top ? shown : top));
    else
        APP_TRY(app_report(a, "%s: score %s, %s in common, %s of them agree\n",
                           app_shown(f->out), app_score(a, score).text,
                           app_counted(n, "feature").text,
                           app_count(count_agreeing(m, n)).text));
done:
    akin_free(m);
    return st;
}

/* Documents and vectors, by their features. */
static akin_status explain_features_of(app *a, akin_collection *c,
                                       const akin_model *model,
                                       const own_flags *f, const int64_t ij[2])
{
    akin_rows *left = NULL, *right = NULL;
    compared r = {.by = cli_compare(f->score)};
    int64_t base;
    akin_status st = AKIN_OK;
    if (model != NULL)
        APP_TRY(akin_collection_use(a->ctx, c, model));
    APP_TRY(
        akin_collection_pair(&left, &right, &r.model, a->ctx, c, ij[0], ij[1]));
    APP_TRY(akin_collection_index_base(&base, a->ctx, c));
    base = base == AKIN_BASE_1;
    r.left = left;
    r.right = right;
    r.names[0] =
        (naming){left, akin_model_recipe(r.model, AKIN_LEFT), base, false};
    r.names[1] =
        (naming){right, akin_model_recipe(r.model, AKIN_RIGHT), base, false};
    APP_TRY(explain_compared(a, &r, f));
done:
    akin_rows_free(left);
    akin_rows_free(right);
    return st;
}

static akin_status explain_items(app *a, const char *path,
                                 const picture_flags *f, const own_flags *own)
{
    akin_collection *c = NULL;
    akin_model *model = NULL;
    int64_t ij[2];
    akin_status st = AKIN_OK;
    if (f->a == NULL || f->b == NULL)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "explain needs two items of %s, by row or name (see "
                         "akin help explain)",
                         path));
    APP_TRY(akin_collection_open(&c, a->ctx, path));
    const bool pictures = strcmp(akin_collection_kind(c), "images") == 0;
    APP_TRY(cli_item_row(a, c, f->a, &ij[0]));
    APP_TRY(cli_item_row(a, c, f->b, &ij[1]));
    if (f->model != NULL)
        APP_TRY(cli_item_model(a, c, f->model, &model));
    if (!pictures && f->out != NULL)
        APP_TRY(app_fail(a, AKIN_EINVAL, "--out draws pictures, and %s has %s",
                         path, akin_collection_kind(c)));
    APP_TRY(pictures ? explain_pictures(a, c, model, f, ij, own->top)
                     : explain_features_of(a, c, model, own, ij));
done:
    akin_collection_close(c);
    akin_model_free(model);
    return st;
}

/* ---- the command ---- */

/* Rows need --data and --rows, and refuse the flags of pictures. */
static akin_status check_rows_flags(app *a, const explain_flags *f)
{
    const picture_flags *p = &f->pictures;
    if (f->use.data == NULL || f->own.rows == NULL)
        return app_fail(a, AKIN_EINVAL,
                        "explain needs --%s (see akin help explain)",
                        f->use.data ? "rows I,J" : "data FILE");
    if (p->a != NULL || p->out != NULL || p->model != NULL)
        return app_fail(a, AKIN_EINVAL,
                        "%s needs a collection, and %s is not one",
                        p->out     ? "--out"
                        : p->model ? "--model"
                                   : "an item",
                        f->use.model);
    return AKIN_OK;
}

static akin_status run(app *a, const void *flags)
{
    const explain_flags *f = flags;
    cli_use u = {0};
    akin_status st = AKIN_OK;
    if (cli_is_folder(f->use.model))
        return explain_items(a, f->use.model, &f->pictures, &f->own);
    APP_TRY(check_rows_flags(a, f));
    APP_TRY(cli_use_open(a, &u, &f->use, &f->reading, AKIN_LEFT,
                         f->statistics.train));
    APP_TRY(check_flags(a, &f->own, u.model));
    APP_TRY((f->own.label ? explain_label : explain_rows)(a, &u, &f->own,
                                                          f->use.as_is));
done:
    cli_use_close(&u);
    return st;
}

const app_command cmd_explain = {
    .name = "explain",
    .section = "use",
    .summary = "why two items are alike",
    .about =
        "Print lines `feature contribution`, the largest contributions "
        "first and the sum of all others last; they add up to the score. "
        "A feature has its name where the model or the data has one (a "
        "csv header, the terms of akin text), and otherwise its number in "
        "the data file. Where every word of one row meets every word of "
        "the other, as under low-rank and full models, the lines are `word "
        "<-> word contribution`: a word of row I, one of row J. Of a "
        "model that ranks labels, --label chooses the "
        "label whose score is explained; of a model of kind posterior, it "
        "explains the logarithm of the probability. Of a model between "
        "two kinds of "
        "rows, the features are those of --data; a kernel model has no "
        "features, and its whole score is `others`.\n"
        "Two documents or vectors of a collection are compared the same way. "
        "For two pictures of a collection, print lines `word contribution "
        "x y x y`: a feature that both have and its place in each, with "
        "`agrees` where it moves from one picture to the other as most "
        "features do. --out draws them.",
    .examples = "akin explain m.safetensors --data rows.svm --rows 3,14 --top "
                "5\n"
                "akin explain ranker.safetensors --data rows.svm --rows 3 "
                "--label sport\n"
                "akin explain photos.akin a.jpg b.jpg --out why.svg",
    .size = sizeof(explain_flags),
    APP_PARTS({&cli_use_some_group, offsetof(explain_flags, use)},
              {&own_group, offsetof(explain_flags, own)},
              {&picture_group, offsetof(explain_flags, pictures)},
              {&cli_statistics_group, offsetof(explain_flags, statistics)},
              {&cli_reading_group, offsetof(explain_flags, reading)},
              {&app_exact_group, offsetof(explain_flags, exact)}),
    .check_arguments = cli_check_model,
    .run = run,
};
