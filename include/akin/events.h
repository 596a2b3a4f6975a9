/* akin/events.h - what people said about the items of a collection.
 *
 * An event is a query with items that are good and bad answers to it, or with
 * those that were shown and clicked. It is on the disk before the call returns,
 * has a number of its own, and is never lost or doubled. */
#ifndef AKIN_EVENTS_H
#define AKIN_EVENTS_H

#include <akin/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The events of a collection, to be read or added to. Several processes may do
 * so at the same time; to read needs no permission to write. One thread at a
 * time. */
typedef struct akin_events akin_events;

AKIN_API akin_status akin_events_open(akin_events **out, akin_ctx *ctx,
                                      const char *path);
AKIN_API void akin_events_close(akin_events *e);
/* Was the collection replaced, moved or removed since it was opened? What is
 * added then goes with the old one. */
AKIN_API int akin_events_has_moved(const akin_events *e);

/* Items are given by their ids. */
typedef struct akin_event {
    uint64_t size;          /* sizeof(akin_event) */
    const char *key;        /* the client's own; NULL: none */
    const char *user;       /* who said it, in fewer than AKIN_USER_SIZE bytes;
                               NULL: nobody in particular */
    int64_t item;           /* the query, when it is an item; -1: it is not */
    const char *query;      /* when it is not: a file, the text of a document,
                               or a name for `row` */
    const akin_rows *row;   /* its features, one raw row; NULL: of `query` */
    const int64_t *good;    /* good answers */
    int64_t n_good;         /* length of good */
    const int64_t *bad;     /* bad answers */
    int64_t n_bad;          /* length of bad */
    const int64_t *shown;   /* answers that were shown, best first */
    int64_t n_shown;        /* length of shown */
    const int64_t *clicked; /* those of them that were clicked */
    int64_t n_clicked;      /* length of clicked */
    const char *features;   /* what `row` is: words, colours, terms or vectors;
                               NULL: what the collection is searched by */
} akin_event;

#define AKIN_EVENT_INIT                         \
    {                                           \
        .size = sizeof(akin_event), .item = -1, \
    }

/* Store an event; `number` gets its number, from 1 on. An event whose key is
 * there already changes nothing, and `number` is that of the first.
 * AKIN_EINVAL: an item does not exist, is good and bad at once, or was clicked
 * and not shown; nothing was said; `query` has no features. */
AKIN_API akin_status akin_events_add(int64_t *number, akin_ctx *ctx,
                                     akin_events *e, const akin_event *event);
/* The same from one line of JSON, `{"key":..., "query":..., "good":[...],
 * "bad":[...], "shown":[...], "clicked":[...], "user":...}`. Items are names or
 * ids. A query that is no item is a file, the text of a document, or `features`
 * has its row:
 * `{"kind":..., "columns":[...], "values":[...]}`, terms in place of columns,
 * or values alone. `undone` true: the event is stored as undone. `number` 0:
 * the line is from akin_events_next, and the query or all answers had been
 * removed; nothing is stored. */
AKIN_API akin_status akin_events_add_json(int64_t *number, akin_ctx *ctx,
                                          akin_events *e, const char *text,
                                          uint64_t size);
/* Events added between `begin` and `end` are stored together, or none of them
 * when `st` is not AKIN_OK. `end` returns `st` or its own error. */
AKIN_API akin_status akin_events_begin(akin_ctx *ctx, akin_events *e);
AKIN_API akin_status akin_events_end(akin_ctx *ctx, akin_events *e,
                                     akin_status st);
/* Searches and learning no longer count the event. AKIN_EINVAL: there is no
 * such event. */
AKIN_API akin_status akin_events_undo(akin_ctx *ctx, akin_events *e,
                                      int64_t number);

/* The event after number `after` (0: the first) as such a line, with its
 * `number`; items that were removed are left out. NULL: there are no more. Free
 * with akin_free. */
AKIN_API akin_status akin_events_next(char **text, int64_t *number,
                                      akin_ctx *ctx, akin_events *e,
                                      int64_t after);
/* The same backwards: the last event before number `before` (0: of all). With
 * an `item`, of those that it is the query of; -1: of all. */
AKIN_API akin_status akin_events_previous(char **text, int64_t *number,
                                          akin_ctx *ctx, akin_events *e,
                                          int64_t before, int64_t item);
/* Events that count. */
AKIN_API akin_status akin_events_count(int64_t *count, akin_ctx *ctx,
                                       akin_events *e);

#ifdef __cplusplus
}
#endif
#endif
