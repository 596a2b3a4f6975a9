/* server/pool.h - collections that are open. One is used by one thread at a
 * time, and goes back to the pool for the next. */
#ifndef SERVER_POOL_H
#define SERVER_POOL_H

#include <akin/review.h>
#include <pthread.h>

#include "app/app.h"

enum { POOL_MOST = 16 };

/* A collection that is served. */
typedef struct served {
    const char *path;
    char name[128];
    char kind[16];           // images, documents, vectors or faces
    char uploads[PATH_MAX];  // a folder for files that are added
    pthread_mutex_t lock;
    akin_ctx *ctx;  // for what is done under the lock
    akin_collection *idle[POOL_MOST];
    int n_idle;
    bool has_news;  // events since it was last seen whether to learn
    pthread_mutex_t review_lock;
    akin_review *review;    // of faces; NULL: not learned, or no longer right
    int64_t corrections;    // of captions, since the server began
    akin_answers *answers;  // NULL until they are needed
    pthread_mutex_t drawer_lock;
    akin_answers *drawer;  // the same, for boxes: keeps a program that it needs
} served;

/* Its name is that of the folder. EINVAL: it is no collection. */
akin_status served_open(app *a, served *c, const char *path);
void served_close(served *c);

/* Keep a file that was sent, under a name like the one that it had; `path` gets
 * where it is. EIO: errno has the reason. */
akin_status served_keep(served *c, const char *name, const char *bytes,
                        size_t n, char path[2 * PATH_MAX]);
/* Is this very file there under its name, and an item of the collection? */
bool served_has(served *c, akin_ctx *ctx, akin_collection *x, const char *name,
                const char *bytes, size_t n);
/* Is the file at `path` the one of an item? */
bool served_is_item(akin_ctx *ctx, akin_collection *x, const char *path);

/* One that is as the collection is now. */
akin_status pool_take(akin_collection **out, akin_ctx *ctx, served *c);
void pool_give(served *c, akin_collection *x);

#endif
