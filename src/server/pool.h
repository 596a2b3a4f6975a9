/* server/pool.h - collections that are open. One is used by one thread at a
 * time, and goes back to the pool for the next. */
#ifndef SERVER_POOL_H
#define SERVER_POOL_H

#include <akin/collection.h>
#include <pthread.h>

#include "app/app.h"

enum { POOL_MOST = 16 };

/* A collection that is served. */
typedef struct served {
    const char *path;
    char name[128];
    char kind[16];           // images, documents or vectors
    char uploads[PATH_MAX];  // a folder for files that are added
    pthread_mutex_t lock;
    akin_ctx *ctx;  // for what is done under the lock
    akin_collection *idle[POOL_MOST];
    int n_idle;
    bool has_news;  // events since it was last seen whether to learn
} served;

/* Its name is that of the folder. EINVAL: it is no collection. */
akin_status served_open(app *a, served *c, const char *path);
void served_close(served *c);

/* Keep a file that was sent, under a name like the one that it had. EIO: errno
 * has the reason. */
akin_status served_keep(served *c, const char *name, const char *bytes,
                        size_t n);

/* One that is as the collection is now. */
akin_status pool_take(akin_collection **out, akin_ctx *ctx, served *c);
void pool_give(served *c, akin_collection *x);

#endif
