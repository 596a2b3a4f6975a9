/* The context: settings, the last message, progress, memory. */
#include "base/ctx.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/comm.h"

enum {
    MESSAGE_SIZE = 1024,
    SCRATCH_CHUNK = 1 << 18,
    SCRATCH_ALIGN = 64,
    HUGE_LEAST = 8 << 20,
    TICK_NS = 20 * 1000 * 1000,
};

/* Stands before every block of memory, so that it can be freed without its
 * context, which may be gone by then. */
typedef struct block {
    _Alignas(max_align_t) void (*release)(void *user, void *p);
    void *user;
} block;

/* A chunk of the scratch stack; chunks are kept in a list, newest first. */
typedef struct chunk {
    struct chunk *older;
    size_t size, used;
    unsigned char *bytes;  // aligned, inside this allocation
} chunk;

struct akin_ctx {
    akin_allocator allocator;
    int64_t threads;
    uint64_t seed;
    pthread_mutex_t progress_lock;  // recursive: held while it is called
    _Atomic(akin_progress_fn) progress;
    void *progress_user;
    atomic_int cancelled;    // any thread may ask for it
    const akin_ctx *caller;  // whose calls it works for; NULL: none
    akin_log_fn log;
    void *log_user;
    int quiet, muted;
    int64_t last_tick_ns;
    int64_t keeping;  // keep_begin without its end
    bool stopped;     // such a run was asked to stop
    chunk *scratch;
    chunk *spare;  // given back; not zero
    void *kept[AK_KEPT_KINDS];
    int64_t kept_bytes[AK_KEPT_KINDS];
    void *taken[AK_KEPT_KINDS];          // the last of them, and its bytes:
    int64_t taken_bytes[AK_KEPT_KINDS];  // perhaps more than asked for
    void *pool;
    struct akin_outputs *files;
    const akin_comm *comm;  // NULL: one rank
    int64_t communicated;   // bytes
    akin_ctx *counts_for;   // has joined its ranks; NULL: none
    struct ak_checkpoint *checkpoint;
    char message[MESSAGE_SIZE];
};

/* Large arrays are read at random: with pages of 2 MiB the translation of
 * addresses stays in its cache. Untouched pages still take no memory. */
static void ask_for_huge_pages(void *p, size_t size)
{
    const uintptr_t huge = (uintptr_t)2 << 20;
    const uintptr_t begin = ((uintptr_t)p + huge - 1) / huge * huge;
    const uintptr_t end = ((uintptr_t)p + size) / huge * huge;
    if (end > begin)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

static void *libc_alloc(void *user, size_t size)
{
    (void)user;
    void *p = calloc(1, size);
    if (p != NULL && size >= HUGE_LEAST)
        ask_for_huge_pages(p, size);
    return p;
}

static void *libc_resize(void *user, void *p, size_t size)
{
    (void)user;
    return realloc(p, size);
}

static void libc_release(void *user, void *p)
{
    (void)user;
    free(p);
}

static bool make_lock(pthread_mutex_t *lock)
{
    pthread_mutexattr_t how;
    if (pthread_mutexattr_init(&how) != 0)
        return false;
    pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE);
    const bool made = pthread_mutex_init(lock, &how) == 0;
    pthread_mutexattr_destroy(&how);
    return made;
}

akin_status akin_ctx_new(akin_ctx **out, const akin_allocator *allocator)
{
    static const akin_allocator libc = {libc_alloc, libc_resize, libc_release,
                                        NULL};
    const akin_allocator *a = allocator ? allocator : &libc;
    akin_ctx *ctx = a->alloc(a->user, sizeof *ctx);
    if (ctx == NULL)
        return AKIN_ENOMEM;
    ctx->allocator = *a;
    ctx->seed = 1;
    if (!make_lock(&ctx->progress_lock)) {
        a->release(a->user, ctx);
        return AKIN_ENOMEM;
    }
    *out = ctx;
    return AKIN_OK;
}

void akin_ctx_free(akin_ctx *ctx)
{
    if (ctx == NULL)
        return;
    ak_pool_free(ctx->pool);
    ak_scratch_end(ctx, (ak_mark){NULL, 0});
    akin_free(ctx->spare);
    for (int kind = 0; kind < AK_KEPT_KINDS; ++kind)
        akin_free(ctx->kept[kind]);
    pthread_mutex_destroy(&ctx->progress_lock);
    ctx->allocator.release(ctx->allocator.user, ctx);
}

const char *akin_ctx_message(const akin_ctx *ctx)
{
    return akin_ctx_cancelled(ctx) ? "interrupted" : ctx->message;
}

void akin_ctx_set_threads(akin_ctx *ctx, int64_t threads)
{
    ctx->threads = threads;
}

int64_t akin_ctx_threads(const akin_ctx *ctx)
{
    return ctx->threads;
}

void akin_ctx_set_seed(akin_ctx *ctx, uint64_t seed)
{
    ctx->seed = seed;
}

uint64_t akin_ctx_seed(const akin_ctx *ctx)
{
    return ctx->seed;
}

void akin_ctx_set_progress(akin_ctx *ctx, akin_progress_fn fn, void *user)
{
    pthread_mutex_lock(&ctx->progress_lock);
    ctx->progress = fn;
    ctx->progress_user = user;
    pthread_mutex_unlock(&ctx->progress_lock);
}

void akin_ctx_set_cancelled(akin_ctx *ctx, int cancelled)
{
    atomic_store(&ctx->cancelled, cancelled != 0);
}

int akin_ctx_cancelled(const akin_ctx *ctx)
{
    return ak_ctx_poll(ctx) != AKIN_OK;
}

void akin_ctx_set_log(akin_ctx *ctx, akin_log_fn fn, void *user)
{
    ctx->log = fn;
    ctx->log_user = user;
}

void *ak_ctx_pool(akin_ctx *ctx)
{
    return ctx->pool;
}

void ak_ctx_set_pool(akin_ctx *ctx, void *pool)
{
    ctx->pool = pool;
}

struct akin_outputs *ak_ctx_files(const akin_ctx *ctx)
{
    return ctx->files;
}

void ak_ctx_set_files(akin_ctx *ctx, struct akin_outputs *files)
{
    ctx->files = files;
}

struct ak_checkpoint *ak_ctx_checkpoint(const akin_ctx *ctx)
{
    return ctx->checkpoint;
}

void ak_ctx_set_checkpoint(akin_ctx *ctx, struct ak_checkpoint *c)
{
    ctx->checkpoint = c;
}

void akin_ctx_set_comm(akin_ctx *ctx, const akin_comm *comm)
{
    ctx->comm = comm;
}

const akin_comm *ak_ctx_comm(const akin_ctx *ctx)
{
    return ctx->comm;
}

int64_t akin_ctx_rank(const akin_ctx *ctx)
{
    const akin_comm *comm = ak_ctx_comm(ctx);
    return comm ? comm->rank : 0;
}

int64_t akin_ctx_ranks(const akin_ctx *ctx)
{
    const akin_comm *comm = ak_ctx_comm(ctx);
    return comm ? comm->size : 1;
}

void ak_ctx_join_ranks(akin_ctx *ctx, akin_ctx *caller)
{
    ctx->comm = caller->comm;
    ctx->counts_for = caller;
}

void ak_ctx_count_communicated(akin_ctx *ctx, int64_t bytes)
{
    while (ctx->counts_for != NULL)
        ctx = ctx->counts_for;
    ctx->communicated += bytes;
}

int64_t akin_ctx_communicated(const akin_ctx *ctx)
{
    return ctx->communicated;
}

akin_allocator ak_ctx_allocator(const akin_ctx *ctx)
{
    return ctx->allocator;
}

/* A message is one line: control characters become '?'. */
static void one_line(char *s)
{
    for (; *s; ++s)
        if ((unsigned char)*s < 0x20 || *s == 0x7f)
            *s = '?';
}

akin_status ak_fail(akin_ctx *ctx, akin_status st, const char *format, ...)
{
    char text[MESSAGE_SIZE];  // an argument may be the old message
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    one_line(text);
    memcpy(ctx->message, text, sizeof text);
    return st;
}

akin_status ak_nomem(akin_ctx *ctx, size_t bytes)
{
    return ak_fail(ctx, AKIN_ENOMEM, "out of memory (%zu bytes wanted)", bytes);
}

void ak_log(akin_ctx *ctx, akin_log_level level, const char *format, ...)
{
    if (ctx->log == NULL || ctx->muted > 0)
        return;
    char text[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    one_line(text);
    ctx->log(ctx->log_user, level, text);
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Does the function of the caller ask to stop? */
static bool call_progress(akin_ctx *ctx, const akin_progress *p)
{
    pthread_mutex_lock(&ctx->progress_lock);
    const akin_progress_fn fn = ctx->progress;
    const bool stop = fn != NULL && fn(ctx->progress_user, p) != 0;
    pthread_mutex_unlock(&ctx->progress_lock);
    return stop;
}

/* Is the run to stop? `last`: report it whenever that was last done. */
static bool report(akin_ctx *ctx, akin_progress p, bool last)
{
    if (ctx->stopped || ctx->progress == NULL)
        return false;
    const int64_t now = now_ns();
    if (now - ctx->last_tick_ns < TICK_NS && !last)
        return false;
    ctx->last_tick_ns = now;
    if (ctx->quiet > 0)
        p = (akin_progress){.loss = NAN};
    return call_progress(ctx, &p);
}

akin_status ak_ctx_poll(const akin_ctx *ctx)
{
    for (; ctx != NULL; ctx = ctx->caller)
        if (atomic_load_explicit(&ctx->cancelled, memory_order_relaxed))
            return AKIN_ECANCELLED;
    return AKIN_OK;
}

void ak_ctx_work_for(akin_ctx *ctx, const akin_ctx *caller)
{
    ctx->caller = caller;
}

akin_status ak_ctx_tick(akin_ctx *ctx, const char *what, int64_t done,
                        int64_t total, double loss)
{
    AK_CHECK(ak_ctx_poll(ctx));
    const akin_progress p = {what, done, total, loss, 0};
    if (report(ctx, p, done == total))
        return ak_fail(ctx, AKIN_ECANCELLED, "interrupted");
    return AKIN_OK;
}

static akin_status report_kept(akin_ctx *ctx, akin_progress p)
{
    AK_CHECK(ak_ctx_poll(ctx));
    if (!report(ctx, p, p.done == p.total))
        return AKIN_OK;
    /* Ranks would keep the models of different steps. */
    ctx->stopped = ctx->keeping > 0 && ctx->comm == NULL;
    return ctx->stopped ? AKIN_OK
                        : ak_fail(ctx, AKIN_ECANCELLED, "interrupted");
}

akin_status ak_ctx_step(akin_ctx *ctx, const char *what, int64_t done,
                        int64_t limit, double loss)
{
    return report_kept(ctx, (akin_progress){what, done, 0, loss, limit});
}

akin_status ak_ctx_part(akin_ctx *ctx, const char *what, int64_t done,
                        int64_t total, double loss)
{
    return report_kept(ctx, (akin_progress){what, done, total, loss, 0});
}

bool ak_ctx_stopped(const akin_ctx *ctx)
{
    return ctx->stopped;
}

void ak_ctx_keep_begin(akin_ctx *ctx)
{
    ++ctx->keeping;
}

bool ak_ctx_keep_end(akin_ctx *ctx)
{
    const bool stopped = ctx->stopped;
    --ctx->keeping;
    ctx->stopped = stopped && ctx->keeping > 0;
    return stopped;
}

void ak_ctx_quiet_begin(akin_ctx *ctx)
{
    ++ctx->quiet;
}

void ak_ctx_quiet_end(akin_ctx *ctx)
{
    --ctx->quiet;
}

void ak_ctx_mute_begin(akin_ctx *ctx)
{
    ++ctx->muted;
}

void ak_ctx_mute_end(akin_ctx *ctx)
{
    --ctx->muted;
}

static bool bytes_of(int64_t count, size_t size, size_t *bytes)
{
    return count >= 0 && ak_mul_size((size_t)count, size, bytes) &&
           *bytes <= PTRDIFF_MAX - 2 * SCRATCH_ALIGN;
}

void *ak_block_new(akin_ctx *ctx, size_t bytes)
{
    const akin_allocator *a = &ctx->allocator;
    block *b = a->alloc(a->user, sizeof *b + bytes);
    if (b == NULL)
        return NULL;
    *b = (block){a->release, a->user};
    return b + 1;
}

void akin_free(void *p)
{
    if (p == NULL)
        return;
    block *b = (block *)p - 1;
    b->release(b->user, b);
}

akin_status ak_alloc(akin_ctx *ctx, int64_t count, size_t size, void *out)
{
    size_t bytes;
    void *p = NULL;
    if (!bytes_of(count, size, &bytes))
        bytes = SIZE_MAX;
    else
        p = ak_block_new(ctx, bytes);
    memcpy(out, &p, sizeof p);
    return p ? AKIN_OK : ak_nomem(ctx, bytes);
}

akin_status ak_resize(akin_ctx *ctx, int64_t count, size_t size, void *out)
{
    const akin_allocator *a = &ctx->allocator;
    size_t bytes;
    block *b;
    memcpy(&b, out, sizeof b);
    if (!bytes_of(count, size, &bytes))
        return ak_nomem(ctx, SIZE_MAX);
    b = a->resize(a->user, b ? b - 1 : NULL, sizeof *b + bytes);
    if (b == NULL)
        return ak_nomem(ctx, bytes);
    *b++ = (block){a->release, a->user};
    memcpy(out, &b, sizeof b);
    return AKIN_OK;
}

akin_status ak_grow(akin_ctx *ctx, int64_t wanted, int64_t *room, size_t size,
                    void *out)
{
    if (wanted <= *room)
        return AKIN_OK;
    const int64_t more = wanted < INT64_MAX / 2 ? wanted + wanted / 2 + 64
                                                : wanted;
    AK_CHECK(ak_resize(ctx, more, size, out));
    *room = more;
    return AKIN_OK;
}

akin_status ak_strdup(akin_ctx *ctx, const char *s, char **out)
{
    const size_t n = strlen(s) + 1;
    AK_CHECK(ak_alloc(ctx, (int64_t)n, 1, out));
    memcpy(*out, s, n);
    return AKIN_OK;
}

ak_mark ak_scratch_begin(akin_ctx *ctx)
{
    chunk *c = ctx->scratch;
    return (ak_mark){c, c ? c->used : 0};
}

/* One of the usual size is not given back: to get it again, zero all over,
 * would take longer than a short query. */
static void drop_chunk(akin_ctx *ctx, chunk *c)
{
    if (ctx->spare == NULL && c->size == SCRATCH_CHUNK)
        ctx->spare = c;
    else
        akin_free(c);
}

void ak_scratch_end(akin_ctx *ctx, ak_mark mark)
{
    while (ctx->scratch != NULL && ctx->scratch != mark.chunk) {
        chunk *c = ctx->scratch;
        ctx->scratch = c->older;
        drop_chunk(ctx, c);
    }
    if (ctx->scratch != NULL)
        ctx->scratch->used = mark.used;
}

static akin_status push_chunk(akin_ctx *ctx, size_t bytes, bool *zero)
{
    const size_t size = bytes > SCRATCH_CHUNK ? bytes : SCRATCH_CHUNK;
    chunk *c = ctx->spare;
    *zero = c == NULL || size > c->size;
    if (!*zero) {
        ctx->spare = NULL;
        c->older = ctx->scratch;
        c->used = 0;
        ctx->scratch = c;
        return AKIN_OK;
    }
    c = ak_block_new(ctx, sizeof *c + size + SCRATCH_ALIGN);
    if (c == NULL)
        return ak_nomem(ctx, size);
    const uintptr_t raw = (uintptr_t)(c + 1);
    const size_t pad = (SCRATCH_ALIGN - raw % SCRATCH_ALIGN) % SCRATCH_ALIGN;
    *c = (chunk){ctx->scratch, size, 0, (unsigned char *)(c + 1) + pad};
    ctx->scratch = c;
    return AKIN_OK;
}

akin_status ak_scratch(akin_ctx *ctx, int64_t count, size_t size, void *out)
{
    size_t bytes;
    if (!bytes_of(count, size, &bytes))
        return ak_nomem(ctx, SIZE_MAX);
    bytes = (bytes + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
    bool zero = false;
    if (ctx->scratch == NULL || ctx->scratch->size - ctx->scratch->used < bytes)
        AK_CHECK(push_chunk(ctx, bytes, &zero));
    chunk *c = ctx->scratch;
    unsigned char *p = c->bytes + c->used;
    if (!zero)
        memset(p, 0, bytes);
    c->used += bytes;
    memcpy(out, &p, sizeof p);
    return AKIN_OK;
}

akin_status ak_scratch_each(akin_ctx *ctx, int64_t count, double **const *out,
                            size_t n)
{
    for (size_t i = 0; i < n; ++i)
        AK_CHECK(AK_SCRATCH(ctx, count, out[i]));
    return AKIN_OK;
}

/* A chunk of its own to begin with, so that no chunk is shared. */
akin_status ak_keep_begin(akin_ctx *ctx, ak_mark *mark)
{
    bool zero;
    *mark = ak_scratch_begin(ctx);
    return push_chunk(ctx, 0, &zero);
}

void *ak_keep_end(akin_ctx *ctx, ak_mark mark)
{
    chunk *newest = ctx->scratch, *oldest = newest;
    while (oldest->older != mark.chunk)
        oldest = oldest->older;
    oldest->older = NULL;
    ctx->scratch = mark.chunk;
    return newest;
}

void ak_keep_free(void *kept)
{
    for (chunk *c = kept; c != NULL;) {
        chunk *older = c->older;
        akin_free(c);
        c = older;
    }
}

akin_status ak_kept_take(akin_ctx *ctx, ak_kept kind, int64_t bytes, void *out)
{
    ctx->taken[kind] = NULL;
    if (ctx->kept[kind] == NULL || ctx->kept_bytes[kind] < bytes)
        return ak_alloc(ctx, bytes, 1, out);
    memcpy(out, &ctx->kept[kind], sizeof ctx->kept[kind]);
    ctx->taken[kind] = ctx->kept[kind];
    ctx->taken_bytes[kind] = ctx->kept_bytes[kind];
    ctx->kept[kind] = NULL;
    return AKIN_OK;
}

void ak_kept_give(akin_ctx *ctx, ak_kept kind, int64_t bytes, void *p)
{
    if (p == ctx->taken[kind])
        bytes = ak_max_i64(bytes, ctx->taken_bytes[kind]);
    ctx->taken[kind] = NULL;
    if (ctx->kept[kind] != NULL && ctx->kept_bytes[kind] >= bytes) {
        akin_free(p);
        return;
    }
    akin_free(ctx->kept[kind]);
    ctx->kept[kind] = p;
    ctx->kept_bytes[kind] = bytes;
}
