/* Documents to rows of counts: those of a folder or file, or texts in memory.
 */
#include <akin/text.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "data/io/sink.h"
#include "data/recipe/recipe.h"
#include "text/batch.h"
#include "text/documents.h"
#include "text/vocabulary.h"

/* A document whose words are not counted yet: where it is and its labels, each
 * with a zero byte, at `begin` in the reader's text. */
typedef struct waiting {
    int64_t begin;
    int64_t n_labels;
} waiting;

typedef struct reader {
    akin_ctx *ctx;
    const akin_text_options *options;
    ak_names stop;
    ak_bag bag;
    ak_batch batch;
    ak_warnings warnings;
    ak_sink *list;  // NULL: not asked for
    waiting documents[AK_BATCH_DOCUMENTS + 1];
    int64_t first, n;  // those that wait
    char *text;
    int64_t n_text, room;
} reader;

/* ---- the end of a document ---- */

static akin_status put_name(reader *r, const char *name)
{
    for (; *name != '\0'; ++name)
        AK_CHECK(ak_sink_put(r->list, r->ctx,
                             (unsigned char)*name < ' ' ? "?" : name, 1));
    return ak_sink_text(r->list, r->ctx, "\n");
}

static akin_status add_labels(reader *r, const char *where, int64_t n)
{
    const char *at = where, *place, *why = NULL;
    for (int64_t k = 0; k < n && why == NULL; ++k) {
        at += strlen(at) + 1;
        AK_CHECK(ak_row_builder_labels(&r->bag.build, r->ctx, at, strlen(at),
                                       '\0', &place, &why));
    }
    if (why != NULL)
        return ak_fail(r->ctx, AKIN_EFORMAT, "%s: %s ('%s')", where, why, at);
    return AKIN_OK;
}

/* A row for the document that was counted, unless it is binary. */
static akin_status end_document(void *arg)
{
    reader *r = arg;
    ak_bag *b = &r->bag;
    const waiting *w = &r->documents[r->first++];
    const char *where = r->text + w->begin;
    if (b->words.n_zero > 0) {
        ak_bag_undo(b);
        return ak_warnings_add(&r->warnings, r->ctx, AK_SKIPPED_BINARY,
                               "%s: contains zero bytes: not text in UTF-8",
                               where);
    }
    AK_CHECK(add_labels(r, where, w->n_labels));
    AK_CHECK(ak_bag_close(b));
    if (b->words.n_bad > 0)
        AK_CHECK(
            ak_warnings_bad_bytes(&r->warnings, r->ctx, where, b->words.n_bad));
    if (ak_bag_terms(b) == 0)
        AK_CHECK(ak_warnings_no_words(&r->warnings, r->ctx, where));
    return r->list != NULL ? put_name(r, where) : AKIN_OK;
}

/* ---- documents of a folder or file ---- */

static akin_status put_text(reader *r, const char *text, size_t n)
{
    AK_CHECK(
        ak_grow(r->ctx, r->n_text + (int64_t)n + 1, &r->room, 1, &r->text));
    memcpy(r->text + r->n_text, text, n);
    r->text[r->n_text + (int64_t)n] = '\0';
    r->n_text += (int64_t)n + 1;
    return AKIN_OK;
}

/* Note what is needed of a document once it is counted. */
static akin_status wait_for(reader *r, const ak_text *t)
{
    if (r->first == r->n)
        r->first = r->n = r->n_text = 0;
    r->documents[r->n++] = (waiting){r->n_text, t->n_labels};
    AK_CHECK(put_text(r, t->where, strlen(t->where)));
    for (int64_t k = 0; k < t->n_labels; ++k)
        AK_CHECK(put_text(r, t->labels[k].text, t->labels[k].n));
    return AKIN_OK;
}

static akin_status read_document(reader *r, ak_documents *d, const ak_text *t)
{
    const char *piece;
    size_t n;
    bool lost;
    ak_batch_open(&r->batch);
    do {
        AK_CHECK(ak_documents_piece(d, r->ctx, &piece, &n, &lost));
        AK_CHECK(ak_batch_feed(&r->batch, piece, n));
    } while (n > 0 && !ak_batch_is_binary(&r->batch));
    if (lost) {
        ak_batch_cancel(&r->batch);
        return AKIN_OK;
    }
    AK_CHECK(wait_for(r, t));
    return ak_batch_close(&r->batch);
}

static akin_status read_all(reader *r, const char *path)
{
    ak_documents *d = NULL;
    const ak_text *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_documents_open(&d, r->ctx, path, r->options, &r->warnings));
    for (;;) {
        AK_TRY(ak_documents_next(d, r->ctx, &t));
        if (t == NULL)
            break;
        AK_TRY(read_document(r, d, t));
    }
    AK_TRY(ak_batch_flush(&r->batch));
    ak_warnings_end(&r->warnings, r->ctx);
    if (r->bag.build.rows->n == 0)
        AK_TRY(ak_fail(r->ctx, AKIN_EFORMAT, "%s: no documents", path));
done:
    ak_documents_close(d);
    return st;
}

/* ---- rows ---- */

/* With the terms of the recipe, or else those that the options let in. */
static akin_status begin(reader *r, const akin_recipe *recipe,
                         akin_text_options *o, const akin_text_options *given)
{
    const ak_vocabulary *v = recipe ? recipe->vocabulary : NULL;
    AK_CHECK(ak_text_options_take(o, r->ctx, given));
    r->options = o;
    r->warnings.strict = o->strict != 0;
    r->batch.bag = &r->bag;
    r->batch.arg = r;
    if (recipe == NULL)
        AK_CHECK(ak_stop_words(&r->stop, r->ctx, o->stop_words));
    AK_CHECK(ak_words_check(r->ctx));
    if (recipe != NULL && (v == NULL || v->terms.n == 0))
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "the recipe has no terms: it takes counts, not "
                       "documents");
    return ak_bag_begin(&r->bag, r->ctx, v ? &v->terms : NULL, &r->stop,
                        v ? 1 : o->min_length,
                        v ? AK_WORD_MOST : o->max_length);
}

static akin_status make_rows(reader *r, akin_rows **out)
{
    int64_t least, most;
    AK_CHECK(ak_text_limits(r->ctx, r->options, r->bag.build.rows->n, &least,
                            &most));
    AK_CHECK(ak_bag_end(&r->bag, out, least, most));
    if ((*out)->d == 0 && r->bag.names.n > 0)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "none of %" PRId64 " terms is left (`min_df`, `max_df`)",
                       r->bag.names.n);
    return AKIN_OK;
}

static void end(reader *r)
{
    ak_batch_free(&r->batch);
    ak_bag_drop(&r->bag);
    ak_names_free(&r->stop);
    akin_free(r->text);
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
                   "class '%s' is not among the %" PRId64
                   " classes of the recipe; its documents are kept",
                   rows->label_names[k], known->n);
    }
}

static void fill_info(akin_text_info *info, const reader *r)
{
    const int64_t *n = r->warnings.n;
    *info = (akin_text_info){
        .words = r->bag.n_words,
        .left_out = n[AK_SKIPPED_UNREADABLE] + n[AK_SKIPPED_BINARY],
        .repaired = n[AK_BAD_UTF8],
        .empty = n[AK_NO_WORDS],
    };
}

akin_status akin_text_read(akin_rows **out, akin_ctx *ctx, const char *path,
                           const akin_recipe *recipe,
                           const akin_text_options *options,
                           akin_text_info *info)
{
    akin_text_options o;
    reader r = {.ctx = ctx, .batch.end = end_document};
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(begin(&r, recipe, &o, options));
    if (o.list != NULL)
        AK_TRY(ak_sink_open(&r.list, ctx, o.list));
    AK_TRY(read_all(&r, path));
    AK_TRY(make_rows(&r, &rows));
    if (recipe != NULL)
        tell_classes(ctx, recipe, rows);
    if (info != NULL)
        fill_info(info, &r);
done:
    st = ak_sink_close(r.list, ctx, st);
    if (st == AKIN_OK)
        *out = rows;
    else
        akin_rows_free(rows);
    end(&r);
    return st;
}

/* ---- texts in memory ---- */

static akin_status end_text(void *arg)
{
    reader *r = arg;
    return ak_bag_close(&r->bag);
}

akin_status akin_text_count(akin_rows **out, akin_ctx *ctx,
                            const char *const *texts, const size_t *lengths,
                            int64_t n, const akin_recipe *recipe,
                            const akin_text_options *options)
{
    akin_text_options o;
    reader r = {.ctx = ctx, .batch.end = end_text};
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    if (n < 1)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%" PRId64 " texts (expected 1 at "
                       "least)",
                       n);
    AK_TRY(begin(&r, recipe, &o, options));
    for (int64_t i = 0; i < n; ++i) {
        ak_batch_open(&r.batch);
        AK_TRY(ak_batch_feed(&r.batch, texts[i],
                             lengths ? lengths[i] : strlen(texts[i])));
        AK_TRY(ak_batch_close(&r.batch));
    }
    AK_TRY(ak_batch_flush(&r.batch));
    AK_TRY(make_rows(&r, &rows));
    *out = rows;
    rows = NULL;
done:
    akin_rows_free(rows);
    end(&r);
    return st;
}
