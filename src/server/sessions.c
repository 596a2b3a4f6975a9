#include "server/sessions.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static const char cookie_name[] = "akin_session=";

akin_status token_read(app *a, const char *path, char *token, size_t size)
{
    enum { SHORTEST = 16 };
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return app_fail(a, AKIN_ENOENT, "%s: %s", path, strerror(errno));
    const bool read = fgets(token, (int)size, f) != NULL;
    fclose(f);
    token[read ? strcspn(token, "\r\n") : 0] = '\0';
    if (strlen(token) < SHORTEST || strlen(token) + 1 == size)
        return app_fail(a, AKIN_EINVAL,
                        "%s: the token has %zu characters (expected %d to %zu)",
                        path, strlen(token), SHORTEST, size - 2);
    return AKIN_OK;
}

bool token_is(const char *token, const char *text)
{
    const size_t n = strlen(token), length = strlen(text);
    unsigned char difference = n != length;
    for (size_t i = 0; i < length; ++i)
        difference |= (unsigned char)(text[i] ^ token[i < n ? i : 0]);
    return difference == 0;
}

const char *session_new(sessions *s)
{
    unsigned char bytes[(SESSION_SIZE - 1) / 2];
    struct page_session *x = &s->all[0];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return NULL;
    for (int i = 0; i < SESSION_MOST; ++i)
        if (s->all[i].id[0] == '\0' || s->all[i].begun < x->begun)
            x = &s->all[i];
    for (size_t i = 0; i < sizeof bytes; ++i)
        snprintf(x->id + 2 * i, 3, "%02x", bytes[i]);
    x->begun = app_now();
    return x->id;
}

struct page_session *session_find(sessions *s, const char *cookies)
{
    const char *at = cookies ? strstr(cookies, cookie_name) : NULL;
    char id[SESSION_SIZE];
    if (at == NULL || (at != cookies && at[-1] != ' ' && at[-1] != ';'))
        return NULL;
    at += strlen(cookie_name);
    if (strcspn(at, "; ") != SESSION_SIZE - 1)
        return NULL;
    snprintf(id, sizeof id, "%s", at);
    for (int i = 0; i < SESSION_MOST; ++i)
        if (s->all[i].id[0] != '\0' && token_is(s->all[i].id, id))
            return &s->all[i];
    return NULL;
}

void session_end(struct page_session *x)
{
    if (x != NULL)
        memset(x, 0, sizeof *x);
}
