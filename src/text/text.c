/* Documents to rows, and recipes for them. */
#include <akin/text.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "data/io/formats.h"
#include "data/recipe/recipe_body.h"
#include "text/reading.h"
#include "text/select.h"
#include "text/stop.h"

static akin_status take_options(akin_text_options *o, akin_ctx *ctx,
                                const akin_text_options *given)
{
    int64_t least, most;
    *o = (akin_text_options)AKIN_TEXT_DEFAULTS;
    ak_options_take(o, sizeof *o, given);
    if (o->min_length < 1 || o->max_length > AK_WORD_MOST ||
        o->min_length > o->max_length)
        return ak_fail(ctx, AKIN_EINVAL,
                       "words of %" PRId64 " to %" PRId64
                       " characters (expected 1 to %d)",
                       o->min_length, o->max_length, AK_WORD_MOST);
    if (o->features < 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "features is %" PRId64 " (expected 0 or more)",
                       o->features);
    return ak_text_limits(ctx, o, 0, &least, &most);  // before any reading
}

/* ---- reading ------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

int akin_text_is_documents(const char *path)
{
    const ak_format *format = ak_format_of(path);
    return is_folder(path) || (format != NULL && format->delimiter != '\0');
}

akin_status akin_text_check(akin_ctx *ctx, const char *path)
{
    struct stat s;
    if (strcmp(path, "-") != 0 && stat(path, &s) != 0)
        return ak_file_fail(ctx, AKIN_ENOENT, path);
    if (!akin_text_is_documents(path) && ak_format_of(path) == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s: neither documents nor counts (expected a folder "
                       "with a file for each document, a .csv or .tsv with a "
                       "column of text, or counts, such as .svm)",
                       path);
    return AKIN_OK;
}

static akin_status read_all(ak_reading *r)
{
    const ak_format *format = ak_format_of(r->path);
    akin_status st = AKIN_OK;
    if (is_folder(r->path))
        AK_TRY(ak_reading_folder(r));
    else if (akin_text_is_documents(r->path))
        AK_TRY(ak_reading_csv(r, format->delimiter));
    else
        AK_TRY(ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: no documents (expected a folder, .csv or .tsv)",
                       r->path));
    ak_trouble_end(&r->trouble, r->ctx);
    if (r->bag.build.rows->n == 0)
        AK_TRY(ak_fail(r->ctx, AKIN_EFORMAT, "%s: no documents", r->path));
done:
    return st;
}

static akin_status begin(ak_reading *r, const akin_recipe *recipe,
                         const ak_names *stop)
{
    const akin_text_options *o = r->options;
    const ak_vocabulary *v = recipe ? recipe->vocabulary : NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_words_check(r->ctx));
    if (recipe != NULL && (v == NULL || v->terms.n == 0))
        AK_TRY(ak_fail(r->ctx, AKIN_EINVAL,
                       "the recipe has no terms: it takes counts, not "
                       "documents"));
    AK_TRY(ak_bag_begin(&r->bag, r->ctx, v ? &v->terms : NULL, stop,
                        v ? 1 : o->min_length,
                        v ? AK_WORD_MOST : o->max_length));
    /* From scratch, so that what a document takes there is not allocated anew
     * for each. */
    AK_TRY(ak_scratch(r->ctx, AK_TEXT_PIECE, 1, &r->piece));
    if (o->list != NULL)
        AK_TRY(ak_sink_open(&r->list, r->ctx, o->list));
done:
    return st;
}

static void tell_classes(akin_ctx *ctx, const akin_recipe *recipe,
                         const akin_rows *rows)
{
    const ak_columns *known = &recipe->vocabulary->classes;
    for (int64_t k = 0; known->n > 0 && k < rows->n_label_names; ++k) {
        int64_t j = 0;
        while (j < known->n &&
               strcmp(known->text + known->begin[j], rows->label_names[k]) != 0)
            ++j;
        if (j == known->n)
            ak_log(ctx, AKIN_LOG_INFO,
                   "class '%s' is none of the %" PRId64
                   " that the recipe was made from, its documents are kept",
                   rows->label_names[k], known->n);
    }
}

static void fill_info(akin_text_info *info, const ak_reading *r)
{
    const int64_t *n = r->trouble.n;
    *info = (akin_text_info){
        .words = r->bag.n_words,
        .left_out = n[AK_LEFT_OUT_UNREADABLE] + n[AK_LEFT_OUT_BINARY],
        .repaired = n[AK_REPAIRED],
        .empty = n[AK_NO_WORDS],
    };
}

akin_status akin_text_read(akin_rows **out, akin_ctx *ctx, const char *path,
                           const akin_recipe *recipe,
                           const akin_text_options *options,
                           akin_text_info *info)
{
    akin_text_options o;
    ak_reading r = {.ctx = ctx, .path = path, .options = &o};
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_names stop = {0};
    akin_rows *rows = NULL;
    int64_t least, most;
    akin_status st = AKIN_OK;
    AK_TRY(take_options(&o, ctx, options));
    r.trouble.strict = o.strict != 0;
    if (recipe == NULL)
        AK_TRY(ak_stop_words(&stop, ctx, o.stop_words));
    AK_TRY(begin(&r, recipe, &stop));
    AK_TRY(read_all(&r));
    AK_TRY(ak_text_limits(ctx, &o, r.bag.build.rows->n, &least, &most));
    AK_TRY(ak_bag_end(&r.bag, &rows, least, most));
    if (rows->d == 0 && r.bag.names.n > 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "no term is left of %" PRId64 " (min-df, max-df)",
                       r.bag.names.n));
    if (recipe != NULL)
        tell_classes(ctx, recipe, rows);
    if (r.list != NULL) {
        st = ak_sink_commit(r.list, ctx);
        r.list = NULL;
        AK_TRY(st);
    }
    if (info != NULL)
        fill_info(info, &r);
    *out = rows;
    rows = NULL;
done:
    akin_rows_free(rows);
    ak_sink_abort(r.list);
    ak_bag_drop(&r.bag);
    ak_names_free(&stop);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- fitting ------------------------------------------------------------- */

static akin_status write_choices(ak_vocabulary *v, akin_ctx *ctx,
                                 const akin_text_options *o, bool documents)
{
    const bool chosen = o->features > 0;
    const char *stop = o->stop_words ? o->stop_words : "none";
    const bool listed = strcmp(stop, "english") == 0 ||
                        strcmp(stop, "none") == 0;
    char text[256];
    int n = snprintf(text, sizeof text, "min-df=%g max-df=%g", o->min_df,
                     o->max_df);
    if (documents)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      " stop-words=%s min-length=%" PRId64
                      " max-length=%" PRId64,
                      listed ? stop : "file", o->min_length, o->max_length);
    if (chosen)
        snprintf(text + n, sizeof text - (size_t)n,
                 " features=%" PRId64 " select=%s", o->features,
                 o->select ? o->select : "infogain");
    return ak_strdup(ctx, text, &v->choices);
}

static akin_status make_vocabulary(ak_vocabulary **out, akin_ctx *ctx,
                                   const akin_rows *counts,
                                   const akin_text_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_vocabulary *v = NULL;
    int32_t *kept;
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, counts->d, &kept));
    AK_TRY(ak_text_select(kept, &n, ctx, counts, o));
    AK_TRY(ak_vocabulary_new(&v, ctx, counts->d, kept, n));
    AK_TRY(ak_columns_copy(&v->terms, ctx, &counts->columns));
    for (int64_t k = 0; k < counts->n_label_names; ++k)
        AK_TRY(ak_columns_add(&v->classes, ctx, counts->label_names[k],
                              strlen(counts->label_names[k])));
    AK_TRY(write_choices(v, ctx, o, v->terms.n > 0));
    *out = v;
    v = NULL;
done:
    ak_vocabulary_free(v);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_text_fit(akin_recipe **out, akin_ctx *ctx,
                          const akin_rows *counts,
                          const akin_text_options *options,
                          const akin_recipe_options *then)
{
    akin_text_options o;
    ak_vocabulary *v = NULL;
    akin_rows *kept = NULL;
    akin_recipe *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(take_options(&o, ctx, options));
    AK_TRY(make_vocabulary(&v, ctx, counts, &o));
    AK_TRY(ak_vocabulary_keep(&kept, ctx, v, counts));
    AK_TRY(akin_recipe_fit(&r, ctx, kept, then));
    r->vocabulary = v;
    v = NULL;
    ak_recipe_name(r);
    *out = r;
    r = NULL;
done:
    akin_recipe_free(r);
    akin_rows_free(kept);
    ak_vocabulary_free(v);
    return st;
}
