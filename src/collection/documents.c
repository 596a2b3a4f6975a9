/* Collections of documents: made, continued, added to.
 *
 * A run goes over the documents of a folder or file. Those that are new or
 * changed are cut into words in batches; the others stay as they are. Each
 * transaction has whole documents and the terms that came with them, so a
 * killed run keeps whole documents, each once, and goes on behind them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"
#include "collection/derive.h"
#include "collection/dismissed.h"
#include "collection/files.h"
#include "collection/labels.h"
#include "collection/replace.h"
#include "collection/segments.h"
#include "collection/terms.h"
#include "text/batch.h"
#include "text/documents.h"
#include "text/vocabulary.h"

enum {
    COMMIT_DOCUMENTS = 1024,
    HEAD = 1024,  // bytes that a snippet is made of
    SNIPPET_CHARACTERS = 200,
    NAME_MOST = PATH_MAX - 1,
};

/* A document whose words are not counted yet. Its texts are in the run's
 * `text`, where they begin at these places. */
typedef struct waiting_document {
    int64_t id;  // of one that changed, or is back; -1: a new one
    bool is_back;
    ak_stamp stamp;
    unsigned char hash[AK_HASH_SIZE];
    int64_t where, path, name, labels, snippet;  // path -1: it has none
    int64_t fields, n_fields;                    // name and value by turns
} waiting_document;

typedef struct column_texts {
    char text[PATH_MAX], label[PATH_MAX], name[PATH_MAX], header[8];
} column_texts;

typedef struct documents_run {
    akin_ctx *ctx;
    ak_catalog catalog;
    akin_documents_options o;
    akin_text_options text_options;
    akin_items_info info;
    ak_picture_labels labels;
    ak_warnings warnings;
    ak_names stop;
    ak_bag bag;
    ak_batch batch;
    int64_t n_terms;  // in the catalogue
    ak_space space;

    const char *input;    // folder or file of the documents, as given
    char root[PATH_MAX];  // and as no other path gives it
    char path[PATH_MAX];  // of the file at work, below the root
    int64_t source;       // its number
    bool of_records;
    ak_names seen;         // names of all its records
    int64_t n_known;       // how many of them the collection has
    bool repeats;          // one has the text of another name
    column_texts columns;  // that its records had before
    bool renames;          // and are now named by another one
    bool restarts;         // ignores what the collection holds
    bool claimed;          // a later run can resume

    bool writes;        // a transaction is open
    int64_t n_unsaved;  // documents in it
    waiting_document waiting[AK_BATCH_DOCUMENTS + 1];
    int64_t first, n;  // those that wait
    char *text;
    int64_t n_text, room;
    char head[HEAD];  // of the document at work
    size_t n_head;
} documents_run;

/* ---- transactions ---- */

static akin_status begin_writing(documents_run *r)
{
    if (r->writes)
        return AKIN_OK;
    AK_CHECK(ak_sql_begin(&r->catalog.sql, r->ctx));
    r->writes = true;
    return AKIN_OK;
}

static akin_status end_writing(documents_run *r, akin_status st)
{
    if (!r->writes)
        return st;
    if (st == AKIN_OK)
        st = ak_terms_save(&r->catalog, r->ctx, &r->bag, r->n_terms);
    r->writes = false;
    st = ak_sql_end(&r->catalog.sql, r->ctx, st);
    r->n_terms = r->bag.names.n;
    r->n_unsaved = 0;
    return st;
}

/* ---- a document that was counted ---- */

/* The beginning of a text in one line. */
static void write_snippet(const char *head, size_t n, char *to)
{
    const char *begin = to;
    int64_t characters = 0;
    bool blank = true;  // leave out blanks
    for (size_t k = 0, len; k < n && characters < SNIPPET_CHARACTERS;
         k += len) {
        const size_t size = ak_utf8_length(head + k, n - k);
        const unsigned char byte = (unsigned char)head[k];
        len = size ? size : 1;
        if (byte > ' ' && size > 0) {
            to = (char *)memcpy(to, head + k, len) + len;
            blank = false;
            ++characters;
        } else if (byte <= ' ' && !blank) {
            *to++ = ' ';
            blank = true;
            ++characters;
        }
    }
    to -= to > begin && blank;
    *to = '\0';
}

static akin_status put_row(const documents_run *r, int64_t id, ak_sparse x)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const ak_blob none = {NULL, 0};
    ak_blob row;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sparse_blob(&row, r->ctx, x));
    AK_TRY(ak_item_features(&r->catalog, r->ctx, id, r->space.id, row, none));
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

static ak_blob blob_at(const documents_run *r, int64_t at)
{
    if (at < 0)
        return (ak_blob){NULL, 0};
    return (ak_blob){r->text + at, strlen(r->text + at)};
}

static ak_catalog_item item_of(const documents_run *r,
                               const waiting_document *w)
{
    return (ak_catalog_item){.id = w->id,
                             .name = blob_at(r, w->name),
                             .path = blob_at(r, w->path),
                             .folder = r->source,
                             .labels = r->text + w->labels,
                             .size = w->stamp.size,
                             .modified = w->stamp.modified,
                             .hash = {w->hash, AK_HASH_SIZE},
                             .n = r->bag.n_words,
                             .snippet = r->text + w->snippet};
}

/* A document that changed keeps its number and name. */
static akin_status record(documents_run *r, const waiting_document *w,
                          ak_sparse x)
{
    ak_catalog_item item = item_of(r, w);
    const bool is_new = w->id < 0 || w->is_back;
    AK_CHECK(is_new ? ak_item_insert(&r->catalog, r->ctx, &item)
                    : ak_item_update(&r->catalog, r->ctx, &item));
    if (!is_new && item.labels[0] != '\0')
        AK_CHECK(ak_item_labels(&r->catalog, r->ctx, item.id, item.labels));
    AK_CHECK(put_row(r, item.id, x));
    if (w->is_back)
        AK_CHECK(ak_item_judged_again(&r->catalog, r->ctx, item.id));
    AK_CHECK(ak_item_fields(&r->catalog, r->ctx, item.id, r->text + w->fields,
                            w->n_fields));
    r->info.added += is_new;
    r->info.changed += !is_new;
    return AKIN_OK;
}

/* The words of the next document that waits are in the bag. */
static akin_status end_document(void *arg)
{
    documents_run *r = arg;
    const waiting_document *w = &r->waiting[r->first++];
    const char *where = r->text + w->where;
    ak_sparse x;
    AK_CHECK(ak_bag_take(&r->bag, &x.cols, &x.vals, &x.n));
    if (r->bag.words.n_bad > 0)
        AK_CHECK(ak_warnings_bad_bytes(&r->warnings, r->ctx, where,
                                       r->bag.words.n_bad));
    if (x.n == 0)
        AK_CHECK(ak_warnings_no_words(&r->warnings, r->ctx, where));
    AK_CHECK(begin_writing(r));
    AK_CHECK(record(r, w, x));
    ak_bag_undo(&r->bag);
    r->bag.n_words = 0;
    ++r->n_unsaved;
    return AKIN_OK;
}

/* ---- a document that is to be counted ---- */

static akin_status keep(documents_run *r, const void *text, size_t n,
                        int64_t *at)
{
    AK_CHECK(
        ak_grow(r->ctx, r->n_text + (int64_t)n + 1, &r->room, 1, &r->text));
    *at = r->n_text;
    if (n > 0)
        memcpy(r->text + r->n_text, text, n);
    r->n_text += (int64_t)n;
    r->text[r->n_text++] = '\0';
    return AKIN_OK;
}

/* Labels separated by newlines: those of --labels, or else its own. From
 * scratch. */
static akin_status labels_of(const documents_run *r, const ak_text *t,
                             char **out)
{
    size_t n = 1;
    if (r->labels.given)
        return ak_picture_labels_of(&r->labels, r->ctx, t->name.text, NULL,
                                    out);
    for (int64_t k = 0; k < t->n_labels; ++k)
        n += t->labels[k].n + 1;
    AK_CHECK(AK_SCRATCH(r->ctx, (int64_t)n, out));
    char *to = *out;
    for (int64_t k = 0; k < t->n_labels; ++k) {
        if (k > 0)
            *to++ = '\n';
        to = (char *)memcpy(to, t->labels[k].text, t->labels[k].n) +
             t->labels[k].n;
    }
    return AKIN_OK;
}

static akin_status keep_fields(documents_run *r, const ak_text *t,
                               waiting_document *w)
{
    int64_t at;
    w->fields = r->n_text;
    w->n_fields = t->n_fields;
    for (int64_t k = 0; k < t->n_fields; ++k) {
        const ak_text_field *f = &t->fields[k];
        AK_CHECK(keep(r, f->name, strlen(f->name), &at));
        AK_CHECK(keep(r, f->value.text, strlen(f->value.text), &at));
    }
    return AKIN_OK;
}

/* Note what is needed of it once it is counted. */
static akin_status wait_for(documents_run *r, const ak_text *t,
                            const waiting_document *what)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    char *labels, snippet[HEAD + 1];
    akin_status st = AKIN_OK;
    if (r->first == r->n)
        r->first = r->n = r->n_text = 0;
    waiting_document *w = &r->waiting[r->n++];
    *w = *what;
    w->path = -1;
    AK_TRY(keep(r, t->where, strlen(t->where), &w->where));
    AK_TRY(keep(r, t->name.text, t->name.n, &w->name));
    if (t->path != NULL)
        AK_TRY(keep(r, r->path, strlen(r->path), &w->path));
    AK_TRY(labels_of(r, t, &labels));
    AK_TRY(keep(r, labels, strlen(labels), &w->labels));
    write_snippet(r->head, r->n_head, snippet);
    AK_TRY(keep(r, snippet, strlen(snippet), &w->snippet));
    AK_TRY(keep_fields(r, t, w));
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* What is said of it begins with the input, as it was given. */
static akin_status note_skipped(documents_run *r, const ak_text *t,
                                const char *why)
{
    char path[2 * PATH_MAX];
    const size_t n = strlen(r->input);
    snprintf(path, sizeof path, "%s%s", r->root,
             strncmp(t->where, r->input, n) == 0 ? t->where + n : "");
    AK_CHECK(begin_writing(r));
    return ak_left_out_add(&r->catalog, r->ctx, t->path ? r->path : path, why);
}

/* Its text goes to the batch; `*why` is set when it cannot stay there. */
static akin_status feed(documents_run *r, ak_documents *d, const char **why)
{
    const char *piece;
    size_t n;
    bool lost;
    r->n_head = 0;
    do {
        AK_CHECK(ak_documents_piece(d, r->ctx, &piece, &n, &lost));
        const size_t more = r->n_head + n < HEAD ? n : HEAD - r->n_head;
        memcpy(r->head + r->n_head, piece, more);
        r->n_head += more;
        if (lost)
            *why = "unreadable";
        else if (memchr(piece, '\0', n) != NULL)
            *why = "contains zero bytes: not text in UTF-8";
        else
            AK_CHECK(ak_batch_feed(&r->batch, piece, n));
    } while (n > 0 && *why == NULL);
    return AKIN_OK;
}

static akin_status count_document(documents_run *r, ak_documents *d,
                                  const ak_text *t, const waiting_document *w)
{
    const char *why = NULL;
    ak_batch_open(&r->batch);
    AK_CHECK(feed(r, d, &why));
    if (why == NULL) {
        AK_CHECK(wait_for(r, t, w));
        return ak_batch_close(&r->batch);
    }
    ak_batch_cancel(&r->batch);
    if (strcmp(why, "unreadable") != 0)
        AK_CHECK(ak_warnings_add(&r->warnings, r->ctx, AK_SKIPPED_BINARY,
                                 "%s: %s", t->where, why));
    return note_skipped(r, t, why);
}

/* ---- what is known of a document ---- */

/* Labels and fields may change while the text does not. */
static akin_status refresh(documents_run *r, const ak_text *t, int64_t id)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    waiting_document w = {.id = id};
    const int64_t used = r->n_text;
    char *labels;
    akin_status st = AKIN_OK;
    AK_TRY(begin_writing(r));
    ++r->n_unsaved;
    AK_TRY(labels_of(r, t, &labels));
    if (labels[0] != '\0')
        AK_TRY(ak_sql_do(&r->catalog.sql, r->ctx,
                         "UPDATE items SET labels = ?1 WHERE id = ?2 AND "
                         "labels <> ?1",
                         "ti", labels, id));
    if (t->n_fields > 0) {
        AK_TRY(keep_fields(r, t, &w));
        AK_TRY(ak_item_fields(&r->catalog, r->ctx, id, r->text + w.fields,
                              w.n_fields));
        r->n_text = used;
    }
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status move_file(documents_run *r, const ak_text *t,
                             const waiting_document *w, int64_t id)
{
    AK_CHECK(ak_item_move(&r->catalog, r->ctx, id,
                          (ak_blob){r->path, strlen(r->path)},
                          (ak_blob){t->name.text, t->name.n}, r->source));
    AK_CHECK(ak_sql_do(&r->catalog.sql, r->ctx,
                       "UPDATE items SET modified = ? WHERE id = ?", "ii",
                       w->stamp.modified, id));
    ++r->info.moved;
    return refresh(r, t, id);
}

/* A file whose content cannot be had for its hash is told of and skipped. */
static akin_status hash_file(documents_run *r, const ak_text *t,
                             waiting_document *w, bool *is_there)
{
    const akin_status st = ak_hash_file(r->ctx, t->path, w->hash);
    *is_there = st == AKIN_OK;
    if (st == AKIN_OK || (st != AKIN_ENOENT && st != AKIN_EIO))
        return st;
    AK_CHECK(ak_warnings_add(&r->warnings, r->ctx, AK_SKIPPED_UNREADABLE, "%s",
                             akin_ctx_message(r->ctx)));
    return note_skipped(r, t, "unreadable");
}

static akin_status take_known_file(documents_run *r, ak_documents *d,
                                   const ak_text *t, waiting_document *w,
                                   const ak_known *k)
{
    bool is_there;
    if (k->stamp.size == w->stamp.size &&
        k->stamp.modified == w->stamp.modified)
        return refresh(r, t, k->id);
    AK_CHECK(hash_file(r, t, w, &is_there));
    if (!is_there)
        return AKIN_OK;
    w->id = k->id;
    if (!k->hashed || memcmp(k->hash, w->hash, AK_HASH_SIZE) != 0)
        return count_document(r, d, t, w);
    AK_CHECK(begin_writing(r));
    AK_CHECK(ak_sql_do(&r->catalog.sql, r->ctx,
                       "UPDATE items SET modified = ? WHERE id = ?", "ii",
                       w->stamp.modified, k->id));
    return refresh(r, t, k->id);
}

static ak_blob hash_of(const waiting_document *w)
{
    return (ak_blob){w->hash, AK_HASH_SIZE};
}

/* The item of which a document is the new place; -1: none. */
static akin_status take_moved(documents_run *r, const waiting_document *w,
                              const ak_dismissed *out, int64_t *id)
{
    *id = -1;
    return out->is_here ? AKIN_OK
                        : ak_gone_take(&r->catalog, r->ctx, hash_of(w), id);
}

/* A new one, unless somebody removed it. */
static akin_status add_document(documents_run *r, ak_documents *d,
                                const ak_text *t, waiting_document *w,
                                const ak_dismissed *out)
{
    if (out->id != 0 && !r->o.restore) {
        ++r->info.dismissed;
        return ak_dismissed_move(&r->catalog, r->ctx, out,
                                 t->path ? r->path : NULL, r->source);
    }
    if (out->id != 0)
        AK_CHECK(ak_dismissed_forget(&r->catalog, r->ctx, out));
    w->id = out->item;
    w->is_back = out->item >= 0;
    return count_document(r, d, t, w);
}

static akin_status take_file(documents_run *r, ak_documents *d,
                             const ak_text *t)
{
    waiting_document w = {.id = -1, .stamp = ak_stamp_of(t->path)};
    const int n = snprintf(r->path, PATH_MAX, "%s/%s", r->root, t->name.text);
    ak_dismissed out;
    ak_known k;
    int64_t moved;
    bool is_there;
    if (n < 0 || n >= PATH_MAX)
        return ak_warnings_add(&r->warnings, r->ctx, AK_SKIPPED_UNREADABLE,
                               "%s: File name too long", t->path);
    if (ak_catalog_owns(&r->catalog, r->path))
        return AKIN_OK;
    AK_CHECK(ak_known_by_path(&r->catalog, r->ctx, r->path, &k));
    if (k.id >= 0)
        return take_known_file(r, d, t, &w, &k);
    AK_CHECK(hash_file(r, t, &w, &is_there));
    if (!is_there)
        return AKIN_OK;
    AK_CHECK(begin_writing(r));
    AK_CHECK(
        ak_dismissed_file(&r->catalog, r->ctx, hash_of(&w), r->path, &out));
    AK_CHECK(take_moved(r, &w, &out, &moved));
    return moved < 0 ? add_document(r, d, t, &w, &out)
                     : move_file(r, t, &w, moved);
}

/* The path of a source; "" when it is gone. */
static akin_status path_of_source(const documents_run *r, int64_t source,
                                  char path[PATH_MAX])
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    akin_status st = AKIN_OK;
    path[0] = '\0';
    AK_TRY(ak_sql_ask(&r->catalog.sql, r->ctx, &q,
                      "SELECT path FROM folders WHERE id = ?", "i", source));
    AK_TRY(ak_sql_next(&r->catalog.sql, r->ctx, q, &row));
    if (row && ak_path_take(q, 0, path) && access(path, F_OK) != 0)
        path[0] = '\0';
done:
    sqlite3_finalize(q);
    return st;
}

/* A record of another file that is gone belongs to this one now. */
static akin_status take_over(documents_run *r, const ak_known *k)
{
    char other[PATH_MAX];
    AK_CHECK(path_of_source(r, k->folder, other));
    if (other[0] != '\0')
        return AKIN_OK;
    AK_CHECK(begin_writing(r));
    AK_CHECK(ak_gone_drop(&r->catalog, r->ctx, k->id));
    return ak_sql_do(&r->catalog.sql, r->ctx,
                     "UPDATE items SET folder = ? WHERE id = ?", "ii",
                     r->source, k->id);
}

/* A record without a name of its own may be one of a file that was renamed. */
static akin_status take_new_record(documents_run *r, ak_documents *d,
                                   const ak_text *t, waiting_document *w)
{
    const ak_blob no_path = {NULL, 0}, name = {t->name.text, t->name.n};
    ak_dismissed out;
    int64_t id = -1;
    AK_CHECK(begin_writing(r));
    AK_CHECK(ak_dismissed_record(&r->catalog, r->ctx, hash_of(w),
                                 t->numbered ? NULL : &name, r->source, &out));
    if (t->numbered)
        AK_CHECK(take_moved(r, w, &out, &id));
    if (id < 0)
        return add_document(r, d, t, w, &out);
    AK_CHECK(ak_item_move(&r->catalog, r->ctx, id, no_path, name, r->source));
    ++r->info.moved;
    return refresh(r, t, id);
}

static akin_status take_record(documents_run *r, ak_documents *d,
                               const ak_text *t)
{
    waiting_document w = {.id = -1, .stamp = {(int64_t)t->text.n, 0}};
    ak_known k;
    ak_hash_bytes(t->text.text, t->text.n, w.hash);
    AK_CHECK(ak_known_by_name(&r->catalog, r->ctx,
                              (ak_blob){t->name.text, t->name.n}, &k));
    w.id = k.id;
    if (k.id < 0)
        return take_new_record(r, d, t, &w);
    if (!k.hashed || memcmp(k.hash, w.hash, AK_HASH_SIZE) != 0)
        AK_CHECK(count_document(r, d, t, &w));
    else
        AK_CHECK(refresh(r, t, k.id));
    return k.folder == r->source ? AKIN_OK : take_over(r, &k);
}

/* ---- which columns the records of a source have ---- */

static akin_status put_column(const documents_run *r, const char *which,
                              const char *value)
{
    char key[64];
    snprintf(key, sizeof key, "%s %" PRId64, which, r->source);
    if (value != NULL)
        return ak_catalog_set(&r->catalog, r->ctx, key, value);
    return ak_sql_do(&r->catalog.sql, r->ctx,
                     "DELETE FROM settings WHERE key = ?", "t", key);
}

static akin_status put_columns(const documents_run *r)
{
    const akin_text_options *o = &r->text_options;
    AK_CHECK(put_column(r, "text-column", o->text_column));
    AK_CHECK(put_column(r, "label-column", o->label_column));
    AK_CHECK(put_column(r, "name-column", o->name_column));
    return put_column(r, "header", o->header ? "yes" : NULL);
}

/* `*value` is NULL where none was given. */
static akin_status get_column(const documents_run *r, const char *which,
                              int64_t source, char *text, size_t size,
                              const char **value)
{
    char key[64];
    snprintf(key, sizeof key, "%s %" PRId64, which, source);
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, key, text, size));
    *value = text[0] != '\0' ? text : NULL;
    return AKIN_OK;
}

static akin_status get_columns(const documents_run *r, int64_t source,
                               column_texts *c, akin_text_options *o)
{
    const char *header;
    AK_CHECK(get_column(r, "text-column", source, c->text, sizeof c->text,
                        &o->text_column));
    AK_CHECK(get_column(r, "label-column", source, c->label, sizeof c->label,
                        &o->label_column));
    AK_CHECK(get_column(r, "name-column", source, c->name, sizeof c->name,
                        &o->name_column));
    AK_CHECK(
        get_column(r, "header", source, c->header, sizeof c->header, &header));
    o->header = header != NULL;
    return AKIN_OK;
}

/* Columns that are not given are those of before. */
static akin_status recall_columns(documents_run *r)
{
    akin_text_options *o = &r->text_options, before = *o;
    if (!r->of_records || r->source == 0)
        return AKIN_OK;
    AK_CHECK(get_columns(r, r->source, &r->columns, &before));
    r->renames = o->name_column != NULL &&
                 strcmp(o->name_column, r->columns.name) != 0;
    o->text_column = o->text_column ? o->text_column : before.text_column;
    o->label_column = o->label_column ? o->label_column : before.label_column;
    o->name_column = o->name_column ? o->name_column : before.name_column;
    o->header = o->header || before.header;
    return AKIN_OK;
}

/* ---- records are checked before anything is written ---- */

static akin_status check_name(documents_run *r, const ak_text *t)
{
    const int64_t before = r->seen.n;
    int32_t number;
    if (memchr(t->name.text, '\0', t->name.n) != NULL)
        return ak_fail(r->ctx, AKIN_EFORMAT, "%s: a name with a zero byte",
                       t->where);
    if (t->name.n > NAME_MOST)
        return ak_fail(r->ctx, AKIN_EFORMAT,
                       "%s: a name of %zu bytes (at most %d)", t->where,
                       t->name.n, NAME_MOST);
    AK_CHECK(ak_names_add(&r->seen, r->ctx, t->name.text, t->name.n, &number));
    if (r->seen.n == before)
        return ak_fail(r->ctx, AKIN_EFORMAT,
                       "%s: the name '%s' occurs twice (`name_column` names "
                       "another column)",
                       t->where, t->name.text);
    return AKIN_OK;
}

/* Does the source have the text, under another name? The first records tell. */
static akin_status look_for_text(documents_run *r, const ak_text *t)
{
    enum { FIRST = 100 };
    unsigned char hash[AK_HASH_SIZE];
    sqlite3_stmt *q = NULL;
    akin_status st = AKIN_OK;
    if (!r->renames || r->repeats || r->seen.n > FIRST)
        return AKIN_OK;
    ak_hash_bytes(t->text.text, t->text.n, hash);
    AK_TRY(ak_sql_ask(&r->catalog.sql, r->ctx, &q,
                      "SELECT 1 FROM items WHERE folder = ? AND hash = ?", "ib",
                      r->source, (ak_blob){hash, sizeof hash}));
    AK_TRY(ak_sql_next(&r->catalog.sql, r->ctx, q, &r->repeats));
done:
    sqlite3_finalize(q);
    return st;
}

/* A record of another file has this name and another text: one of them would
 * be lost. */
static akin_status check_other(documents_run *r, const ak_text *t)
{
    unsigned char hash[AK_HASH_SIZE];
    char other[PATH_MAX];
    ak_known k;
    AK_CHECK(ak_known_by_name(&r->catalog, r->ctx,
                              (ak_blob){t->name.text, t->name.n}, &k));
    r->n_known += k.id >= 0;
    if (k.id < 0)
        AK_CHECK(look_for_text(r, t));
    if (k.id < 0 || k.folder == r->source)
        return AKIN_OK;
    ak_hash_bytes(t->text.text, t->text.n, hash);
    if (k.hashed && memcmp(k.hash, hash, AK_HASH_SIZE) == 0)
        return AKIN_OK;
    AK_CHECK(path_of_source(r, k.folder, other));
    if (other[0] == '\0')
        return AKIN_OK;
    return ak_fail(r->ctx, AKIN_EFORMAT,
                   "%s: the name '%s' is that of another document, of %s "
                   "(`name_column` names another column)",
                   t->where, t->name.text, other);
}

/* By another column, the same records would be added under other names. */
static akin_status check_renamed(const documents_run *r)
{
    if (!r->repeats || r->n_known > 0 || r->o.prune)
        return AKIN_OK;
    return ak_fail(r->ctx, AKIN_EINVAL,
                   "%s: its documents are in %s under other names, by column "
                   "%s (`prune` replaces them)",
                   r->input, r->catalog.folder,
                   r->columns.name[0] ? r->columns.name
                                      : "id, name, title or key, or by number");
}

/* All records are read once before anything is written; of a folder, that there
 * is a file. */
static akin_status check_source(documents_run *r)
{
    ak_warnings warnings = {0};
    ak_documents *d = NULL;
    const ak_text *t = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    ak_ctx_mute_begin(r->ctx);
    AK_TRY(
        ak_documents_open(&d, r->ctx, r->input, &r->text_options, &warnings));
    ak_documents_any_labels(d);
    do {
        AK_TRY(ak_documents_next(d, r->ctx, &t));
        if (t == NULL)
            break;
        ++n;
        if (r->of_records)
            AK_TRY(check_name(r, t));
        if (r->of_records && !r->restarts)
            AK_TRY(check_other(r, t));
    } while (r->of_records);
    if (n == 0 && r->restarts)
        AK_TRY(ak_fail(r->ctx, AKIN_EFORMAT, "%s: no documents", r->input));
    AK_TRY(check_renamed(r));
done:
    ak_ctx_mute_end(r->ctx);
    ak_documents_close(d);
    return st;
}

/* Records of the source that are no longer in it: counted, or removed. */
static akin_status end_records(documents_run *r, int64_t *count)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    *count = 0;
    AK_TRY(ak_sql_ask(&r->catalog.sql, r->ctx, &q,
                      "SELECT id, name FROM items WHERE folder = ? AND path IS "
                      "NULL ORDER BY id",
                      "i", r->source));
    for (;;) {
        AK_TRY(ak_sql_next(&r->catalog.sql, r->ctx, q, &row));
        if (!row)
            break;
        if (ak_names_find(&r->seen, sqlite3_column_blob(q, 1),
                          (size_t)sqlite3_column_bytes(q, 1)) >= 0)
            continue;
        ++*count;
        if (r->o.prune)
            AK_TRY(ak_item_remove(&r->catalog, r->ctx,
                                  sqlite3_column_int64(q, 0)));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* ---- the source ---- */

static akin_status take_all(documents_run *r, ak_documents *d)
{
    const ak_text *t;
    for (;;) {
        AK_CHECK(ak_documents_next(d, r->ctx, &t));
        if (t == NULL)
            break;
        AK_CHECK(t->path ? take_file(r, d, t) : take_record(r, d, t));
        if (r->n_unsaved >= COMMIT_DOCUMENTS)
            AK_CHECK(end_writing(r, AKIN_OK));
    }
    return ak_batch_flush(&r->batch);
}

/* ---- what is gone ---- */

typedef akin_status (*record_fn)(documents_run *r, const ak_text *t);

static akin_status drop_by_name(documents_run *r, const ak_text *t)
{
    ak_known k;
    if (t->numbered)
        return AKIN_OK;
    AK_CHECK(ak_known_by_name(&r->catalog, r->ctx,
                              (ak_blob){t->name.text, t->name.n}, &k));
    return k.id < 0 ? AKIN_OK : ak_gone_drop(&r->catalog, r->ctx, k.id);
}

static akin_status drop_by_text(documents_run *r, const ak_text *t)
{
    unsigned char hash[AK_HASH_SIZE];
    int64_t id;
    if (!t->numbered)
        return AKIN_OK;
    ak_hash_bytes(t->text.text, t->text.n, hash);
    return ak_gone_take(&r->catalog, r->ctx, (ak_blob){hash, AK_HASH_SIZE},
                        &id);
}

static akin_status each_record(documents_run *r, const char *path,
                               const akin_text_options *o, record_fn fn)
{
    ak_warnings warnings = {0};
    ak_documents *d = NULL;
    const ak_text *t = NULL;
    akin_status st = AKIN_OK;
    ak_ctx_mute_begin(r->ctx);
    AK_TRY(ak_documents_open(&d, r->ctx, path, o, &warnings));
    ak_documents_any_labels(d);
    for (;;) {
        AK_TRY(ak_documents_next(d, r->ctx, &t));
        if (t == NULL)
            break;
        AK_TRY(fn(r, t));
    }
done:
    ak_ctx_mute_end(r->ctx);
    ak_documents_close(d);
    return st;
}

/* Records that are no longer in their file leave. They are known by name, or
 * those called FILE:N by their text. */
static akin_status prune_source(documents_run *r, int64_t source,
                                const char *path)
{
    akin_text_options o = r->text_options;
    column_texts columns;
    int64_t n;
    AK_CHECK(get_columns(r, source, &columns, &o));
    AK_CHECK(ak_gone_source(&r->catalog, r->ctx, source));
    AK_CHECK(each_record(r, path, &o, drop_by_name));
    AK_CHECK(each_record(r, path, &o, drop_by_text));
    AK_CHECK(ak_gone_end(&r->catalog, r->ctx, source, true, &n));
    r->info.pruned += n;
    return AKIN_OK;
}

/* A file of records that is gone as a whole may come back. */
static akin_status visit_source(documents_run *r, sqlite3_stmt *q, bool read)
{
    const int64_t source = sqlite3_column_int64(q, 0);
    const int64_t n = sqlite3_column_int64(q, 2);
    char path[PATH_MAX];
    AK_CHECK(path_of_source(r, source, path));
    if (path[0] != '\0')
        return read ? prune_source(r, source, path) : AKIN_OK;
    ak_log(r->ctx, AKIN_LOG_WARNING,
           "%.*s is no longer there; the collection keeps its %" PRId64
           " document%s",
           sqlite3_column_bytes(q, 1), (const char *)sqlite3_column_blob(q, 1),
           n, n == 1 ? "" : "s");
    return AKIN_OK;
}

static akin_status visit_sources(documents_run *r, bool read)
{
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&r->catalog.sql, r->ctx, &q,
                      "SELECT f.id, f.path, i.n FROM folders f JOIN (SELECT "
                      "folder, COUNT(*) AS n FROM items WHERE path IS NULL "
                      "GROUP BY folder) AS i ON i.folder = f.id ORDER BY f.id",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(&r->catalog.sql, r->ctx, q, &row));
        if (!row)
            break;
        AK_TRY(visit_source(r, q, read));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* Files that are gone; with `read`, also records of files that are there. */
static akin_status prune(documents_run *r, bool read)
{
    int64_t n;
    AK_CHECK(ak_gone_end(&r->catalog, r->ctx, 0, true, &n));
    r->info.pruned += n;
    return visit_sources(r, read);
}

static akin_status look_for_gone(documents_run *r)
{
    int64_t n = 0;
    AK_CHECK(begin_writing(r));
    if (r->of_records) {
        AK_CHECK(ak_gone_take_rest(&r->catalog, r->ctx, r->source));
        AK_CHECK(end_records(r, &n));
    } else if (!r->o.prune)
        AK_CHECK(ak_gone_end(&r->catalog, r->ctx, r->source, false, &n));
    r->info.gone = r->o.prune ? 0 : n;
    r->info.pruned = r->o.prune ? n : 0;
    if (r->o.prune && r->of_records)
        AK_CHECK(ak_gone_begin(&r->catalog, r->ctx));
    return r->o.prune ? prune(r, false) : AKIN_OK;
}

static akin_status run_source(documents_run *r)
{
    ak_documents *d = NULL;
    akin_status st = AKIN_OK;
    r->batch = (ak_batch){.bag = &r->bag, .end = end_document, .arg = r};
    AK_TRY(ak_terms_load(&r->catalog, r->ctx, &r->stop, &r->bag));
    AK_TRY(ak_space_find(&r->catalog, r->ctx, ak_space_terms, &r->space));
    r->n_terms = r->bag.names.n;
    AK_TRY(r->of_records ? ak_gone_records(&r->catalog, r->ctx)
                         : ak_gone_begin(&r->catalog, r->ctx));
    AK_TRY(ak_documents_open(&d, r->ctx, r->input, &r->text_options,
                             &r->warnings));
    ak_documents_any_labels(d);
    AK_TRY(begin_writing(r));
    AK_TRY(ak_left_out_forget(&r->catalog, r->ctx, r->root));
    AK_TRY(end_writing(r, AKIN_OK));
    AK_TRY(take_all(r, d));
    AK_TRY(look_for_gone(r));
done:
    st = end_writing(r, st);
    ak_documents_close(d);
    return st;
}

/* ---- settings ---- */

static akin_status add_source(documents_run *r)
{
    const ak_blob key = {r->root, strlen(r->root)};
    AK_CHECK(ak_sql_do(&r->catalog.sql, r->ctx,
                       "INSERT INTO folders(path, done) VALUES(?, 0) ON "
                       "CONFLICT(path) DO UPDATE SET done = 0",
                       "b", key));
    AK_CHECK(ak_source_find(&r->catalog, r->ctx, r->root, &r->source, NULL));
    return r->of_records ? put_columns(r) : AKIN_OK;
}

static const char *kind_of_stop_words(const akin_text_options *o)
{
    const char *which = o->stop_words ? o->stop_words : "none";
    return strcmp(which, "english") == 0 || strcmp(which, "none") == 0 ? which
                                                                       : "file";
}

static akin_status put_settings(documents_run *r)
{
    const akin_text_options *o = &r->text_options;
    AK_CHECK(ak_catalog_set(&r->catalog, r->ctx, "stop-words",
                            kind_of_stop_words(o)));
    return ak_terms_start(&r->catalog, r->ctx, o, &r->stop);
}

/* The source, and what is needed before its documents. */
static akin_status put_source(documents_run *r, bool settings)
{
    if (r->restarts)
        AK_CHECK(ak_catalog_set(&r->catalog, r->ctx, "kind", "documents"));
    if (settings)
        AK_CHECK(put_settings(r));
    return add_source(r);
}

/* Stop words come back with the terms. */
static akin_status write_source(documents_run *r, bool settings)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_begin(&r->catalog.sql, r->ctx));
    st = ak_sql_end(&r->catalog.sql, r->ctx, put_source(r, settings));
    ak_names_free(&r->stop);
done:
    return st;
}

/* Everything that can fail comes before anything is cleared. */
static akin_status restart(documents_run *r)
{
    r->restarts = true;
    AK_CHECK(ak_stop_words(&r->stop, r->ctx, r->text_options.stop_words));
    AK_CHECK(check_source(r));
    AK_CHECK(ak_catalog_clear(&r->catalog, r->ctx));
    r->claimed = true;
    return write_source(r, true);
}

static akin_status check_setting(const documents_run *r, const char *key,
                                 const char *value)
{
    char old[32];
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, key, old, sizeof old));
    if (strcmp(old, value) != 0)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s was started with %s %s, not %s (repeat the command "
                       "to resume; `force` restarts)",
                       r->catalog.folder, key, old, value);
    return AKIN_OK;
}

static akin_status check_settings(const documents_run *r)
{
    const akin_text_options *o = &r->text_options;
    char least[32], most[32];
    snprintf(least, sizeof least, "%" PRId64, o->min_length);
    snprintf(most, sizeof most, "%" PRId64, o->max_length);
    AK_CHECK(check_setting(r, "stop-words", kind_of_stop_words(o)));
    AK_CHECK(check_setting(r, "min-length", least));
    return check_setting(r, "max-length", most);
}

/* What a run that was interrupted has not done, or more documents; the first
 * ones in a collection of pictures bring the terms along. */
static akin_status go_on(documents_run *r)
{
    AK_CHECK(recall_columns(r));
    AK_CHECK(ak_space_find(&r->catalog, r->ctx, ak_space_terms, &r->space));
    const bool settings = r->space.id < 0;
    if (settings)
        AK_CHECK(ak_stop_words(&r->stop, r->ctx, r->text_options.stop_words));
    AK_CHECK(check_source(r));
    r->claimed = true;
    return write_source(r, settings);
}

static akin_status start_or_resume(documents_run *r)
{
    bool is_done = true;
    char kind[16];
    AK_CHECK(ak_catalog_check_kind(&r->catalog, r->ctx, "documents"));
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, "kind", kind, sizeof kind));
    if (kind[0] == '\0')
        return restart(r);
    AK_CHECK(
        ak_source_find(&r->catalog, r->ctx, r->root, &r->source, &is_done));
    if (is_done)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: a collection exists (`add` extends it, `force` "
                       "replaces it)",
                       r->catalog.folder);
    AK_CHECK(check_settings(r));
    return go_on(r);
}

/* A collection of documents, or of pictures, which may have them too. */
static akin_status need_documents(const documents_run *r)
{
    char kind[16];
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, "kind", kind, sizeof kind));
    if (strcmp(kind, "images") == 0)
        return AKIN_OK;
    if (kind[0] == '\0')
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s is incomplete; rerun the command that started it",
                       r->catalog.folder);
    return ak_catalog_check_kind(&r->catalog, r->ctx, "documents");
}

static akin_status extend(documents_run *r)
{
    AK_CHECK(need_documents(r));
    AK_CHECK(ak_source_find(&r->catalog, r->ctx, r->root, &r->source, NULL));
    return go_on(r);
}

/* ---- the run ---- */

static akin_status resolve(documents_run *r, const char *input)
{
    struct stat s;
    r->input = input;
    if (realpath(input, r->root) == NULL || stat(r->root, &s) != 0)
        return ak_file_fail(r->ctx, AKIN_ENOENT, input);
    r->of_records = !S_ISDIR(s.st_mode);
    if (!akin_text_is_documents(input))
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: not documents (expected a folder, .csv, .tsv or "
                       ".jsonl)",
                       input);
    if (r->of_records && r->o.labels != NULL)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "`labels` is for the files of a folder (%s has its own: "
                       "`label_column`)",
                       input);
    return AKIN_OK;
}

static akin_status check_not_inside(const documents_run *r)
{
    if (ak_catalog_owns(&r->catalog, r->root))
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: inside the collection (expected documents)",
                       r->input);
    return AKIN_OK;
}

/* Without a term nothing can be found. */
static akin_status check_terms(documents_run *r)
{
    if (r->bag.names.n > 0)
        return AKIN_OK;
    r->claimed = false;
    return ak_fail(r->ctx, AKIN_EINVAL, "%s: no document has words to count",
                   r->input);
}

static akin_status index_all(documents_run *r)
{
    AK_CHECK(ak_segments_update(&r->catalog, r->ctx));
    AK_CHECK(ak_sql_do(&r->catalog.sql, r->ctx,
                       "UPDATE folders SET done = 1 WHERE id = ?", "i",
                       r->source));
    ak_sql_tidy(&r->catalog.sql);
    return AKIN_OK;
}

static akin_status prune_all(documents_run *r)
{
    akin_status st = AKIN_OK;
    AK_TRY(need_documents(r));
    AK_TRY(ak_gone_begin(&r->catalog, r->ctx));
    AK_TRY(ak_sql_begin(&r->catalog.sql, r->ctx));
    st = ak_sql_end(&r->catalog.sql, r->ctx, prune(r, true));
    if (st == AKIN_OK)
        st = ak_segments_update(&r->catalog, r->ctx);
done:
    return st;
}

/* Other items of the collection, as pictures, do not count. */
static akin_status count_documents(documents_run *r, akin_items_info *info)
{
    AK_CHECK(ak_catalog_counts(&r->catalog, r->ctx, info));
    AK_CHECK(ak_space_find(&r->catalog, r->ctx, ak_space_terms, &r->space));
    if (r->space.id < 1)
        return AKIN_OK;
    info->dim = r->space.dim;
    AK_CHECK(ak_space_count(&r->catalog, r->ctx, &r->space, &info->items));
    return ak_sql_number(&r->catalog.sql, r->ctx,
                         "SELECT SUM(n) FROM items WHERE width IS NULL OR "
                         "width = 0",
                         &info->features);
}

static akin_status finish(documents_run *r, akin_status st,
                          akin_items_info *info)
{
    const int64_t *n = r->warnings.n;
    if (st == AKIN_OK && info != NULL) {
        st = count_documents(r, info);
        info->added = r->info.added;
        info->changed = r->info.changed;
        info->moved = r->info.moved;
        info->gone = r->info.gone;
        info->pruned = r->info.pruned;
        info->dismissed = r->info.dismissed;
        info->left_out = n[AK_SKIPPED_UNREADABLE] + n[AK_SKIPPED_BINARY];
        info->repaired = n[AK_BAD_UTF8];
        info->empty = n[AK_NO_WORDS];
    }
    ak_warnings_end(&r->warnings, r->ctx);
    ak_batch_free(&r->batch);
    ak_bag_drop(&r->bag);
    ak_names_free(&r->stop);
    ak_names_free(&r->seen);
    ak_picture_labels_free(&r->labels);
    akin_free(r->text);
    if (st != AKIN_OK && !r->claimed)
        ak_catalog_undo(&r->catalog);
    ak_catalog_close(&r->catalog);
    return st;
}

static akin_status take_options(documents_run *r,
                                const akin_documents_options *options)
{
    akin_text_options t = AKIN_TEXT_DEFAULTS;
    ak_options_take(&r->o, sizeof r->o, options);
    t.stop_words = r->o.stop_words;
    t.min_length = r->o.min_length;
    t.max_length = r->o.max_length;
    t.text_column = r->o.text_column;
    t.label_column = r->o.label_column;
    t.name_column = r->o.name_column;
    t.header = r->o.header;
    if (r->o.labels != NULL)
        AK_CHECK(ak_picture_labels_read(&r->labels, r->ctx, r->o.labels,
                                        r->o.label_column));
    AK_CHECK(ak_words_check(r->ctx));
    return ak_text_options_take(&r->text_options, r->ctx, &t);
}

static akin_status run(akin_ctx *ctx, const char *path, const char *input,
                       const akin_documents_options *options,
                       akin_items_info *info, bool adds)
{
    documents_run r = {.ctx = ctx, .o = AKIN_DOCUMENTS_DEFAULTS};
    akin_status st = AKIN_OK;
    r.catalog.lock = -1;
    AK_TRY(take_options(&r, options));
    if (adds && !ak_catalog_is(path))
        AK_TRY(ak_fail(ctx, AKIN_ENOENT, "%s: not a collection", path));
    if (input != NULL)
        AK_TRY(resolve(&r, input));
    AK_TRY(ak_catalog_open(&r.catalog, ctx, path, AK_CATALOG_WRITE));
    if (input == NULL) {
        AK_TRY(prune_all(&r));
    } else {
        AK_TRY(check_not_inside(&r));
        AK_TRY(adds ? extend(&r) : start_or_resume(&r));
        AK_TRY(run_source(&r));
        AK_TRY(check_terms(&r));
        AK_TRY(index_all(&r));
    }
done:
    return finish(&r, st, info);
}

akin_status akin_documents_make(akin_ctx *ctx, const char *path,
                                const char *input,
                                const akin_documents_options *options,
                                akin_items_info *info)
{
    ak_replacement r;
    akin_status st =
        ak_replace_begin(&r, ctx, path, options != NULL && options->force);
    if (st == AKIN_OK)
        st = run(ctx, r.path, input, options, info, false);
    return ak_replace_end(&r, ctx, st);
}

akin_status akin_documents_add(akin_ctx *ctx, const char *path,
                               const char *input,
                               const akin_documents_options *options,
                               akin_items_info *info)
{
    return run(ctx, path, input, options, info, true);
}
