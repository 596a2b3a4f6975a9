#include "app/ranks.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long a rank with an error waits for the others to end by themselves: they
 * may have met the same error, or wait for a message that never comes. */
static const double patience = 5.0;

static akin_comm comm;
static int messages = -1;  // standard error, as it was

static int64_t number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoll(text, NULL, 10) : 0;
}

/* As Open MPI and MPICH tell the processes they start, and srun where it knows
 * PMIx. (A batch script of Slurm has SLURM_NTASKS too, but no rank.) */
static int64_t count_ranks(void)
{
    const int64_t open_mpi = number("OMPI_COMM_WORLD_SIZE");
    const int64_t mpich = number("PMI_SIZE");
    if (open_mpi > 0 || mpich > 0)
        return open_mpi > 0 ? open_mpi : mpich;
    return getenv("PMIX_RANK") ? number("SLURM_NTASKS") : 1;
}

/* Nothing that the other ranks say is wanted, but for a last line. */
static void be_silent(void)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    messages = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (nowhere < 0)
        return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

akin_status app_ranks_start(app *a)
{
    a->ranks = 1;
    if (count_ranks() < 2)
        return AKIN_OK;
    const int64_t rank = number("OMPI_COMM_WORLD_RANK") + number("PMI_RANK") +
                         number("PMIX_RANK");
    if (rank > 0)
        be_silent();
    const akin_status st = app_mpi_start(a, &comm);
    if (st != AKIN_OK)
        return st;
    a->rank = comm.rank;
    a->ranks = comm.size;
    return AKIN_OK;
}

void app_ranks_share(app *a)
{
    if (a->ranks > 1)
        akin_ctx_set_comm(a->ctx, &comm);
}

bool app_ranks_leave(app *a)
{
    akin_ctx_set_comm(a->ctx, NULL);
    return a->rank > 0;
}

int64_t app_ranks_cores(const app *a)
{
    cpu_set_t mine;
    const int64_t online = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t here = number("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (here == 0)
        here = number("MPI_LOCALNRANKS");
    if (here == 0)
        here = a->ranks;
    int64_t cores = online / here;  // unless the rank is bound to some
    if (sched_getaffinity(0, sizeof mine, &mine) == 0 &&
        CPU_COUNT(&mine) < online)
        cores = CPU_COUNT(&mine);
    return cores > 0 ? cores : 1;
}

/* On standard error as it was, whatever the rank. */
static void say_last(const app *a)
{
    const char *why = a->message[0] != '\0' ? a->message : a->why;
    char line[APP_MESSAGE_SIZE + 64];
    const int n = snprintf(line, sizeof line, "akin: rank %lld: %s\n",
                           (long long)a->rank, why);
    if (messages >= 0 && write(messages, line, (size_t)n) < 0)
        return;  // nobody hears it
}

int app_ranks_finish(app *a, int code)
{
    if (a->ranks < 2)
        return code;
    int *codes = calloc((size_t)a->ranks, sizeof *codes);
    if (codes == NULL || !app_mpi_exchange(code, codes, patience)) {
        say_last(a);
        app_mpi_abort(code);
    }
    int64_t first = 0;
    while (first < a->ranks && codes[first] == 0)
        ++first;
    if (first > 0 && first == a->rank)
        say_last(a);
    code = first < a->ranks ? codes[first] : 0;
    free(codes);
    app_mpi_end();
    return code;
}
