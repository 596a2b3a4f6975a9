/* base/helper.h - programs that the library starts, each a separate process:
 * what goes wrong in a helper ends it and nothing else. */
#ifndef AK_BASE_HELPER_H
#define AK_BASE_HELPER_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

typedef struct ak_helper {
    pid_t pid;  // 0: none is running
    int to;     // its standard input, a socket: send() with MSG_NOSIGNAL, so
                // that one that has died does not end us; -1: it has none
    int from;   // its standard output
    struct timespec deadline;  // of the current request
} ak_helper;

#define AK_HELPER_NONE       \
    (ak_helper)              \
    {                        \
        .to = -1, .from = -1 \
    }

enum { AK_HELPER_MESSAGE = 300 };

/* Where the program is: in the folder AKIN_LIBEXEC, else where it lies from
 * libakin.so, installed or built, or in the folder `libexec` beside another
 * shared object that the library is linked into, else in the folder akin was
 * built for. `path` has room for PATH_MAX bytes. */
bool ak_helper_find(char *path, const char *name);
/* The folder it is installed in, for messages. */
const char *ak_helper_folder(void);

/* The folder of data that helpers need, where `file` is in it: the folder that
 * AKIN_FACES names, else `faces` where it lies from libakin.so, built or
 * installed, or beside another shared object that the library is linked into,
 * else in the data folder akin was built for. */
bool ak_helper_weights(char *path, const char *file);

/* Start it, with nothing else open, and a pipe to it where `listens`. Returns
 * an errno; `args` ends with NULL. */
int ak_helper_start(ak_helper *h, const char *program, const char *const *args,
                    bool listens);
/* Wait for its end, and bring that about unless it is `near` already. Closes
 * what is open; returns the status that waitpid gave. */
int ak_helper_end(ak_helper *h, bool near);

/* Requests and answers, for one that listens. The time of a request runs from
 * `begin`; reading fails when it is over, or when the helper has died. */
void ak_helper_begin(ak_helper *h, double seconds);
bool ak_helper_is_late(const ak_helper *h);
bool ak_helper_put(const ak_helper *h, const void *bytes, size_t n);
bool ak_helper_get(const ak_helper *h, void *bytes, size_t n);
/* A length (int32) and a text of one line; what cannot be printed becomes '?'.
 */
bool ak_helper_text(const ak_helper *h, char text[AK_HELPER_MESSAGE + 1]);

#endif
