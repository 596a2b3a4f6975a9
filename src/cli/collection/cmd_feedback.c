/* akin feedback: what people say about answers is kept in a collection. */
#include <akin/collection.h>
#include <akin/events.h>
#include <akin/versions.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"

typedef struct feedback_flags {
    const char *collection, *query, *good, *bad, *user, *key;
    const char *file, *export_to, *import_from;
    bool list;
    int64_t undo;
} feedback_flags;

static const app_option options[] = {
    {"COLLECTION", NULL, APP_FIELD(feedback_flags, collection),
     .help = "a collection", .flags = APP_ARGUMENT | APP_NEEDED},
    {"query", "NAME|FILE|TEXT", APP_FIELD(feedback_flags, query),
     .help = "the query: an item by name or row, a file that is not in the "
             "collection, or the text of a document"},
    {"good", "NAMES", APP_FIELD(feedback_flags, good),
     .help = "good answers: items by name or row, separated by commas. May be "
             "repeated",
     .flags = APP_MANY},
    {"bad", "NAMES", APP_FIELD(feedback_flags, bad),
     .help = "bad answers, likewise", .flags = APP_MANY},
    {"user", "USER", APP_FIELD(feedback_flags, user), .help = "who says it"},
    {"key", "KEY", APP_FIELD(feedback_flags, key),
     .help = "your own key of the event; one that is there already changes "
             "nothing, and its number is printed"},
    {"file", "EVENTS.jsonl", APP_FIELD(feedback_flags, file),
     .help = "events as lines of JSON, - for standard input; each is stored "
             "and its number printed before the next is read"},
    {"list", NULL, APP_FIELD(feedback_flags, list),
     .help = "print all events as lines of JSON"},
    {"undo", "N", APP_FIELD(feedback_flags, undo),
     .help = "the event with this number no longer counts", .min = 1,
     .max = 9e15},
    {"export", "FILE", APP_FIELD(feedback_flags, export_to),
     .help = "write all events as lines of JSON", .flags = APP_OUTPUT},
    {"import", "FILE", APP_FIELD(feedback_flags, import_from),
     .help = "add the events of such a file: all of them, or none"},
};

static const app_group group = APP_GROUP("Collection and events", options,
                                         (&(const feedback_flags){.undo = -1}));

/* ---- one event ---- */

/* Items as ids. */
typedef struct ids {
    int64_t *all, n;
} ids;

static akin_status take_id(app *a, akin_collection *c, const char *text,
                           int64_t *id)
{
    akin_item item;
    int64_t row;
    akin_status st = AKIN_OK;
    APP_TRY(cli_item_row(a, c, text, &row));
    APP_TRY(akin_collection_item(&item, a->ctx, c, row));
    *id = item.id;
done:
    return st;
}

/* A name, or several separated by commas. */
static akin_status take_names(app *a, akin_collection *c, char *text, ids *out)
{
    akin_status st = take_id(a, c, text, &out->all[out->n]);
    char *name;
    if (st == AKIN_OK)
        ++out->n;
    if (st == AKIN_OK || strchr(text, ',') == NULL)
        return st;
    st = AKIN_OK;
    while (st == AKIN_OK && (name = strsep(&text, ",")) != NULL)
        st = take_id(a, c, name, &out->all[out->n++]);
    return st;
}

static akin_status take_all(app *a, akin_collection *c, const char *flag,
                            ids *out)
{
    const char *text;
    int64_t room = 0;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; (text = app_value_at(a, flag, k)) != NULL; ++k)
        room += (int64_t)strlen(text) + 1;
    APP_TRY(APP_NEW(a, room + 1, &out->all));
    for (int64_t k = 0; (text = app_value_at(a, flag, k)) != NULL; ++k) {
        char *copy = strdup(text);
        st = copy ? take_names(a, c, copy, out)
                  : app_fail(a, AKIN_ENOMEM, "out of memory");
        free(copy);
        APP_TRY(st);
    }
done:
    return st;
}

static akin_status print_number(app *a, int64_t number)
{
    akin_status st = AKIN_OK;
    APP_TRY(a->common.json
                ? app_json_print(a, APP_OBJECT(APP_KEY("event", number)))
                : app_print(a, "%" PRId64 "\n", number));
    if (fflush(stdout) != 0)
        st = app_fail(a, AKIN_EIO, "standard output: %s", strerror(errno));
done:
    return st;
}

/* A file of one row is a query of vectors. *out stays NULL where the query is
 * anything else. */
static akin_status read_row(app *a, const akin_collection *c, const char *path,
                            akin_rows **out)
{
    cli_shape shape = {0};
    akin_status st = AKIN_OK;
    if (strcmp(akin_collection_kind(c), "vectors") != 0 ||
        access(path, R_OK) != 0)
        return AKIN_OK;
    APP_TRY(akin_collection_index_base(&shape.index_base, a->ctx, c));
    shape.dim = akin_collection_dim(c);
    APP_TRY(cli_read_rows(a, out, path, cli_reading_group.defaults, shape));
    if (akin_rows_count(*out) != 1)
        st = app_fail(a, AKIN_EINVAL, "%s: %s (expected one, the query)", path,
                      app_counted(akin_rows_count(*out), "row").text);
done:
    return st;
}

static akin_status add_one(app *a, const feedback_flags *f, akin_events *e)
{
    akin_collection *c = NULL;
    akin_event event = AKIN_EVENT_INIT;
    ids good = {0}, bad = {0};
    akin_rows *row = NULL;
    int64_t number;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_open(&c, a->ctx, f->collection));
    if (take_id(a, c, f->query, &event.item) != AKIN_OK) {
        APP_TRY(read_row(a, c, f->query, &row));
        event.query = f->query;
        event.row = row;
    }
    APP_TRY(take_all(a, c, "good", &good));
    APP_TRY(take_all(a, c, "bad", &bad));
    event.key = f->key;
    event.user = f->user;
    event.good = good.all;
    event.n_good = good.n;
    event.bad = bad.all;
    event.n_bad = bad.n;
    APP_TRY(akin_events_add(&number, a->ctx, e, &event));
    APP_TRY(print_number(a, number));
done:
    free(good.all);
    free(bad.all);
    akin_rows_free(row);
    akin_collection_close(c);
    return st;
}

/* ---- lines ---- */

typedef struct lines {
    FILE *file;
    const char *path;
    char *text;
    size_t room;
    int64_t number;  // of the line
} lines;

static akin_status open_lines(app *a, lines *l, const char *path)
{
    const bool in = strcmp(path, "-") == 0;
    *l = (lines){.file = in ? stdin : fopen(path, "rb"),
                 .path = in ? "standard input" : path};
    if (l->file == NULL)
        return app_fail(a, AKIN_ENOENT, "%s: %s", path, strerror(errno));
    return AKIN_OK;
}

static void close_lines(lines *l)
{
    if (l->file != NULL && l->file != stdin)
        fclose(l->file);
    free(l->text);
}

/* Add the event of the next line that has one; false at the end. Number 0: its
 * query, or all of its answers, had been removed when it was exported. */
static akin_status add_line(app *a, lines *l, akin_events *e, int64_t *number,
                            bool *more)
{
    ssize_t n;
    do {
        n = getline(&l->text, &l->room, l->file);
        ++l->number;
    } while (n >= 0 && strspn(l->text, " \t\r\n") == (size_t)n);
    *more = n >= 0;
    if (n < 0 && ferror(l->file))
        return app_fail(a, AKIN_EIO, "%s: %s", l->path, strerror(errno));
    if (n < 0)
        return AKIN_OK;
    const akin_status st =
        akin_events_add_json(number, a->ctx, e, l->text, (uint64_t)n);
    if (st == AKIN_OK)
        return st;
    return app_fail(a, st, "%s:%" PRId64 ": %s", l->path, l->number,
                    app_error_text(a, st));
}

static akin_status add_file(app *a, const char *path, akin_events *e)
{
    lines l = {0};
    bool more = true;
    int64_t number;
    akin_status st = AKIN_OK;
    APP_TRY(open_lines(a, &l, path));
    for (;;) {
        APP_TRY(add_line(a, &l, e, &number, &more));
        if (!more)
            break;
        if (number == 0)
            APP_TRY(app_fail(a, AKIN_EINVAL,
                             "%s:%" PRId64
                             ": the query, or all answers, had been "
                             "removed before the export (--import skips such "
                             "events)",
                             l.path, l.number));
        APP_TRY(print_number(a, number));
    }
done:
    close_lines(&l);
    return st;
}

static akin_status import(app *a, const char *path, akin_events *e)
{
    lines l = {0};
    bool more = true;
    int64_t number, before = 0, after = 0, skipped = 0;
    akin_status st = AKIN_OK;
    APP_TRY(open_lines(a, &l, path));
    APP_TRY(akin_events_count(&before, a->ctx, e));
    APP_TRY(akin_events_begin(a->ctx, e));
    for (;;) {
        st = add_line(a, &l, e, &number, &more);
        if (st != AKIN_OK || !more)
            break;
        skipped += number == 0;
    }
    APP_TRY(akin_events_end(a->ctx, e, st));
    APP_TRY(akin_events_count(&after, a->ctx, e));
    if (skipped > 0)
        app_warn(a,
                 "%s: %s skipped: the query, or all answers, had been "
                 "removed before the export",
                 l.path, app_counted(skipped, "event").text);
    if (a->common.json)
        APP_TRY(app_json_print(a, APP_OBJECT(APP_KEY("added", after - before),
                                             APP_KEY("skipped", skipped),
                                             APP_KEY("events", after))));
    else
        APP_TRY(app_report(a, "%s added, %" PRId64 " in all\n",
                           app_counted(after - before, "event").text, after));
done:
    close_lines(&l);
    return st;
}

/* ---- all events ---- */

/* A text that grows. */
typedef struct text {
    char *all;
    size_t n, room;
} text;

static akin_status append(app *a, text *t, const char *line)
{
    const size_t n = strlen(line);
    if (t->n + n + 2 > t->room) {
        const size_t room = 2 * (t->n + n + 2);
        char *more = realloc(t->all, room);
        if (more == NULL)
            return app_fail(a, AKIN_ENOMEM, "out of memory");
        t->all = more;
        t->room = room;
    }
    memcpy(t->all + t->n, line, n);
    t->n += n;
    t->all[t->n++] = '\n';
    t->all[t->n] = '\0';
    return AKIN_OK;
}

static int64_t lines_of(const text *t)
{
    int64_t n = 0;
    for (size_t i = 0; i < t->n; ++i)
        n += t->all[i] == '\n';
    return n;
}

static akin_status read_all(app *a, akin_events *e, text *t, json_t *list)
{
    char *line = NULL;
    akin_status st = AKIN_OK;
    for (int64_t number = 0;;) {
        APP_TRY(akin_events_next(&line, &number, a->ctx, e, number));
        if (line == NULL)
            break;
        if (list != NULL)
            json_array_append_new(list, json_loads(line, 0, NULL));
        else
            APP_TRY(append(a, t, line));
        akin_free(line);
        line = NULL;
    }
done:
    akin_free(line);
    return st;
}

static akin_status list_all(app *a, akin_events *e)
{
    json_t *list = a->common.json ? json_array() : NULL;
    text t = {0};
    akin_status st = AKIN_OK;
    APP_TRY(read_all(a, e, &t, list));
    if (list != NULL) {
        st = app_json_print(a, APP_OBJECT(APP_KEY("events", list)));
        list = NULL;
    } else if (t.all != NULL)
        st = app_print(a, "%s", t.all);
done:
    json_decref(list);
    free(t.all);
    return st;
}

static akin_status export_all(app *a, const char *path, akin_events *e)
{
    text t = {0};
    akin_status st = AKIN_OK;
    APP_TRY(read_all(a, e, &t, NULL));
    APP_TRY(akin_output_write(a->ctx, path, t.all ? t.all : ""));
    if (a->common.json)
        APP_TRY(app_json_print(a, APP_OBJECT(APP_KEY("events", lines_of(&t)),
                                             APP_KEY("out", path))));
done:
    free(t.all);
    return st;
}

static akin_status undo(app *a, int64_t number, akin_events *e)
{
    akin_status st = AKIN_OK;
    APP_TRY(akin_events_undo(a->ctx, e, number));
    APP_TRY(a->common.json
                ? app_json_print(a, APP_OBJECT(APP_KEY("undone", number)))
                : app_report(a, "event %" PRId64 " undone\n", number));
done:
    return st;
}

/* Learn, if it is time. What was said is stored already, so that no trouble
 * with learning is one of the command. */
static void learn_if_due(app *a, const char *path)
{
    akin_version_info v;
    const akin_status st = akin_collection_learn_due(&v, a->ctx, path);
    if (st != AKIN_OK)
        app_warn(a, "learning: %s", app_error_text(a, st));
    else if (v.version >= 0)
        app_remark(a, "%s: version %" PRId64 " learned from %s: %s", path,
                   v.version, app_counted(v.events, "event").text,
                   v.verdict[0] ? v.verdict : "too few queries to tell");
}

static akin_status check_flags(app *a, const feedback_flags *f)
{
    const bool said = f->good || f->bad;
    if (f->query != NULL && !said)
        return app_fail(a, AKIN_EINVAL, "--query needs --good or --bad");
    if (f->query == NULL && (said || f->user || f->key))
        return app_fail(a, AKIN_EINVAL, "--%s needs --query",
                        f->good   ? "good"
                        : f->bad  ? "bad"
                        : f->user ? "user"
                                  : "key");
    return AKIN_OK;
}

static akin_status run(app *a, const void *flags)
{
    const feedback_flags *f = flags;
    akin_events *e = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(check_flags(a, f));
    APP_TRY(akin_events_open(&e, a->ctx, f->collection));
    if (f->query != NULL)
        st = add_one(a, f, e);
    else if (f->file != NULL)
        st = add_file(a, f->file, e);
    else if (f->import_from != NULL)
        st = import(a, f->import_from, e);
    else if (f->export_to != NULL)
        st = export_all(a, f->export_to, e);
    else if (f->list)
        st = list_all(a, e);
    else
        st = undo(a, f->undo, e);
    akin_events_close(e);
    e = NULL;
    if (st == AKIN_OK && (f->query || f->file || f->import_from))
        learn_if_due(a, f->collection);
done:
    akin_events_close(e);
    return st;
}

const app_command cmd_feedback = {
    .name = "feedback",
    .section = "collections",
    .summary = "keep what people say about answers",
    .about =
        "Keep an event in a collection: a query with good and bad answers. Its "
        "number is printed once it is on the disk. From then on, searches by "
        "this query use it, and akin learn learns from all events.\n"
        "A line of JSON is {\"query\": NAME, \"good\": [NAME, ...], \"bad\": "
        "[...], \"user\": ..., \"key\": ...}, or {\"query\": ..., \"shown\": "
        "[...], \"clicked\": [...]}: what was clicked is better than what was "
        "shown above it and skipped. A number in place of a NAME is an id "
        "there "
        "(\"id\" of akin search --json); in --query, --good and --bad it is a "
        "row, as akin search prints it.",
    .examples = "akin feedback photos.akin --query new.jpg --good a.jpg,b.jpg "
                "--bad d.jpg\n"
                "akin feedback photos.akin --file events.jsonl\n"
                "akin feedback photos.akin --undo 12",
    .size = sizeof(feedback_flags),
    .needs = "query|file|list|undo|export|import",
    .excludes = "query|file|list|undo|export|import",
    APP_PARTS({&group, 0}),
    .run = run,
};
