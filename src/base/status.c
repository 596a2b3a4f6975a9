#include <akin/base.h>

typedef struct status_row {
    const char *name;
    int exit_code;
    const char *meaning;
} status_row;

static const status_row rows[] = {
#define AKIN_STATUS(name, exit_code, meaning) {#name, exit_code, meaning},
#include <akin/status.def>
#undef AKIN_STATUS
};

static const status_row *row_of(akin_status st)
{
    const unsigned i = (unsigned)st;
    return &rows[i < AKIN_STATUS_COUNT ? i : AKIN_EINVAL];
}

const char *akin_status_name(akin_status st)
{
    return row_of(st)->name;
}

const char *akin_status_meaning(akin_status st)
{
    return row_of(st)->meaning;
}

int akin_status_exit(akin_status st)
{
    return row_of(st)->exit_code;
}

const char *akin_version(void)
{
    return AKIN_VERSION;
}

int64_t akin_version_number(void)
{
    return AKIN_VERSION_NUMBER;
}
