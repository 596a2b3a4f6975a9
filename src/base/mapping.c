#include "base/mapping.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PLACES = 1024 };

/* What the handler may look at, without a lock. A place is taken by its state
 * and its addresses come last, so that a handler never sees half of them. */
typedef struct place {
    atomic_bool taken, broken;
    atomic_uintptr_t begin, end;  // 0: not to be looked at
} place;

static place places[PLACES];
static struct sigaction before;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- the handler ---- */

static place *place_of(uintptr_t at)
{
    for (int i = 0; i < PLACES; ++i)
        if (at >= atomic_load(&places[i].begin) &&
            at < atomic_load(&places[i].end))
            return &places[i];
    return NULL;
}

/* What was there before this handler, or the default, when the instruction is
 * tried again. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
    if ((before.sa_flags & SA_SIGINFO) && before.sa_sigaction)
        before.sa_sigaction(signal, info, context);
    else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        before.sa_handler(signal);
    else
        sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

static void on_bus_error(int signal, siginfo_t *info, void *context)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t at = (uintptr_t)info->si_addr;
    place *p = place_of(at);
    if (p == NULL ||
        mmap((void *)(at - at % page), page, PROT_READ,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
        pass_on(signal, info, context);
        return;
    }
    atomic_store(&p->broken, true);
}

static void set_handler(void)
{
    struct sigaction a = {.sa_sigaction = on_bus_error,
                          .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigaction(SIGBUS, &a, &before);
}

/* ---- mappings ---- */

static int take_place(void)
{
    for (int i = 0; i < PLACES; ++i) {
        bool taken = false;
        if (atomic_compare_exchange_strong(&places[i].taken, &taken, true))
            return i;
    }
    return -1;
}

/* An end of 0 hides the place. */
static void show_place(int i, const void *bytes, size_t n)
{
    atomic_store(&places[i].broken, false);
    atomic_store(&places[i].end, 0);
    atomic_store(&places[i].begin, (uintptr_t)bytes);
    atomic_store(&places[i].end, (uintptr_t)bytes + n);
}

static bool map(ak_mapping *m)
{
    struct stat s;
    if (fstat(m->fd, &s) != 0 || !S_ISREG(s.st_mode) || s.st_size <= 0)
        return false;
    m->n = (size_t)s.st_size;
    m->changed = s.st_mtim;
    m->place = take_place();
    if (m->place < 0)
        return false;
    void *bytes = mmap(NULL, m->n, PROT_READ, MAP_PRIVATE, m->fd, 0);
    if (bytes == MAP_FAILED) {
        atomic_store(&places[m->place].taken, false);
        return false;
    }
    m->bytes = bytes;
    show_place(m->place, bytes, m->n);
    return true;
}

bool ak_mapping_open(ak_mapping *m, const char *path)
{
    pthread_once(&once, set_handler);
    *m = (ak_mapping){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (m->fd >= 0 && map(m))
        return true;
    if (m->fd >= 0)
        close(m->fd);
    m->bytes = NULL;
    return false;
}

void ak_mapping_close(ak_mapping *m)
{
    if (m->bytes == NULL)
        return;
    atomic_store(&places[m->place].end, 0);
    munmap((void *)m->bytes, m->n);
    atomic_store(&places[m->place].taken, false);
    close(m->fd);
    m->bytes = NULL;
}

akin_status ak_mapping_check(const ak_mapping *m, akin_ctx *ctx,
                             const char *path)
{
    struct stat s;
    if (m->bytes == NULL)
        return AKIN_OK;
    if (!atomic_load(&places[m->place].broken) && fstat(m->fd, &s) == 0 &&
        (size_t)s.st_size == m->n && s.st_mtim.tv_sec == m->changed.tv_sec &&
        s.st_mtim.tv_nsec == m->changed.tv_nsec)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: another program changed it while it was in use", path);
}
