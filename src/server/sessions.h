/* server/sessions.h - the token, and cookies that stand for it. */
#ifndef SERVER_SESSIONS_H
#define SERVER_SESSIONS_H

#include "app/app.h"

enum { SESSION_MOST = 256, SESSION_SIZE = 65 };

/* Used by the thread that reads requests alone. */
typedef struct sessions {
    struct page_session {
        char id[SESSION_SIZE];  // "": free
        double begun;
    } all[SESSION_MOST];
} sessions;

/* Read the token from the first line of a file. EINVAL: it is too short. */
akin_status token_read(app *a, const char *path, char *token, size_t size);
/* Are both the same? It takes as long for any text of this length. */
bool token_is(const char *token, const char *text);

/* A new session, in place of the oldest where there are too many; NULL: there
 * are no random numbers. */
const char *session_new(sessions *s);
/* The one of a Cookie header, NULL: none. */
struct page_session *session_find(sessions *s, const char *cookies);
void session_end(struct page_session *x);

#endif
