/* In the place of mpi_comm.c, for a build without MPI. */
#include <stdlib.h>

#include "app/ranks.h"

akin_status app_mpi_start(app *a, akin_comm *comm)
{
    (void)comm;
    return app_fail(a, AKIN_EABSENT,
                    "this akin was built without MPI; run it without mpirun, "
                    "or build it with -Dmpi=enabled");
}

bool app_mpi_exchange(int code, int *codes, double patience)
{
    (void)codes;
    (void)patience;
    return code == 0;
}

void app_mpi_end(void)
{
}

void app_mpi_abort(int code)
{
    exit(code);
}
