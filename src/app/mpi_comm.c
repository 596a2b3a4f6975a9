/* The communicator of Open MPI, or another MPI. Messages are started and then
 * tested for, so that a rank that waits hears of an interrupt and leaves its
 * core to others. */
#include <mpi.h>

#include <stdlib.h>
#include <time.h>

#include "app/progress.h"
#include "app/ranks.h"

enum {
    PIECE = 1 << 30,  // bytes; MPI counts in int
    SPINS = 100,      // tests before the first pause
    PAUSE_NS = 20000,
    SAME = 16,      // pauses before they are twice as long,
    DOUBLINGS = 5,  // so often at most
    BYTES = 2048,   // of a message that arrive between two tests, about
};

static MPI_Comm work = MPI_COMM_NULL;  // calls of the library
static MPI_Comm last = MPI_COMM_NULL;  // exit codes
static int n_ranks, *counts, *begins;  // of each rank: bytes that it sends

/* A rank that waits for long uses little time of its processor, and goes on
 * late by a small part of what it has waited. */
static void pause_after(int64_t tests)
{
    const int64_t pauses = tests - SPINS, most = SAME * DOUBLINGS;
    if (pauses <= 0)
        return;
    const int64_t doublings = (pauses < most ? pauses : most) / SAME;
    const struct timespec pause = {0, (long)PAUSE_NS << doublings};
    nanosleep(&pause, NULL);
}

/* Until a message of n bytes has come or gone. */
static akin_status wait_for(int started, size_t n, MPI_Request *request)
{
    const int64_t arriving = (int64_t)(n / BYTES);
    int done = 0;
    if (started != MPI_SUCCESS)
        return AKIN_EIO;
    for (int64_t tests = 0;; ++tests) {
        if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return AKIN_EIO;
        if (done)
            return AKIN_OK;
        if (app_interrupted())
            return AKIN_ECANCELLED;
        pause_after(tests - arriving);
    }
}

/* Starts a message of n bytes from or to another rank. */
typedef int (*start_fn)(char *p, int n, int other, MPI_Request *r);

static int start_send(char *p, int n, int to, MPI_Request *r)
{
    return MPI_Isend(p, n, MPI_BYTE, to, 0, work, r);
}

static int start_receive(char *p, int n, int from, MPI_Request *r)
{
    return MPI_Irecv(p, n, MPI_BYTE, from, 0, work, r);
}

static int start_broadcast(char *p, int n, int root, MPI_Request *r)
{
    return MPI_Ibcast(p, n, MPI_BYTE, root, work, r);
}

/* The next piece of n bytes that remain. */
static int start_piece(start_fn start, char **p, size_t *n, int64_t other,
                       MPI_Request *r)
{
    const int piece = *n < PIECE ? (int)*n : PIECE;
    const int started = start(*p, piece, (int)other, r);
    *p += piece;
    *n -= (size_t)piece;
    return started;
}

static akin_status broadcast(void *user, void *bytes, size_t n, int64_t root)
{
    char *p = bytes;
    akin_status st = AKIN_OK;
    (void)user;
    while (st == AKIN_OK && n > 0) {
        MPI_Request r;
        const size_t left = n;
        const int started = start_piece(start_broadcast, &p, &n, root, &r);
        st = wait_for(started, left - n, &r);
    }
    return st;
}

static akin_status exchange(void *user, const void *out, size_t n_out,
                            int64_t to, void *in, size_t n_in, int64_t from)
{
    char *o = (char *)out, *i = in;
    const size_t all = n_out + n_in;
    (void)user;
    while (n_out > 0 || n_in > 0) {
        MPI_Request sent = MPI_REQUEST_NULL, received = MPI_REQUEST_NULL;
        int started = MPI_SUCCESS;
        if (n_in > 0)
            started = start_piece(start_receive, &i, &n_in, from, &received);
        if (n_out > 0 && started == MPI_SUCCESS)
            started = start_piece(start_send, &o, &n_out, to, &sent);
        akin_status st = wait_for(started, all, &received);
        if (st == AKIN_OK)
            st = wait_for(started, all, &sent);
        if (st != AKIN_OK)
            return st;
    }
    return AKIN_OK;
}

/* All ranks at once where MPI can count the bytes, else one after another. */
static akin_status gather(void *user, void *bytes, const size_t *offsets)
{
    akin_status st = AKIN_OK;
    if (offsets[n_ranks] <= PIECE) {
        MPI_Request r;
        for (int k = 0; k < n_ranks; ++k) {
            begins[k] = (int)offsets[k];
            counts[k] = (int)(offsets[k + 1] - offsets[k]);
        }
        const int started = MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, bytes,
                                            counts, begins, MPI_BYTE, work, &r);
        return wait_for(started, offsets[n_ranks], &r);
    }
    for (int r = 0; st == AKIN_OK && r < n_ranks; ++r)
        st = broadcast(user, (char *)bytes + offsets[r],
                       offsets[r + 1] - offsets[r], r);
    return st;
}

akin_status app_mpi_start(app *a, akin_comm *comm)
{
    int threads, rank;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &threads) !=
            MPI_SUCCESS ||
        MPI_Comm_dup(MPI_COMM_WORLD, &work) != MPI_SUCCESS ||
        MPI_Comm_dup(MPI_COMM_WORLD, &last) != MPI_SUCCESS)
        return app_fail(a, AKIN_EIO, "MPI could not be started");
    MPI_Comm_set_errhandler(work, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(last, MPI_ERRORS_RETURN);
    MPI_Comm_rank(work, &rank);
    MPI_Comm_size(work, &n_ranks);
    counts = calloc((size_t)n_ranks, sizeof *counts);
    begins = calloc((size_t)n_ranks, sizeof *begins);
    if (counts == NULL || begins == NULL)
        return app_fail(a, AKIN_ENOMEM, "out of memory");
    *comm = (akin_comm){rank, n_ranks, exchange, broadcast, gather, NULL};
    return AKIN_OK;
}

bool app_mpi_exchange(int code, int *codes, double patience)
{
    MPI_Request request;
    int done = 0;
    const double end = app_now() + patience;
    if (MPI_Iallgather(&code, 1, MPI_INT, codes, 1, MPI_INT, last, &request) !=
        MPI_SUCCESS)
        return false;
    for (int64_t tests = 0; !done; ++tests) {
        if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return false;
        if (!done && code != 0 && app_now() > end)
            return false;
        pause_after(tests);
    }
    return true;
}

void app_mpi_end(void)
{
    MPI_Finalize();
    free(counts);
    free(begins);
}

void app_mpi_abort(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
}
