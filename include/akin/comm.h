/* akin/comm.h - several processes that share the work of a call.
 *
 * Each is a rank. All ranks make the same calls, in the same order and with the
 * same input; a call divides its work among them, and all get its result, which
 * is the same bytes for any number of ranks; of online learners that have
 * `shares`, for the same number. Only rank 0 writes files. */
#ifndef AKIN_COMM_H
#define AKIN_COMM_H

#include <akin/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How ranks reach each other. Functions wait until they are done and return a
 * status, AKIN_ECANCELLED where the run is to stop. */
typedef struct akin_comm {
    int64_t rank, size; /* 0 to size - 1, and how many */
    /* Sends to one rank and receives from another one, at the same time; with
     * 0 bytes of either, only the other. */
    akin_status (*exchange)(void *user, const void *out, size_t n_out,
                            int64_t to, void *in, size_t n_in, int64_t from);
    /* From rank `root` to all others. */
    akin_status (*broadcast)(void *user, void *bytes, size_t n, int64_t root);
    /* Rank r has bytes [offsets[r], offsets[r + 1]); then all have all. */
    akin_status (*gather)(void *user, void *bytes, const size_t *offsets);
    void *user;
} akin_comm;

/* The ranks to share work with; borrowed. NULL, the default: none. */
AKIN_API void akin_ctx_set_comm(akin_ctx *ctx, const akin_comm *comm);
AKIN_API int64_t akin_ctx_rank(const akin_ctx *ctx);
AKIN_API int64_t akin_ctx_ranks(const akin_ctx *ctx);
/* Bytes that all ranks together have received in calls with this context. */
AKIN_API int64_t akin_ctx_communicated(const akin_ctx *ctx);

#ifdef __cplusplus
}
#endif
#endif
