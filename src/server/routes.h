/* server/routes.h - which request is for which handler. */
#ifndef SERVER_ROUTES_H
#define SERVER_ROUTES_H

#include "server/request.h"

typedef enum { AT_ONCE, QUICK, SLOW } route_where;
typedef enum { READS, WRITES } route_what;

typedef struct route {
    const char *method, *path;
    handler_fn *handler;
    route_where where;
    route_what what;
    const char *arguments, *body, *answer, *text;
} route;

/* The i-th of routes.def, NULL behind the last. */
const route *route_at(int64_t i);
/* Type and text of an argument; NULL: it is unknown. */
const char *argument_type(const char *name);
const char *argument_text(const char *name);
/* Is the name among those of the list? */
bool argument_is_in(const char *list, const char *name);

/* The route of method and URL, with {collection} and {id} in the request. NULL:
 * there is none; `allow` gets the methods of the path, "" if it is unknown. */
const route *route_find(request *r, const char *method, const char *url,
                        const char **allow);

#endif
