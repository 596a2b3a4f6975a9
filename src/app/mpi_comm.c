/* The communicator of Open MPI, or another MPI. Messages are started and then
 * tested for, so that a rank that waits hears of an interrupt and leaves its
 * core to others. */
#include <mpi.h>

#include <time.h>

#include "app/progress.h"
#include "app/ranks.h"

enum {
    PIECE = 1 << 30,  // bytes; MPI counts in int
    SPINS = 100,      // tests before the first pause
    PAUSE_NS = 20000,
};

static MPI_Comm work = MPI_COMM_NULL;  // calls of the library
static MPI_Comm last = MPI_COMM_NULL;  // exit codes
static int n_ranks;

static void pause_after(int64_t tests)
{
    const struct timespec pause = {0, PAUSE_NS};
    if (tests > SPINS)
        nanosleep(&pause, NULL);
}

static akin_status wait_for(int started, MPI_Request *request)
{
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
        pause_after(tests);
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

static akin_status in_pieces(start_fn start, char *p, size_t n, int64_t other)
{
    akin_status st = AKIN_OK;
    while (st == AKIN_OK && n > 0) {
        const int piece = n < PIECE ? (int)n : PIECE;
        MPI_Request r;
        st = wait_for(start(p, piece, (int)other, &r), &r);
        p += piece;
        n -= (size_t)piece;
    }
    return st;
}

static akin_status send(void *user, const void *bytes, size_t n, int64_t to)
{
    (void)user;
    return in_pieces(start_send, (char *)bytes, n, to);
}

static akin_status receive(void *user, void *bytes, size_t n, int64_t from)
{
    (void)user;
    return in_pieces(start_receive, bytes, n, from);
}

static akin_status broadcast(void *user, void *bytes, size_t n, int64_t root)
{
    (void)user;
    return in_pieces(start_broadcast, bytes, n, root);
}

static akin_status gather(void *user, void *bytes, const size_t *offsets)
{
    akin_status st = AKIN_OK;
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
    *comm = (akin_comm){rank, n_ranks, send, receive, broadcast, gather, NULL};
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
}

void app_mpi_abort(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
}
