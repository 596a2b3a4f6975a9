/* MATLAB files, read by the program akin-mat in a separate process. What it
 * sends is treated like any other file; src/helpers/akin_mat.c says what that
 * is. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/helper.h"
#include "data/io/csr.h"
#include "data/io/formats.h"
#include "data/io/mat_config.h"
#include "data/io/npy.h"

enum { MESSAGE = 500 };

/* ---- the stream ---- */

static akin_status bad(ak_source *s, akin_ctx *ctx, const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: %s", ak_source_name(s), what);
}

/* The text without what would spoil a line. */
static void make_plain(char *text, size_t n)
{
    for (size_t k = 0; k < n; ++k)
        if ((unsigned char)text[k] < ' ' || text[k] == 0x7f)
            text[k] = '?';
    text[n] = '\0';
}

/* What the program says was taken. */
static akin_status take_remark(ak_source *s, akin_ctx *ctx)
{
    char text[MESSAGE + 1];
    AK_CHECK(ak_source_need(s, ctx, text, MESSAGE));
    make_plain(text, strnlen(text, MESSAGE));
    ak_log(ctx, AKIN_LOG_INFO, "%s: %s", ak_source_name(s), text);
    return AKIN_OK;
}

/* What the program says is wrong. */
static akin_status take_message(ak_source *s, akin_ctx *ctx)
{
    char text[MESSAGE + 1];
    size_t n;
    AK_CHECK(ak_source_read(s, ctx, text, MESSAGE, &n));
    make_plain(text, n);
    return bad(s, ctx, n > 0 ? text : "cannot be read");
}

static akin_status take_dense(akin_rows **out, akin_ctx *ctx, ak_source *s)
{
    ak_npy a;
    const akin_status st = ak_npy_next(&a, ctx, s);
    return st == AKIN_OK ? ak_npy_rows(&a, ctx, out) : st;
}

static akin_status take_shape(ak_csr *c, akin_ctx *ctx, ak_source *s)
{
    ak_npy a;
    int64_t *shape = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_npy_next(&a, ctx, s));
    if (a.count != 2)
        AK_TRY(bad(s, ctx, "sparse matrix does not have 2 dimensions"));
    AK_TRY(ak_npy_int64(&a, ctx, &shape));
    if (shape[0] < 1 || shape[0] > INT32_MAX || shape[1] < 1 ||
        shape[1] > INT32_MAX)
        AK_TRY(bad(s, ctx, "sparse matrix has an impossible size"));
    c->n = shape[0];
    c->d = shape[1];
done:
    akin_free(shape);
    return st;
}

static akin_status take_sparse(akin_rows **out, akin_ctx *ctx, ak_source *s)
{
    ak_csr c = {.by_column = true};
    ak_npy a;
    akin_status st = AKIN_OK;
    AK_TRY(take_shape(&c, ctx, s));
    AK_TRY(ak_npy_next(&a, ctx, s));
    if (a.count != c.d + 1)
        AK_TRY(bad(s, ctx,
                   "sparse matrix: column offsets do not match its columns"));
    AK_TRY(ak_npy_int64(&a, ctx, &c.starts));
    AK_TRY(ak_npy_next(&a, ctx, s));
    c.count = a.count;
    AK_TRY(ak_npy_int32(&a, ctx, &c.index));
    AK_TRY(ak_npy_next(&a, ctx, s));
    if (a.count != c.count)
        AK_TRY(bad(s, ctx, "sparse matrix: values do not match its indices"));
    AK_TRY(ak_npy_floats(&a, ctx, &c.vals));
    AK_TRY(ak_rows_from_csr(out, ctx, ak_source_name(s), &c));
done:
    ak_csr_free(&c);
    return st;
}

static akin_status take_labels(akin_rows *rows, akin_ctx *ctx, ak_source *s)
{
    ak_npy a;
    const akin_status st = ak_npy_next(&a, ctx, s);
    return st == AKIN_OK ? ak_npy_labels(&a, ctx, rows) : st;
}

akin_status ak_mat_parse(akin_rows **out, akin_ctx *ctx, ak_source *s)
{
    akin_rows *r = NULL;
    char front[9], what;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_need(s, ctx, front, sizeof front));
    if (memcmp(front, "AKINMAT1", 8) != 0)
        AK_TRY(bad(s, ctx, "akin-mat is of another version"));
    if (front[8] == 'd')
        AK_TRY(take_dense(&r, ctx, s));
    else if (front[8] == 's')
        AK_TRY(take_sparse(&r, ctx, s));
    else
        AK_TRY(take_message(s, ctx));
    AK_TRY(ak_source_need(s, ctx, &what, 1));
    if (what == 'e')
        AK_TRY(take_message(s, ctx));
    if (what == 'l')
        AK_TRY(take_labels(r, ctx, s));
    AK_TRY(ak_source_need(s, ctx, &what, 1));
    if (what == 't') {
        AK_TRY(take_remark(s, ctx));
        AK_TRY(ak_source_need(s, ctx, &what, 1));
    }
    if (what != '.')
        AK_TRY(bad(s, ctx, "akin-mat stopped before the end"));
    AK_TRY(ak_source_end(s, ctx));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

/* ---- the process ---- */

#ifdef AK_HAVE_MAT

/* A signal that ended the helper says more than the truncated stream. */
static akin_status explain_end(akin_ctx *ctx, akin_status st, const char *path,
                               int status)
{
    if (st != AKIN_EFORMAT || !WIFSIGNALED(status))
        return st;
    const int sig = WTERMSIG(status);
    if (sig == SIGXCPU || sig == SIGKILL)
        return ak_fail(
            ctx, st, "%s: reading it exceeded its time or memory limit", path);
    return ak_fail(ctx, st, "%s: damaged, reading it failed (signal %d)", path,
                   sig);
}

static akin_status read_from(akin_rows **out, akin_ctx *ctx, const char *path,
                             const char *program, const char *const *args)
{
    ak_helper h;
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    errno = ak_helper_start(&h, program, args, false);
    if (errno != 0)
        return ak_file_fail(ctx, AKIN_EIO, program);
    const int from = h.from;
    h.from = -1;  // the source closes it
    AK_TRY(ak_source_fd(&s, ctx, path, from));
    AK_TRY(ak_mat_parse(out, ctx, s));
done:;
    const bool near = s != NULL && ak_source_ended(s);
    ak_source_close(s);
    const int status = ak_helper_end(&h, near);
    return near ? explain_end(ctx, st, path, status) : st;
}

akin_status ak_mat_read(akin_rows **out, akin_ctx *ctx, const char *path,
                        const akin_read_options *o)
{
    char program[PATH_MAX];
    const char *args[] = {"akin-mat", path, o->variable ? o->variable : "",
                          o->label_variable ? o->label_variable : "", NULL};
    if (access(path, R_OK) != 0)
        return ak_file_fail(ctx, AKIN_ENOENT, path);
    if (!ak_helper_find(program, "akin-mat"))
        return ak_fail(ctx, AKIN_EIO,
                       "%s: the program akin-mat that reads it is not "
                       "installed (expected in %s)",
                       path, ak_helper_folder());
    return read_from(out, ctx, path, program, args);
}

#else

akin_status ak_mat_read(akin_rows **out, akin_ctx *ctx, const char *path,
                        const akin_read_options *o)
{
    (void)out;
    (void)o;
    return ak_fail(ctx, AKIN_EABSENT,
                   "%s: this build cannot read .mat files (it needs libmatio)",
                   path);
}

#endif
