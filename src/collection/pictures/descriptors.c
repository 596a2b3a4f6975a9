/* Local descriptors of users, in files of rows: words are learned from a sample
 * of them, and each file becomes a row of counts. */
#include <akin/codebook.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/rng.h"
#include "collection/derive.h"
#include "collection/pictures/codebook.h"
#include "data/io/row_builder.h"
#include "data/rows.h"
#include "text/folder.h"

typedef struct count_run {
    akin_ctx *ctx;
    const char *input;
    akin_codebook_options o;
    akin_codebook_info info;
    ak_folder files;
    bool is_file;  // the input, rather than a folder
    ak_codebook *codebook;
    ak_visual_words_origin origin;
    float *sample;  // n_sample x info.dim
    int64_t n_sample, room;
    unsigned char *unreadable;  // of the files, by number
} count_run;

/* ---- files ---- */

static akin_status list_files(count_run *r)
{
    ak_warnings warnings = {.all = true};
    const akin_status st =
        ak_folder_list(&r->files, r->ctx, r->input, &warnings);
    r->info.left_out += warnings.n[AK_SKIPPED_UNREADABLE];
    return st;
}

/* One file is one item, without a label. */
static akin_status list_one(count_run *r)
{
    r->is_file = true;
    AK_CHECK(AK_NEW(r->ctx, 1, &r->files.documents));
    r->files.n = 1;
    r->files.documents[0].label = -1;
    return ak_strdup(r->ctx, r->input, &r->files.documents[0].path);
}

static const char *name_of(const count_run *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (r->is_file)
        return slash ? slash + 1 : path;
    path += strlen(r->input);
    while (*path == '/')
        ++path;
    return path;
}

static akin_status check_columns(count_run *r, const akin_rows *rows,
                                 const char *path)
{
    if (r->info.dim == 0)
        r->info.dim = rows->d;
    if (rows->d == r->info.dim)
        return AKIN_OK;
    return ak_fail(r->ctx, AKIN_ESHAPE,
                   "%s: descriptors of %" PRId64 " numbers (expected %" PRId64
                   ", as in %s)",
                   path, rows->d, r->info.dim,
                   r->o.codebook ? r->o.codebook : "the files before");
}

/* A file of a folder that is no rows is left out: *out is NULL then. */
static akin_status read_file(count_run *r, int64_t k, akin_rows **out)
{
    const char *path = r->files.documents[k].path;
    akin_read_options o = AKIN_READ_DEFAULTS;
    o.label_column = "none";
    *out = NULL;
    if (r->unreadable[k])
        return AKIN_OK;
    const akin_status st = akin_rows_read(out, r->ctx, path, &o);
    const bool is_bad = st == AKIN_EFORMAT || st == AKIN_EINVAL ||
                        st == AKIN_ENOENT || st == AKIN_ESHAPE;
    if (is_bad && !r->is_file) {
        ak_log(r->ctx, AKIN_LOG_WARNING, "%s; skipped",
               akin_ctx_message(r->ctx));
        r->unreadable[k] = 1;
        ++r->info.left_out;
        return AKIN_OK;
    }
    if (st != AKIN_OK)
        return st;
    return check_columns(r, *out, path);
}

/* ---- words ---- */

static akin_status add_to_sample(count_run *r, const akin_rows *rows)
{
    const int64_t d = r->info.dim;
    AK_CHECK(ak_grow(r->ctx, (r->n_sample + rows->n) * d, &r->room,
                     sizeof *r->sample, &r->sample));
    for (int64_t i = 0; i < rows->n; ++i) {
        float *to = r->sample + (r->n_sample + i) * d;
        const float *from = ak_rows_full(rows, i, to);
        if (from != to)
            memcpy(to, from, (size_t)d * sizeof *to);
    }
    r->n_sample += rows->n;
    return AKIN_OK;
}

/* Files at random until there are enough descriptors. */
static akin_status draw_sample(count_run *r)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const int64_t wanted = r->o.sample ? r->o.sample
                                       : ak_visual_words_sample(r->o.words);
    ak_rng rng = ak_rng_new(akin_ctx_seed(r->ctx), AK_STREAM_PICTURES);
    akin_rows *rows = NULL;
    int64_t *order;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, r->files.n, &order));
    for (int64_t i = 0; i < r->files.n; ++i)
        order[i] = i;
    ak_rng_shuffle(&rng, r->files.n, order);
    for (int64_t i = 0; i < r->files.n && r->n_sample < wanted; ++i) {
        AK_TRY(
            ak_ctx_tick(r->ctx, "files for the codebook", i, r->files.n, NAN));
        AK_TRY(read_file(r, order[i], &rows));
        if (rows != NULL)
            AK_TRY(add_to_sample(r, rows));
        r->origin.pictures += rows != NULL;
        akin_rows_free(rows);
        rows = NULL;
    }
done:
    akin_rows_free(rows);
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status learn_words(count_run *r)
{
    AK_CHECK(draw_sample(r));
    if (r->n_sample == 0)
        return ak_fail(r->ctx, AKIN_EINVAL, "%s: no file of descriptors",
                       r->input);
    const ak_points points = {
        .n = r->n_sample, .d = r->info.dim, .f32 = r->sample};
    AK_CHECK(ak_visual_words_learn(
        &r->codebook, r->ctx, &points,
        r->o.words ? r->o.words : ak_visual_words_auto(r->n_sample),
        &r->origin));
    r->info.sample = r->n_sample;
    return AKIN_OK;
}

static akin_status get_words(count_run *r)
{
    if (r->o.codebook == NULL)
        AK_CHECK(learn_words(r));
    else {
        AK_CHECK(ak_codebook_read(&r->codebook, r->ctx, r->o.codebook));
        r->info.dim = r->codebook->d;
    }
    r->info.words = r->codebook->k;
    return r->o.out == NULL
               ? AKIN_OK
               : ak_codebook_write(r->codebook, r->ctx, r->o.out,
                                   r->o.codebook ? NULL : &r->origin);
}

/* ---- counts ---- */

/* Rows of counts, their labels and names. */
typedef struct counted {
    ak_row_builder rows;
    int32_t *labels;     // by item; -1: none
    const char **names;  // parts of paths
} counted;

static void drop_counted(counted *c)
{
    ak_row_builder_drop(&c->rows);
    akin_free(c->labels);
    akin_free(c->names);
}

/* The descriptors of one file by themselves: how many there are at once may
 * change how products are rounded. */
static akin_status add_bag(count_run *r, ak_row_builder *b,
                           const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    ak_points points = {.n = rows->n, .d = rows->d};
    int32_t *words;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, rows->n, &words));
    r->n_sample = 0;
    AK_TRY(add_to_sample(r, rows));
    points.f32 = r->sample;
    AK_TRY(ak_codebook_assign(r->codebook, r->ctx, &points, words, NULL));
    AK_TRY(ak_row_builder_room(b, r->ctx, rows->n));
    b->n_vals += ak_bag_of_words(words, rows->n, b->rows->cols + b->n_vals,
                                 b->rows->vals + b->n_vals);
    ak_row_builder_row(b, -1);
    r->info.descriptors += rows->n;
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status count_file(count_run *r, counted *c, int64_t k)
{
    const ak_document *d = &r->files.documents[k];
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_ctx_tick(r->ctx, "files", k, r->files.n, NAN));
    AK_TRY(read_file(r, k, &rows));
    if (rows == NULL)
        goto done;
    AK_TRY(add_bag(r, &c->rows, rows));
    c->names[r->info.items] = name_of(r, d->path);
    c->labels[r->info.items++] = (int32_t)d->label;
done:
    akin_rows_free(rows);
    return st;
}

static akin_status set_labels(const count_run *r, akin_rows *bags,
                              const int32_t *labels)
{
    return r->files.n_classes == 0
               ? AKIN_OK
               : akin_rows_set_labels(r->ctx, bags, labels,
                                      (const char *const *)r->files.classes,
                                      r->files.n_classes);
}

/* A line for each. */
static akin_status write_names(const count_run *r, const char *const *names)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    int64_t n = 0, room = 1;
    char *text;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < r->info.items; ++i) {
        room += (int64_t)strlen(names[i]) + 1;
        if (strchr(names[i], '\n') != NULL)
            AK_TRY(ak_fail(r->ctx, AKIN_EINVAL,
                           "%s: a name with a line break cannot be in a list",
                           r->input));
    }
    AK_TRY(AK_SCRATCH(r->ctx, room, &text));
    for (int64_t i = 0; i < r->info.items; ++i)
        n += sprintf(text + n, "%s\n", names[i]);
    AK_TRY(ak_file_write(r->ctx, r->o.names, text, (size_t)n));
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* The words are kept in the collection, for items that come later. */
static akin_status make_collection(const count_run *r, const akin_rows *bags,
                                   const char *const *names)
{
    akin_vectors_options o = AKIN_VECTORS_DEFAULTS;
    char path[PATH_MAX];
    o.name_list = names;
    o.force = r->o.force;
    if (snprintf(path, sizeof path, "%s/%s", r->o.collection, ak_file_words) >=
        PATH_MAX)
        return ak_fail(r->ctx, AKIN_EIO, "%s: the path is too long",
                       r->o.collection);
    AK_CHECK(akin_vectors_make(r->ctx, r->o.collection, bags, &o, NULL));
    return ak_codebook_write(r->codebook, r->ctx, path,
                             r->o.codebook ? NULL : &r->origin);
}

static akin_status count_files(count_run *r, akin_rows **out)
{
    counted c = {0};
    akin_rows *bags = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(r->ctx, r->files.n, &c.labels));
    AK_TRY(AK_NEW(r->ctx, r->files.n, &c.names));
    AK_TRY(ak_row_builder_begin(&c.rows, r->ctx, true));
    for (int64_t k = 0; k < r->files.n; ++k)
        AK_TRY(count_file(r, &c, k));
    if (r->info.items == 0)
        AK_TRY(ak_fail(r->ctx, AKIN_EINVAL, "%s: no file of descriptors",
                       r->input));
    AK_TRY(ak_row_builder_end(&c.rows, r->ctx, &bags));
    bags->d = r->codebook->k;
    AK_TRY(set_labels(r, bags, c.labels));
    r->info.classes = r->files.n_classes;
    if (r->o.names != NULL)
        AK_TRY(write_names(r, c.names));
    if (r->o.collection != NULL)
        AK_TRY(make_collection(r, bags, c.names));
    if (out != NULL) {
        *out = bags;
        bags = NULL;
    }
done:
    akin_rows_free(bags);
    drop_counted(&c);
    return st;
}

static akin_status check_options(akin_ctx *ctx, const akin_codebook_options *o)
{
    if (o->words < 0 || o->words > INT32_MAX || o->sample < 0)
        return ak_fail(ctx, AKIN_EINVAL, "`words` or `sample` is out of range");
    return AKIN_OK;
}

akin_status akin_codebook_count(akin_rows **bags, akin_ctx *ctx,
                                const char *input,
                                const akin_codebook_options *options,
                                akin_codebook_info *info)
{
    count_run r = {.ctx = ctx, .input = input, .o = AKIN_CODEBOOK_DEFAULTS};
    struct stat s;
    akin_status st = AKIN_OK;
    ak_options_take(&r.o, sizeof r.o, options);
    AK_TRY(check_options(ctx, &r.o));
    if (stat(input, &s) != 0)
        AK_TRY(ak_file_fail(ctx, AKIN_ENOENT, input));
    AK_TRY(S_ISDIR(s.st_mode) ? list_files(&r) : list_one(&r));
    AK_TRY(AK_NEW(ctx, r.files.n, &r.unreadable));
    AK_TRY(get_words(&r));
    if (bags != NULL || r.o.names != NULL || r.o.collection != NULL)
        AK_TRY(count_files(&r, bags));
    if (info != NULL)
        *info = r.info;
done:
    ak_folder_free(&r.files);
    ak_codebook_free(r.codebook);
    akin_free(r.sample);
    akin_free(r.unreadable);
    return st;
}
