/* base/helper.h - programs that the library starts, each a separate process:
 * what goes wrong in a helper ends it and nothing else. */
#ifndef AK_BASE_HELPER_H
#define AK_BASE_HELPER_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct ak_helper {
    pid_t pid;  // 0: none is running
    int to;     // its standard input, a socket: send() with MSG_NOSIGNAL, so
                // that one that has died does not end us; -1: it has none
    int from;   // its standard output
} ak_helper;

/* Where the program is: in the folder AKIN_LIBEXEC, else where it lies from
 * libakin.so, installed or built, else in the folder akin was built for. `path`
 * has room for PATH_MAX bytes. */
bool ak_helper_find(char *path, const char *name);
/* The folder it is installed in, for messages. */
const char *ak_helper_folder(void);

/* Start it, with nothing else open, and a pipe to it where `listens`. Returns
 * an errno; `args` ends with NULL. */
int ak_helper_start(ak_helper *h, const char *program, const char *const *args,
                    bool listens);
/* Wait for its end, and bring that about unless it is `near` already. Closes
 * what is open; returns the status that waitpid gave. */
int ak_helper_end(ak_helper *h, bool near);

#endif
