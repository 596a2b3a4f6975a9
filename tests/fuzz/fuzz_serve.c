/* Any bytes as what a client of akin serve sends: a URL up to the first line
 * feed, then a body of JSON. */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "server/handlers/query.h"
#include "server/routes.h"
#include "server/server.h"

enum { DIM = 8 };

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* A route has a name and an id that fit its path; no route says why. */
static void find_route(request *r, const char *url)
{
    static const char *const methods[] = {"GET",  "HEAD",   "PUT",
                                          "POST", "DELETE", "BREW"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        const char *allow = NULL;
        const route *found = route_find(r, methods[i], url, &allow);
        must(found != NULL || allow != NULL);
        if (found != NULL && strstr(found->path, "{id}") != NULL)
            must(r->id >= 0);
        if (found != NULL && strstr(found->path, "{collection}") != NULL)
            must(strchr(r->collection, '/') == NULL);
    }
}

/* What is refused has an answer, what is taken is as the body says. */
static void take_body(request *r, akin_ctx *ctx)
{
    akin_rows *row = NULL;
    item_ids ids = {0};
    json_t *body = request_json(r);
    if (body == NULL) {
        must(r->answer.status == 400);
        return;
    }
    if (!has_known_keys(r, body, "features like"))
        must(r->answer.status == 400);
    if (features_of_json(r, ctx, json_object_get(body, "features"), DIM,
                         &row)) {
        json_t *back = features_json(row);
        must(back != NULL && akin_rows_dim(row) == DIM);
        json_decref(back);
    } else
        must(r->answer.status == 400);
    if (ids_of_json(r, json_object_get(body, "like"), "like", ctx, NULL, &ids))
        for (int64_t i = 0; i < ids.n; ++i)
            must(ids.ids[i] >= 0);
    free(ids.ids);
    akin_rows_free(row);
    json_decref(body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static server s;
    const uint8_t *end = n > 0 ? memchr(data, '\n', n) : NULL;
    const size_t length = end != NULL ? (size_t)(end - data) : n;
    const size_t used = end != NULL ? length + 1 : n;
    char url[512];
    request *r = calloc(1, sizeof *r);
    if (r == NULL)
        return 0;
    r->s = &s;
    r->answer.fd = -1;
    snprintf(url, sizeof url, "%.*s", (int)(length < 500 ? length : 500),
             (const char *)data);
    find_route(r, url);
    r->n_body = n - used;
    r->body = malloc(r->n_body + 1);
    if (r->body != NULL) {
        memcpy(r->body, data + used, r->n_body);
        take_body(r, fuzz_ctx());
    }
    request_free(r);
    return 0;
}
