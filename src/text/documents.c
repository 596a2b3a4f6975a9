/* Documents to rows of counts: the files of a folder, or the records of a CSV
 * file.
 *
 * Files are read one after the other, cut into words by several threads, and
 * counted one after the other again. A thread knows the words that were met
 * before its batch by their numbers, and leaves the others as they are; all are
 * counted in the order of the text. So the bag does not depend on the batches.
 */
#include <akin/text.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "data/io/formats.h"
#include "data/io/header.h"
#include "data/io/sink.h"
#include "data/recipe/recipe.h"
#include "text/bag.h"
#include "text/csv_records.h"
#include "text/folder.h"
#include "text/vocabulary.h"

enum { PIECE = 1 << 16 };  // bytes read at a time

typedef struct reader {
    akin_ctx *ctx;
    const char *path;
    const akin_text_options *options;
    ak_bag bag;
    ak_warnings warnings;
    const char *folder;  // the class of the last document, of folders
    ak_sink *list;       // NULL: not asked for
    char *piece;         // PIECE bytes, scratch
} reader;

/* ---- the end of a document ---- */

/* svmlight and lists of labels know these as something else. */
static bool may_stand(char c)
{
    return (unsigned char)c > ' ' && strchr(",:#\x7f", c) == NULL;
}

/* The labels as any format can hold them, from scratch. */
static akin_status clean(reader *r, const char *label, char delimiter,
                         char **out, bool *changed)
{
    const size_t n = strlen(label);
    const bool unknown = delimiter == '\0' && strcmp(label, "?") == 0;
    char *to;
    AK_CHECK(ak_scratch(r->ctx, 3 * (int64_t)n + 1, 1, &to));
    *out = to;
    for (size_t k = 0, len; k < n; k += len) {
        const bool stands = may_stand(label[k]) || label[k] == delimiter;
        const size_t size = ak_utf8_length(label + k, n - k);
        len = stands && size > 0 ? size : 1;
        if (!stands || unknown)
            *to++ = '_';
        else if (size > 0 || label[k] == delimiter)
            to = (char *)memcpy(to, label + k, len) + len;
        else
            to = (char *)memcpy(to, "\xef\xbf\xbd", 3) + 3;
    }
    *changed = strcmp(*out, label) != 0;
    return AKIN_OK;
}

/* Documents come folder by folder: is this the first of its own? */
static bool is_first(const reader *r, const char *label, char delimiter)
{
    return delimiter == '\0' && r->folder != label;
}

static akin_status add_label(reader *r, const char *name, const char *label,
                             char delimiter)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    ak_row_builder *b = &r->bag.build;
    const int64_t known = b->names.n;
    const char *where, *why;
    char *text;
    bool changed;
    akin_status st = AKIN_OK;
    AK_TRY(clean(r, label, delimiter, &text, &changed));
    AK_TRY(ak_row_builder_labels(b, r->ctx, text, strlen(text), delimiter,
                                 &where, &why));
    if (why != NULL)
        AK_TRY(
            ak_fail(r->ctx, AKIN_EFORMAT, "%s: %s ('%s')", name, why, label));
    if (changed && b->names.n > known)
        AK_TRY(ak_warnings_add(&r->warnings, r->ctx, AK_RENAMED,
                               "%s: class '%s' is renamed '%s' (labels are "
                               "UTF-8 without blanks, commas, colons and #)",
                               name, label, text));
    if (is_first(r, label, delimiter) && b->names.n == known)
        AK_TRY(ak_warnings_add(&r->warnings, r->ctx, AK_RENAMED,
                               "%s: class '%s' is renamed '%s', which another "
                               "folder is called too",
                               name, label, text));
    r->folder = label;
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status put_name(reader *r, const char *name)
{
    for (; *name != '\0'; ++name)
        AK_CHECK(ak_sink_put(r->list, r->ctx,
                             (unsigned char)*name < ' ' ? "?" : name, 1));
    return ak_sink_text(r->list, r->ctx, "\n");
}

static bool is_label(const char *label, char delimiter)
{
    return label != NULL && label[0] != '\0' &&
           (delimiter == '\0' || strcmp(label, "?") != 0);
}

/* The document that was fed is whole: a row for it, unless it is binary.
 * `label` (NULL: none) may be a list separated by `delimiter`, or, without one
 * ('\0'), the name of a folder; `name` is for messages and the list. */
static akin_status end_document(reader *r, const char *name, const char *label,
                                char delimiter)
{
    ak_bag *b = &r->bag;
    if (b->words.n_zero > 0) {
        ak_bag_undo(b);
        return ak_warnings_add(&r->warnings, r->ctx, AK_SKIPPED_BINARY,
                               "%s: contains zero bytes: not text in UTF-8",
                               name);
    }
    if (is_label(label, delimiter))
        AK_CHECK(add_label(r, name, label, delimiter));
    AK_CHECK(ak_bag_close(b));
    if (b->words.n_bad > 0)
        AK_CHECK(ak_warnings_add(
            &r->warnings, r->ctx, AK_BAD_UTF8,
            b->words.n_bad == 1
                ? "%s: %" PRId64 " byte is not UTF-8; it separates words"
                : "%s: %" PRId64 " bytes are not UTF-8; they separate words",
            name, b->words.n_bad));
    if (ak_bag_terms(b) == 0)
        AK_CHECK(ak_warnings_add(&r->warnings, r->ctx, AK_NO_WORDS,
                                 "%s: no words to count; kept as an empty row",
                                 name));
    if (r->list != NULL)
        AK_CHECK(put_name(r, name));
    return AKIN_OK;
}

/* ---- CSV ---- */

typedef struct columns {
    int64_t text, label;  // label -1: none
    int64_t n;
    bool header;
} columns;

static bool has_header(const akin_text_options *o)
{
    const char *label = o->label_column;
    return o->header || o->text_column == NULL ||
           !ak_header_is_number(o->text_column) ||
           (label != NULL && !ak_header_is_number(label) &&
            !ak_header_no_label(label));
}

/* The column that is asked for, or the one with a usual name. */
static akin_status find_label(const reader *d, const ak_columns *names,
                              int64_t line, columns *c)
{
    const char *wanted = d->options->label_column;
    c->label = -1;
    if (ak_header_no_label(wanted))
        return AKIN_OK;
    if (wanted != NULL) {
        c->label = ak_header_find(names, wanted, c->header);
        return c->label >= 0
                   ? AKIN_OK
                   : ak_header_missing(d->ctx, names, wanted, d->path, line,
                                       " (`label_column` names it)");
    }
    if (c->header)
        c->label = ak_header_label(names);
    if (c->label == c->text)
        c->label = -1;
    if (c->label >= 0)
        ak_header_tell_label(d->ctx, names, c->label, d->path, "ignores it");
    return AKIN_OK;
}

/* Which columns, from the first record. */
static akin_status find_columns(const reader *d, const ak_csv_records *r,
                                columns *c)
{
    const akin_text_options *o = d->options;
    const char *text = o->text_column ? o->text_column : "text";
    ak_columns names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_csv_records_names(r, d->ctx, &names));
    c->n = r->n_cells;
    c->header = has_header(o);
    c->text = ak_header_find(&names, text, c->header);
    if (c->text < 0)
        AK_TRY(ak_header_missing(d->ctx, &names, text, d->path, r->line,
                                 " (`text_column` names it)"));
    AK_TRY(find_label(d, &names, r->line, c));
done:
    ak_columns_free(&names);
    return st;
}

static akin_status read_record(reader *d, const ak_csv_records *r,
                               const columns *c)
{
    const ak_mark mark = ak_scratch_begin(d->ctx);
    const size_t size = strlen(d->path) + 32;
    const char *label = NULL, *text;
    char *name;
    size_t n;
    akin_status st = AKIN_OK;
    if (r->n_cells != c->n)
        AK_TRY(ak_fail(d->ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": %" PRId64 " cells (expected %" PRId64
                       ", as before)",
                       d->path, r->line, r->n_cells, c->n));
    AK_TRY(ak_scratch(d->ctx, (int64_t)size, 1, &name));
    snprintf(name, size, "%s:%" PRId64, d->path, r->line);
    if (c->label >= 0)
        label = ak_csv_records_cell(r, c->label, &n);
    text = ak_csv_records_cell(r, c->text, &n);
    ak_bag_open(&d->bag);
    AK_TRY(ak_bag_feed(&d->bag, text, n));
    AK_TRY(end_document(d, name, label, ';'));
done:
    ak_scratch_end(d->ctx, mark);
    return st;
}

static akin_status read_csv(reader *d, char delimiter)
{
    ak_source *s = NULL;
    ak_csv_records r = {0};
    columns c = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, d->ctx, d->path, AK_SOURCE_TEXT));
    AK_TRY(ak_csv_records_begin(&r, d->ctx, s, delimiter));
    if (delimiter == ',' && has_header(d->options))
        AK_TRY(ak_csv_records_find_delimiter(&r, d->ctx));
    AK_TRY(ak_csv_records_next(&r, d->ctx));
    if (r.n_cells > 0)
        AK_TRY(find_columns(d, &r, &c));
    if (c.header)
        AK_TRY(ak_csv_records_next(&r, d->ctx));
    while (r.n_cells > 0) {
        AK_TRY(read_record(d, &r, &c));
        AK_TRY(ak_csv_records_next(&r, d->ctx));
    }
done:
    ak_csv_records_end(&r);
    ak_source_close(s);
    return st;
}

/* ---- a folder: batches of files ---- */

enum {
    BATCH_DOCUMENTS = 64,
    BATCH_BYTES = 4 << 20,
    LONG = 1 << 20,  // bytes of a document that is read alone
    SPARE = 64,      // tokens of a document beside one for each byte
    WORD = sizeof(int32_t),
};

typedef struct batch_document {
    const char *path, *label;
    int64_t begin, end;  // of its bytes
    int64_t n_tokens;    // -1: more than there is room for
    int64_t n_bad, n_zero;
} batch_document;

/* Cuts documents into words, one for each worker. */
typedef struct tokenizer {
    ak_words words;
    const ak_bag *bag;
    int32_t *to;
    int64_t n, room;  // n -1: there was no room
} tokenizer;

/* All zero but `r` to begin with. */
typedef struct batch {
    reader *r;
    batch_document documents[BATCH_DOCUMENTS];
    int64_t n;
    char *bytes;  // of all
    int64_t room;
    int32_t *tokens;  // each a number, or -1, length and word
    int64_t token_room;
    tokenizer *tokenizers;
} batch;

static akin_status make_room(batch *b, int64_t more)
{
    const int64_t used = b->n > 0 ? b->documents[b->n - 1].end : 0;
    return ak_grow(b->r->ctx, used + more, &b->room, 1, &b->bytes);
}

static akin_status read_whole(batch *b, ak_source *s, batch_document *p)
{
    size_t got = 0;
    do {
        if (p->end - p->begin > LONG)
            return AKIN_OK;
        AK_CHECK(make_room(b, p->end - p->begin + PIECE));
        AK_CHECK(ak_source_read(s, b->r->ctx, b->bytes + p->end, PIECE, &got));
        p->end += (int64_t)got;
    } while (got == PIECE);
    return AKIN_OK;
}

/* Take a document in; `*taken` is false when it is long or cannot be read, and
 * has to be read alone. */
static akin_status batch_take(batch *b, const char *path, const char *label,
                              bool *taken)
{
    akin_ctx *ctx = b->r->ctx;
    batch_document *p = &b->documents[b->n];
    const int64_t begin = b->n > 0 ? p[-1].end : 0;
    ak_source *s = NULL;
    akin_status st;
    *p = (batch_document){path, label, begin, begin, 0, 0, 0};
    ak_ctx_quiet_begin(ctx);
    st = ak_source_open(&s, ctx, path, AK_SOURCE_TEXT);
    if (st == AKIN_OK)
        st = read_whole(b, s, p);
    ak_source_close(s);
    ak_ctx_quiet_end(ctx);
    *taken = st == AKIN_OK && p->end - begin <= LONG;
    b->n += *taken;
    return st == AKIN_ENOMEM ? st : AKIN_OK;
}

static bool batch_is_full(const batch *b)
{
    return b->n == BATCH_DOCUMENTS ||
           (b->n > 0 && b->documents[b->n - 1].end >= BATCH_BYTES);
}

/* Where the tokens of a document go, and how many there is room for. */
static int64_t token_begin(const batch_document *p, int64_t i)
{
    return p->begin + i * SPARE;
}

static int64_t token_end(const batch_document *p, int64_t i)
{
    return p->end + (i + 1) * SPARE;
}

static akin_status cut_word(void *arg, const char *word, size_t n)
{
    tokenizer *c = arg;
    const int64_t more = 2 + (int64_t)(n + WORD - 1) / WORD;
    const int32_t term = ak_bag_look(c->bag, word, n);
    if (term == AK_BAG_NO_TERM || c->n < 0)
        return AKIN_OK;
    if (c->n + more > c->room) {
        c->n = -1;
        return AKIN_OK;
    }
    if (term >= 0) {
        c->to[c->n++] = term;
        return AKIN_OK;
    }
    c->to[c->n] = -1;
    c->to[c->n + 1] = (int32_t)n;
    memcpy(c->to + c->n + 2, word, n);
    c->n += more;
    return AKIN_OK;
}

static akin_status tokenize(void *arg, int64_t begin, int64_t end,
                            int64_t worker)
{
    batch *b = arg;
    tokenizer *c = &b->tokenizers[worker];
    for (int64_t i = begin; i < end; ++i) {
        batch_document *p = &b->documents[i];
        c->n = 0;
        c->to = b->tokens + token_begin(p, i);
        c->room = token_end(p, i) - token_begin(p, i);
        c->words.n_bad = c->words.n_zero = 0;
        ak_words_feed(&c->words, b->bytes + p->begin,
                      (size_t)(p->end - p->begin));
        ak_words_end(&c->words);
        p->n_tokens = c->n;
        p->n_bad = c->words.n_bad;
        p->n_zero = c->words.n_zero;
    }
    return AKIN_OK;
}

static akin_status make_tokenizers(batch *b)
{
    akin_ctx *ctx = b->r->ctx;
    const ak_bag *bag = &b->r->bag;
    const int64_t n = ak_workers(ctx);
    const akin_status st = AK_NEW(ctx, n, &b->tokenizers);
    for (int64_t i = 0; st == AKIN_OK && i < n; ++i) {
        tokenizer *c = &b->tokenizers[i];
        c->bag = bag;
        c->words.take = cut_word;
        c->words.arg = c;
        c->words.least = bag->words.least;
        c->words.most = bag->words.most;
    }
    return st;
}

static akin_status count_tokens(ak_bag *b, int64_t count, const int32_t *tokens)
{
    for (int64_t k = 0; k < count;) {
        if (tokens[k] >= 0) {
            AK_CHECK(ak_bag_count(b, tokens[k++]));
            continue;
        }
        const size_t n = (size_t)tokens[k + 1];
        AK_CHECK(ak_bag_add(b, (const char *)(tokens + k + 2), n));
        k += 2 + (int64_t)(n + WORD - 1) / WORD;
    }
    return AKIN_OK;
}

static akin_status count_document(batch *b, const batch_document *p,
                                  const int32_t *tokens)
{
    ak_bag *bag = &b->r->bag;
    const size_t n = (size_t)(p->end - p->begin);
    if (p->n_tokens < 0)
        return ak_bag_feed(bag, b->bytes + p->begin, n);
    bag->words.n_bad = p->n_bad;
    bag->words.n_zero = p->n_zero;
    return p->n_zero == 0 ? count_tokens(bag, p->n_tokens, tokens) : AKIN_OK;
}

/* Count all documents that were taken. */
static akin_status batch_count(batch *b)
{
    reader *r = b->r;
    if (b->n == 0)
        return AKIN_OK;
    const int64_t need = token_end(&b->documents[b->n - 1], b->n - 1);
    if (b->tokenizers == NULL)
        AK_CHECK(make_tokenizers(b));
    AK_CHECK(
        ak_grow(r->ctx, need, &b->token_room, sizeof *b->tokens, &b->tokens));
    AK_CHECK(ak_parallel_for(r->ctx, b->n, 1, tokenize, b));
    for (int64_t i = 0; i < b->n; ++i) {
        const batch_document *p = &b->documents[i];
        ak_bag_open(&r->bag);
        AK_CHECK(count_document(b, p, b->tokens + token_begin(p, i)));
        AK_CHECK(end_document(r, p->path, p->label, '\0'));
    }
    b->n = 0;
    return AKIN_OK;
}

static void batch_free(batch *b)
{
    akin_free(b->bytes);
    akin_free(b->tokens);
    akin_free(b->tokenizers);
}

static akin_status feed_source(reader *r, ak_source *s)
{
    size_t got = 0;
    do {
        AK_CHECK(ak_source_read(s, r->ctx, r->piece, PIECE, &got));
        AK_CHECK(ak_bag_feed(&r->bag, r->piece, got));
    } while (got == PIECE && r->bag.words.n_zero == 0);
    return AKIN_OK;
}

/* Does it concern this document alone? */
static bool is_local(akin_status st)
{
    return st == AKIN_ENOENT || st == AKIN_EIO || st == AKIN_EFORMAT;
}

static akin_status read_document(reader *r, const char *path, const char *label)
{
    ak_source *s = NULL;
    akin_status st;
    ak_bag_open(&r->bag);
    ak_ctx_quiet_begin(r->ctx);
    st = ak_source_open(&s, r->ctx, path, AK_SOURCE_TEXT);
    if (st == AKIN_OK)
        st = feed_source(r, s);
    ak_source_close(s);
    ak_ctx_quiet_end(r->ctx);
    if (st == AKIN_OK)
        return end_document(r, path, label, '\0');
    if (!is_local(st))
        return st;
    ak_bag_undo(&r->bag);
    return ak_warnings_add(&r->warnings, r->ctx, AK_SKIPPED_UNREADABLE, "%s",
                           akin_ctx_message(r->ctx));
}

static akin_status read_folder(reader *r)
{
    ak_folder f = {0};
    batch b = {.r = r};
    int64_t loose = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_folder_list(&f, r->ctx, r->path, &r->warnings));
    for (int64_t i = 0; i < f.n; ++i) {
        const ak_document *d = &f.documents[i];
        AK_TRY(ak_ctx_tick(r->ctx, "documents", i, f.n, NAN));
        const char *label = d->label < 0 ? NULL : f.classes[d->label];
        bool taken = false;
        AK_TRY(batch_take(&b, d->path, label, &taken));
        if (!taken || batch_is_full(&b))
            AK_TRY(batch_count(&b));
        if (!taken)
            AK_TRY(read_document(r, d->path, label));
        loose += d->label < 0;
    }
    AK_TRY(batch_count(&b));
    if (loose > 0)
        ak_log(r->ctx, AKIN_LOG_INFO, "%s: %" PRId64 " %s outside a sub-folder",
               r->path, loose,
               loose == 1 ? "document has no class: it is"
                          : "documents have no class: they are");
done:
    batch_free(&b);
    ak_folder_free(&f);
    return st;
}

/* ---- any documents ---- */

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

static akin_status read_all(reader *r)
{
    const ak_format *format = ak_format_of(r->path);
    if (is_folder(r->path))
        AK_CHECK(read_folder(r));
    else if (akin_text_is_documents(r->path))
        AK_CHECK(read_csv(r, format->delimiter));
    else
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: not documents (expected a folder, .csv or .tsv)",
                       r->path);
    ak_warnings_end(&r->warnings, r->ctx);
    if (r->bag.build.rows->n == 0)
        return ak_fail(r->ctx, AKIN_EFORMAT, "%s: no documents", r->path);
    return AKIN_OK;
}

static akin_status begin(reader *r, const akin_recipe *recipe,
                         const ak_names *stop)
{
    const akin_text_options *o = r->options;
    const ak_vocabulary *v = recipe ? recipe->vocabulary : NULL;
    AK_CHECK(ak_words_check(r->ctx));
    if (recipe != NULL && (v == NULL || v->terms.n == 0))
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "the recipe has no terms: it takes counts, not "
                       "documents");
    AK_CHECK(ak_bag_begin(&r->bag, r->ctx, v ? &v->terms : NULL, stop,
                          v ? 1 : o->min_length,
                          v ? AK_WORD_MOST : o->max_length));
    /* From scratch, so that what a document takes there is not allocated anew
     * for each. */
    AK_CHECK(ak_scratch(r->ctx, PIECE, 1, &r->piece));
    if (o->list != NULL)
        AK_CHECK(ak_sink_open(&r->list, r->ctx, o->list));
    return AKIN_OK;
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
    reader r = {.ctx = ctx, .path = path, .options = &o};
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_names stop = {0};
    akin_rows *rows = NULL;
    int64_t least, most;
    akin_status st = AKIN_OK;
    AK_TRY(ak_text_options_take(&o, ctx, options));
    r.warnings.strict = o.strict != 0;
    if (recipe == NULL)
        AK_TRY(ak_stop_words(&stop, ctx, o.stop_words));
    AK_TRY(begin(&r, recipe, &stop));
    AK_TRY(read_all(&r));
    AK_TRY(ak_text_limits(ctx, &o, r.bag.build.rows->n, &least, &most));
    AK_TRY(ak_bag_end(&r.bag, &rows, least, most));
    if (rows->d == 0 && r.bag.names.n > 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "none of %" PRId64 " terms is left (`min_df`, `max_df`)",
                       r.bag.names.n));
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
    ak_bag_drop(&r.bag);
    ak_names_free(&stop);
    ak_scratch_end(ctx, mark);
    return st;
}
