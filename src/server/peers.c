#include "server/peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "app/app.h"

/* A client has HEADERS seconds to send a request line and headers, also when
 * the connection is kept alive; BODY and SEND seconds for a body and for taking
 * an answer, and a second more for each RATE bytes of it. */
static const double headers_seconds = 10.0, body_seconds = 15.0,
                    send_seconds = 15.0, rate = 65536.0;

static void shut_late(peers *p, double now)
{
    for (peer *x = p->first; x != NULL; x = x->after)
        if (x->deadline < now) {
            shutdown(x->fd, SHUT_RDWR);
            x->deadline = INFINITY;
            ++p->n_shut;
        }
}

static void *watch(void *user)
{
    peers *p = user;
    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 500000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            ++until.tv_sec;
        }
        pthread_cond_timedwait(&p->wake, &p->lock, &until);
        shut_late(p, app_now());
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

bool peers_start(peers *p)
{
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    return pthread_create(&p->thread, NULL, watch, p) == 0;
}

void peers_stop(peers *p)
{
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->lock);
}

peer *peer_new(peers *p, int fd, const char *address)
{
    peer *x = calloc(1, sizeof *x);
    if (x == NULL)
        return NULL;
    x->fd = fd;
    x->deadline = app_now() + headers_seconds;
    snprintf(x->address, sizeof x->address, "%s", address);
    pthread_mutex_lock(&p->lock);
    x->after = p->first;
    if (p->first != NULL)
        p->first->before = x;
    p->first = x;
    ++p->n;
    pthread_mutex_unlock(&p->lock);
    return x;
}

void peer_free(peers *p, peer *x)
{
    if (x == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    if (x->before != NULL)
        x->before->after = x->after;
    else
        p->first = x->after;
    if (x->after != NULL)
        x->after->before = x->before;
    --p->n;
    pthread_mutex_unlock(&p->lock);
    free(x);
}

void peer_set(peers *p, peer *x, peer_state state, uint64_t bytes)
{
    const double seconds = state == WAITS_FOR_HEADERS ? headers_seconds
                           : state == WAITS_FOR_BODY  ? body_seconds
                           : state == SENDS           ? send_seconds
                                                      : INFINITY;
    if (x == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    x->deadline = app_now() + seconds + (double)bytes / rate;
    pthread_mutex_unlock(&p->lock);
}

void peer_received(peers *p, peer *x, size_t bytes)
{
    if (x == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    x->deadline += (double)bytes / rate;
    pthread_mutex_unlock(&p->lock);
}
