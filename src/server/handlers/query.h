/* server/handlers/query.h - what a request is about. */
#ifndef SERVER_QUERY_H
#define SERVER_QUERY_H

#include "server/pool.h"
#include "server/request.h"
#include "server/workers.h"

/* A reader of the collection of the request, to be given back by pool_give, and
 * the row of an item. False: the answer says what is wrong. */
bool take_item(request *r, worker *w, served **s, akin_collection **c,
               int64_t id, int64_t *row);

/* Whole numbers that are ids of items. */
typedef struct item_ids {
    int64_t *ids;
    int64_t n;
} item_ids;

/* All values of an argument. False: the answer says what is wrong. */
bool ids_of_arguments(request *r, const char *key, item_ids *out);
/* A list of JSON, of ids; with a collection also of names. */
bool ids_of_json(request *r, const json_t *list, const char *key, akin_ctx *ctx,
                 akin_collection *c, item_ids *out);
/* The id of the item that has this name alone. AKIN_EINVAL: there is none. */
akin_status id_of_name(int64_t *id, akin_ctx *ctx, akin_collection *c,
                       const char *name);

/* A row of features, of {"columns": [...], "values": [...]}. */
bool features_of_json(request *r, akin_ctx *ctx, const json_t *features,
                      int64_t dim, akin_rows **out);
/* The same of a query, whose "kind" is that of the collection unless the
 * features say another: the collection is asked by it from now on. */
bool query_of_json(request *r, akin_ctx *ctx, akin_collection *c,
                   const json_t *features, akin_rows **out);
json_t *features_json(const akin_rows *row);

/* Does the object have these keys alone? */
bool has_known_keys(request *r, const json_t *object, const char *keys);

/* The body as a file in memory, which the program that decodes pictures opens
 * by its path: nothing is written to the disk. -1: out of memory. */
int body_as_file(const request *r, char path[64]);
/* The message without the path that the file had here. */
void reply_file_failure(request *r, akin_ctx *ctx, akin_status st,
                        const char *path);

#endif
