#include "server/pool.h"

#include <stdio.h>
#include <string.h>

akin_status served_open(app *a, served *c, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        --n;
    size_t start = n;
    while (start > 0 && path[start - 1] != '/')
        --start;
    c->path = path;
    pthread_mutex_init(&c->lock, NULL);
    if (n - start >= sizeof c->name || n == start)
        return app_fail(a, AKIN_EINVAL, "%s: the name is too long or empty",
                        path);
    snprintf(c->name, sizeof c->name, "%.*s", (int)(n - start), path + start);
    akin_status st = AKIN_OK;
    akin_collection *x = NULL;
    APP_TRY(akin_collection_open(&x, a->ctx, path));
    pool_give(c, x);
done:
    return st;
}

void served_close(served *c)
{
    while (c->n_idle > 0)
        akin_collection_close(c->idle[--c->n_idle]);
    pthread_mutex_destroy(&c->lock);
}

akin_status pool_take(akin_collection **out, akin_ctx *ctx, served *c)
{
    akin_collection *x = NULL;
    pthread_mutex_lock(&c->lock);
    if (c->n_idle > 0)
        x = c->idle[--c->n_idle];
    pthread_mutex_unlock(&c->lock);
    if (x != NULL && akin_collection_refresh(ctx, x) != AKIN_OK) {
        akin_collection_close(x);
        x = NULL;
    }
    if (x == NULL)
        return akin_collection_open(out, ctx, c->path);
    *out = x;
    return AKIN_OK;
}

void pool_give(served *c, akin_collection *x)
{
    if (x == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    if (c->n_idle < POOL_MOST) {
        c->idle[c->n_idle++] = x;
        x = NULL;
    }
    pthread_mutex_unlock(&c->lock);
    akin_collection_close(x);
}
