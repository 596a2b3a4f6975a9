/* collection/feedback/events.h - what was said about queries, in the catalogue.
 */
#ifndef AK_COLLECTION_EVENTS_H
#define AK_COLLECTION_EVENTS_H

#include <akin/events.h>

#include "collection/items.h"

struct akin_events {
    ak_catalog catalog;
    char folder[PATH_MAX];
    struct akin_collection *reader;  // to describe files; NULL until needed
    bool writes;                     // the catalogue is open to write
    bool together;                   // between begin and end
};

/* What counts for one query: ids, each once, increasing. An item that was
 * judged again counts as it was judged last. */
typedef struct ak_said {
    int64_t *good, n_good;
    int64_t *bad, n_bad;
} ak_said;
void ak_said_free(ak_said *s);

/* What was said of an item as a query. Clicked items are good ones; `user`
 * (NULL: nobody) has the last word. */
akin_status ak_said_of_item(ak_said *out, akin_ctx *ctx, const ak_catalog *c,
                            int64_t item, const char *user);
/* The same of a query from outside, known by its features: raw row i of the
 * space. What was said of an item with these features counts too. */
akin_status ak_said_of_row(ak_said *out, akin_ctx *ctx, const ak_catalog *c,
                           const ak_space *space, const akin_rows *rows,
                           int64_t i, const char *user);

/* The same of an item, or of a query from outside by its number in the
 * catalogue (-1: not this one), until event number `last`; of `user` alone, or
 * NULL: of everybody. */
akin_status ak_said_until(ak_said *out, akin_ctx *ctx, const ak_catalog *c,
                          int64_t item, int64_t query, const char *user,
                          int64_t last);
/* For qsort and bsearch of int64_t. */
int ak_by_number(const void *left, const void *right);

/* What the features of a query are: as an event says, or NULL: what is searched
 * by. EINVAL: the collection has none of these. */
akin_status ak_event_space(const ak_catalog *c, akin_ctx *ctx,
                           const char *features, ak_space *out);
/* As akin_events_add; `undone`: stored as undone. */
akin_status ak_event_store(akin_events *e, akin_ctx *ctx,
                           const akin_event *event, bool undone,
                           int64_t *number);

/* The method of feedback that held-out events are for (akin/feedback.h);
 * "auto" where they do not say. `ak_setting_feedback` keeps it. */
struct akin_collection;
akin_status ak_choose_method(const char **method, akin_ctx *ctx,
                             struct akin_collection *c);
extern const char ak_setting_feedback[];

#endif
