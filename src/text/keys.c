#include "text/keys.h"

#include <stdio.h>
#include <string.h>

#include "data/io/header.h"

enum { LINE_ROOM = 24 };

static const char *const texts[] = {"text", "body", "content", NULL};
static const char *const lists[] = {"labels", NULL};
static const char *const names_of[] = {"id", "name", "title", "key", NULL};

/* The first of the words that names a column other than a and b. */
static int64_t find(const ak_columns *names, const char *const *words,
                    int64_t a, int64_t b)
{
    for (; *words != NULL; ++words) {
        const int64_t k = ak_header_find(names, *words, true);
        if (k >= 0 && k != a && k != b)
            return k;
    }
    return -1;
}

int64_t ak_keys_text(const ak_columns *names)
{
    return find(names, texts, -1, -1);
}

int64_t ak_keys_label(const ak_columns *names, int64_t text)
{
    const int64_t k = ak_header_label(names);
    return k >= 0 && k != text ? k : find(names, lists, text, -1);
}

int64_t ak_keys_name(const ak_columns *names, const char *wanted, int64_t text,
                     int64_t label)
{
    return wanted ? ak_header_find(names, wanted, true)
                  : find(names, names_of, text, label);
}

akin_status ak_keys_where(akin_ctx *ctx, const char *path, char **where)
{
    return ak_alloc(ctx, (int64_t)strlen(path) + LINE_ROOM, 1, where);
}

void ak_keys_write_where(char *where, const char *path, int64_t line)
{
    snprintf(where, strlen(path) + LINE_ROOM, "%s:%" PRId64, path, line);
}
