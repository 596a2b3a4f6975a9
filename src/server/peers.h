/* server/peers.h - connections, each with a deadline. A time-out of
 * libmicrohttpd starts again with each byte; a deadline does not. */
#ifndef SERVER_PEERS_H
#define SERVER_PEERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct peer {
    int fd;
    double deadline;  // seconds, monotonic
    char address[48];
    struct peer *before, *after;
} peer;

typedef struct peers {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread;
    peer *first;
    int64_t n;
    int64_t n_shut;  // for being slow
    bool stop;
} peers;

/* False: no thread could be started. */
bool peers_start(peers *p);
void peers_stop(peers *p);

peer *peer_new(peers *p, int fd, const char *address);
void peer_free(peers *p, peer *x);

/* From now on: so long for what comes next, and longer for more bytes. */
typedef enum { WAITS_FOR_HEADERS, WAITS_FOR_BODY, SENDS, WORKS } peer_state;
void peer_set(peers *p, peer *x, peer_state state, uint64_t bytes);
/* Bytes have come: a client that is not slow has more time. */
void peer_received(peers *p, peer *x, size_t bytes);

#endif
