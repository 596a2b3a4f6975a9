#include "server/routes.h"

#include <stdio.h>
#include <string.h>

#include "server/handlers/handlers.h"

static const route routes[] = {
#define ARGUMENT(name, type, text)
#define ROUTE(method, path, handler, where, what, arguments, body, answer, \
              text)                                                        \
    {#method,   path, handle_##handler, where, what,                       \
     arguments, body, answer,           text},
#include "server/routes.def"
#undef ROUTE
#undef ARGUMENT
};

static const struct known_argument {
    const char *name, *type, *text;
} known[] = {
#define ROUTE(...)
#define ARGUMENT(name, type, text) {#name, type, text},
#include "server/routes.def"
#undef ARGUMENT
#undef ROUTE
};

enum {
    N_ROUTES = sizeof routes / sizeof *routes,
    N_KNOWN = sizeof known / sizeof *known
};

const route *route_at(int64_t i)
{
    return i < N_ROUTES ? &routes[i] : NULL;
}

static const struct known_argument *find_argument(const char *name)
{
    for (int i = 0; i < N_KNOWN; ++i)
        if (strcmp(known[i].name, name) == 0)
            return &known[i];
    return NULL;
}

const char *argument_type(const char *name)
{
    const struct known_argument *a = find_argument(name);
    return a ? a->type : NULL;
}

const char *argument_text(const char *name)
{
    const struct known_argument *a = find_argument(name);
    return a ? a->text : NULL;
}

bool argument_is_in(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = list; n > 0 && (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

/* One part of a path, up to the next slash: a word, or a parameter. */
static bool takes_part(request *r, const char *part, size_t n, const char *url,
                       size_t length)
{
    char number[32];
    if (part[0] != '{')
        return n == length && memcmp(part, url, n) == 0;
    if (memcmp(part, "{id}", 4) != 0)
        return length > 0 && length < sizeof r->collection &&
               snprintf(r->collection, sizeof r->collection, "%.*s",
                        (int)length, url) > 0;
    return length < sizeof number &&
           snprintf(number, sizeof number, "%.*s", (int)length, url) > 0 &&
           request_parse_number(number, &r->id);
}

static bool fits(request *r, const char *path, const char *url)
{
    while (*path == '/' && *url == '/') {
        const size_t n = strcspn(++path, "/"), length = strcspn(++url, "/");
        if (!takes_part(r, path, n, url, length))
            return false;
        path += n;
        url += length;
    }
    return *path == '\0' && *url == '\0';
}

/* "GET, POST": the methods of this path, each of the few there are. */
static const char *methods_of(unsigned mask)
{
    static const char *const texts[16] = {"",
                                          "GET",
                                          "POST",
                                          "GET, POST",
                                          "PUT",
                                          "GET, PUT",
                                          "POST, PUT",
                                          "GET, POST, PUT",
                                          "DELETE",
                                          "GET, DELETE",
                                          "POST, DELETE",
                                          "GET, POST, DELETE",
                                          "PUT, DELETE",
                                          "GET, PUT, DELETE",
                                          "POST, PUT, DELETE",
                                          "GET, POST, PUT, DELETE"};
    return texts[mask];
}

static unsigned bit_of(const char *method)
{
    return strcmp(method, "GET") == 0    ? 1
           : strcmp(method, "POST") == 0 ? 2
           : strcmp(method, "PUT") == 0  ? 4
                                         : 8;
}

const route *route_find(request *r, const char *method, const char *url,
                        const char **allow)
{
    unsigned mask = 0;
    if (strcmp(method, "HEAD") == 0)
        method = "GET";
    for (int i = 0; i < N_ROUTES; ++i) {
        if (!fits(r, routes[i].path, url))
            continue;
        if (strcmp(routes[i].method, method) == 0)
            return &routes[i];
        mask |= bit_of(routes[i].method);
    }
    *allow = methods_of(mask);
    return NULL;
}
