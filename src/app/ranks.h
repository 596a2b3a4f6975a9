/* app/ranks.h - a program that mpirun starts several times.
 *
 * Rank 0 prints and writes; the others have no standard output and no standard
 * error. All end with the same exit code. Only mpi_comm.c includes mpi.h; a
 * build without MPI has mpi_missing.c instead. */
#ifndef APP_RANKS_H
#define APP_RANKS_H

#include "app/app.h"

/* Join the other ranks, where there are any. EINVAL: there are some, and the
 * program cannot reach them. */
akin_status app_ranks_start(app *a);
/* All ranks share the work of calls from now on. */
void app_ranks_share(app *a);
/* Rank 0 does the rest alone. True on the others, which are done. */
bool app_ranks_leave(app *a);
/* Wait for the others. Returns the exit code of all: that of the first rank
 * that failed. */
int app_ranks_finish(app *a, int code);
/* Cores of this rank, for --threads 0. */
int64_t app_ranks_cores(const app *a);

/* ---- what mpi_comm.c provides, or mpi_missing.c ---- */

/* Begin, and fill a communicator. */
akin_status app_mpi_start(app *a, akin_comm *comm);
/* Exchange exit codes: codes[r] is that of rank r. False when a rank with an
 * error has waited for the others for `patience` seconds. */
bool app_mpi_exchange(int code, int *codes, double patience);
/* The last call. */
void app_mpi_end(void);
/* End all ranks now. */
void app_mpi_abort(int code);

#endif
