#include "learn/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/comm.h"
#include "base/file.h"

enum { NAME_SIZE = 96, EVERY = 10, EVERY_ONLINE = 100000 };

static const char kind[] = "checkpoint";

/* ---- numbers ------------------------------------------------------------- */

/* Numbers of a section that go to `t`, or come from what was found. */
typedef struct numbers {
    ak_state head;  // must be first
    ak_checkpoint_file *file;
    const char *section;
    ak_tensors *t;
} numbers;

static void name_of(const numbers *s, const char *name, char full[NAME_SIZE])
{
    snprintf(full, NAME_SIZE, "%s.%s", s->section, name);
}

static akin_status write_f64(ak_state *state, akin_ctx *ctx, const char *name,
                             int64_t n, double *x)
{
    const numbers *s = (const numbers *)state;
    char full[NAME_SIZE];
    name_of(s, name, full);
    return ak_tensors_put_vector(s->t, ctx, full, AK_DTYPE_F64, n, x);
}

static akin_status write_i64(ak_state *state, akin_ctx *ctx, const char *name,
                             int64_t *x, int64_t least, int64_t most)
{
    const numbers *s = (const numbers *)state;
    char full[NAME_SIZE];
    (void)least;
    (void)most;
    name_of(s, name, full);
    return ak_tensors_put_copy(s->t, ctx,
                               (ak_tensor){full, AK_DTYPE_I64, 1, {1}, x});
}

/* EFORMAT unless it has n numbers. */
static akin_status take(const numbers *s, akin_ctx *ctx, const char *name,
                        ak_dtype dtype, int64_t n, void *x)
{
    char full[NAME_SIZE];
    const ak_tensor *t = NULL;
    name_of(s, name, full);
    AK_CHECK(ak_tensors_need(s->file->found, ctx, full, dtype, 1, &t));
    if (t->shape[0] != n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %s has %" PRId64 " numbers (expected %" PRId64 ")",
                       s->file->path, full, t->shape[0], n);
    memcpy(x, t->data, (size_t)n * ak_dtype_size(dtype));
    --s->file->left;
    return AKIN_OK;
}

static akin_status read_f64(ak_state *state, akin_ctx *ctx, const char *name,
                            int64_t n, double *x)
{
    const numbers *s = (const numbers *)state;
    AK_CHECK(take(s, ctx, name, AK_DTYPE_F64, n, x));
    for (int64_t i = 0; i < n; ++i)
        if (isnan(x[i]))
            return ak_fail(ctx, AKIN_EFORMAT, "%s: %s.%s is not a number",
                           s->file->path, s->section, name);
    return AKIN_OK;
}

static akin_status read_i64(ak_state *state, akin_ctx *ctx, const char *name,
                            int64_t *x, int64_t least, int64_t most)
{
    const numbers *s = (const numbers *)state;
    AK_CHECK(take(s, ctx, name, AK_DTYPE_I64, 1, x));
    if (*x >= least && *x <= most)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: %s.%s is %" PRId64 " (expected %" PRId64 " to %" PRId64
                   ")",
                   s->file->path, s->section, name, *x, least, most);
}

/* Once everything is restored, a loop begins as it would. */
static akin_status restore(ak_checkpoint *head, akin_ctx *ctx,
                           const ak_section *section, bool *continued)
{
    ak_checkpoint_file *c = (ak_checkpoint_file *)head;
    numbers s = {{read_f64, read_i64}, c, section->name, NULL};
    *continued = c->left > 0;
    return *continued ? section->visit(section->self, ctx, &s.head) : AKIN_OK;
}

akin_status ak_checkpoint_check(const ak_checkpoint_file *c, akin_ctx *ctx)
{
    return c->left <= 0 ? AKIN_OK
                        : ak_fail(ctx, AKIN_EFORMAT,
                                  "%s: has numbers of another state", c->path);
}

static akin_status step(ak_checkpoint *head, akin_ctx *ctx)
{
    ak_checkpoint_file *c = (ak_checkpoint_file *)head;
    AK_CHECK(ak_checkpoint_check(c, ctx));
    ++c->at;
    return c->at % c->every == 0 ? ak_checkpoint_write(c, ctx, NULL) : AKIN_OK;
}

/* ---- what the run is ----------------------------------------------------- */

/* Files that options name count by their content. */
static akin_status note_files(ak_tensors *t, akin_ctx *ctx,
                              const ak_checkpoint_file *c)
{
    const akin_learner_info *info = &c->learner->info;
    char key[NAME_SIZE], path[1024], *bytes = NULL;
    size_t n = 0;
    for (int64_t i = 0; i < info->n_options; ++i) {
        snprintf(key, sizeof key, "option.%s", info->options[i].name);
        const char *value = ak_tensors_get_note(t, key);
        if (value == NULL || strcmp(value, "given") != 0)
            continue;
        AK_CHECK(akin_options_get(path, ctx, c->options, info->options[i].name,
                                  sizeof path));
        AK_CHECK(ak_file_read(ctx, path, &bytes, &n));
        const uint32_t sum = ak_checksum_part(bytes, n);
        akin_free(bytes);
        snprintf(key, sizeof key, "content.%s", info->options[i].name);
        AK_CHECK(ak_tensors_note_i64(t, ctx, key, (int64_t)sum));
    }
    return AKIN_OK;
}

/* All that must be the same for a run to continue. */
static akin_status note_run(ak_tensors *t, akin_ctx *ctx,
                            const ak_checkpoint_file *c)
{
    char hex[20];
    snprintf(hex, sizeof hex, "%016" PRIx64, c->data);
    AK_CHECK(ak_tensors_note(t, ctx, "kind", kind));
    AK_CHECK(ak_tensors_note(t, ctx, "version", akin_version()));
    AK_CHECK(ak_options_note(t, ctx, c->learner, c->options));
    AK_CHECK(note_files(t, ctx, c));
    AK_CHECK(ak_tensors_note_i64(t, ctx, "seed", (int64_t)akin_ctx_seed(ctx)));
    return ak_tensors_note(t, ctx, "data", hex);
}

akin_status ak_checkpoint_write(const ak_checkpoint_file *c, akin_ctx *ctx,
                                const ak_tensors *online)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(note_run(t, ctx, c));
    AK_TRY(ak_tensors_note_i64(t, ctx, "position", c->at));
    for (ak_section *s = c->head.inner; s != NULL; s = s->outer) {
        numbers to = {{write_f64, write_i64}, NULL, s->name, t};
        AK_TRY(s->visit(s->self, ctx, &to.head));
    }
    if (online != NULL)
        AK_TRY(ak_tensors_put_set(t, ctx, AK_CHECKPOINT_ONLINE, online));
    AK_TRY(ak_tensors_write(t, ctx, c->path));
done:
    ak_tensors_free(t);
    return st;
}

/* ---- on from a file ------------------------------------------------------ */

/* EINVAL, naming the first thing that differs. */
static akin_status check_run(const ak_checkpoint_file *c, akin_ctx *ctx,
                             const ak_tensors *found)
{
    ak_tensors *own = NULL;
    const char *key, *value;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need_ours(found, ctx));
    AK_TRY(ak_tensors_new(&own, ctx));
    AK_TRY(note_run(own, ctx, c));
    for (int64_t i = 0; i < ak_tensors_note_count(own); ++i) {
        ak_tensors_note_at(own, i, &key, &value);
        const char *was = ak_tensors_get_note(found, key);
        if (i == 0 && (was == NULL || strcmp(was, value) != 0))
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: not a checkpoint", c->path));
        if (was != NULL && strcmp(was, value) == 0)
            continue;
        if (strncmp(key, "option.", 7) == 0)
            AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                           "%s: the checkpoint is of another run: `%s` was %s "
                           "(now %s)",
                           c->path, key + 7, was ? was : "not set", value));
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s: the checkpoint is of another run: its %s differs",
                       c->path, key));
    }
done:
    ak_tensors_free(own);
    return st;
}

/* The bytes of the file, on rank 0, if it is there and fits. */
static akin_status read_file(const ak_checkpoint_file *c, akin_ctx *ctx,
                             char **bytes, size_t *n)
{
    ak_tensors *found = NULL;
    akin_status st = AKIN_OK;
    if (akin_ctx_rank(ctx) > 0)
        return AKIN_OK;
    const bool exists = access(c->path, F_OK) == 0;
    if (strcmp(c->path, "-") == 0 || (exists && !ak_file_is_regular(c->path)))
        return ak_fail(ctx, AKIN_EINVAL, "%s: a checkpoint must be a file",
                       c->path);
    if (!exists)
        return AKIN_OK;
    AK_TRY(ak_file_read(ctx, c->path, bytes, n));
    AK_TRY(ak_tensors_parse(&found, ctx, c->path, *bytes, *n));
    AK_TRY(check_run(c, ctx, found));
done:
    ak_tensors_free(found);
    return st;
}

static int64_t count_numbers(const ak_tensors *t)
{
    int64_t n = 0;
    for (int64_t i = 0; i < ak_tensors_count(t); ++i)
        n += strncmp(ak_tensors_at(t, i)->name, AK_CHECKPOINT_ONLINE,
                     strlen(AK_CHECKPOINT_ONLINE)) != 0;
    return n;
}

/* What rank 0 has found goes to all. */
static akin_status find(ak_checkpoint_file *c, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    char *bytes = NULL;
    unsigned char *all = NULL;
    const size_t *offsets = NULL;
    size_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(akin_output_check(ctx, c->path));
    AK_TRY(ak_comm_follow(ctx, read_file(c, ctx, &bytes, &n)));
    AK_TRY(ak_comm_collect(ctx, bytes, n, &all, &offsets));
    if (offsets[1] == 0)
        goto done;
    AK_TRY(ak_tensors_parse_copy(&c->found, ctx, c->path, all, offsets[1]));
    AK_TRY(ak_state_count(c->found, ctx, "position", &c->at));
    c->left = count_numbers(c->found);
done:
    akin_free(bytes);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_checkpoint_open(ak_checkpoint_file *c, akin_ctx *ctx,
                               const akin_checkpoint_options *o,
                               const ak_learner *learner,
                               const akin_options *options,
                               const akin_supervision *data)
{
    const char *counts = akin_learner_checkpoints(&learner->info);
    *c = (ak_checkpoint_file){.head = {.restore = restore, .step = step},
                              .path = o->path,
                              .learner = learner,
                              .options = options,
                              .every = o->every};
    if (o->size != sizeof *o || o->path == NULL || o->every < 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "a checkpoint needs a path, and `every` 0 or more");
    if (counts == NULL)
        return ak_fail(ctx, AKIN_EINVAL, "%s has no checkpoints",
                       learner->info.name);
    if (c->every == 0)
        c->every = learner->info.is_online ? EVERY_ONLINE : EVERY;
    c->data = ak_supervision_fingerprint(data);
    AK_CHECK(find(c, ctx));
    if (c->at > 0)
        ak_log(ctx, AKIN_LOG_INFO, "%s: continued at %" PRId64 " %s", c->path,
               c->at, counts);
    return AKIN_OK;
}

void ak_checkpoint_close(ak_checkpoint_file *c)
{
    ak_tensors_free(c->found);
    c->found = NULL;
}
