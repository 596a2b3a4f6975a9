/* Files, options and progress of a run. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reproduce/common/reproduce.h"

/* ---- files -------------------------------------------------------------- */

static bool join(char path[REPRODUCE_PATH], const char *folder,
                 const char *name)
{
    const int n = snprintf(path, REPRODUCE_PATH, "%s/%s", folder, name);
    return n > 0 && n < REPRODUCE_PATH;
}

akin_status reproduce_path(app *a, char path[REPRODUCE_PATH],
                           const char *folder, const char *name)
{
    if (join(path, folder, name))
        return AKIN_OK;
    return app_fail(a, AKIN_EINVAL, "%s: %s", folder, strerror(ENAMETOOLONG));
}

bool reproduce_has_file(const char *folder, const char *name)
{
    char path[REPRODUCE_PATH];
    return join(path, folder, name) && access(path, R_OK) == 0;
}

/* ---- options ------------------------------------------------------------ */

/* The next "name=value" of a list separated by blanks; false at the end. */
static bool next_pair(const char **list, char name[32], char value[64])
{
    int used = 0;
    if (*list == NULL ||
        sscanf(*list, " %31[^=]=%63s%n", name, value, &used) < 2)
        return false;
    *list += used;
    return true;
}

akin_status reproduce_params_set(reproduce_params *p, akin_ctx *ctx,
                                 const char *list)
{
    char name[32];
    akin_status st = AKIN_OK;
    while (st == AKIN_OK && p->n < REPRODUCE_VALUES &&
           next_pair(&list, name, p->values[p->n])) {
        st = strcmp(name, "settings") == 0
                 ? akin_options_as_published(ctx, p->options)
                 : akin_options_set(ctx, p->options, name, p->values[p->n]);
        ++p->n;
    }
    return st;
}

akin_status reproduce_params_new(reproduce_params *p, akin_ctx *ctx,
                                 const char *learner, const char *fixed,
                                 const char *params)
{
    akin_status st = AKIN_OK;
    APP_TRY(akin_options_new(&p->options, ctx, learner));
    APP_TRY(reproduce_params_set(p, ctx, fixed));
    APP_TRY(reproduce_params_set(p, ctx, params));
done:
    return st;
}

static int64_t count_values(const char *values)
{
    int64_t n = 1;
    for (; *values; ++values)
        n += *values == ',';
    return n;
}

/* Value i of "0.1,1,10". */
static void take_value(char *values, int64_t i)
{
    char *from = values;
    for (; i > 0; --i)
        from = strchr(from, ',') + 1;
    const size_t n = strcspn(from, ",");
    memmove(values, from, n);
    values[n] = '\0';
}

bool reproduce_candidate(const char *grid, int64_t i,
                         char params[REPRODUCE_PARAMS])
{
    char name[32], value[64];
    size_t at = 0;
    params[0] = '\0';
    while (next_pair(&grid, name, value)) {
        const int64_t n = count_values(value);
        take_value(value, i % n);
        i /= n;
        at += (size_t)snprintf(params + at, REPRODUCE_PARAMS - at, "%s%s=%s",
                               at ? " " : "", name, value);
    }
    return i == 0;
}

akin_status reproduce_choose(char params[REPRODUCE_PARAMS], const char *grid,
                             reproduce_trial trial, void *arg,
                             const void *method)
{
    char candidate[REPRODUCE_PARAMS];
    double best = -INFINITY;
    params[0] = '\0';
    if (grid == NULL)
        return AKIN_OK;
    reproduce_candidate(grid, 0, params);
    for (int64_t i = 0; trial && reproduce_candidate(grid, i, candidate); ++i) {
        double score = 0.0;
        const akin_status st = trial(arg, method, candidate, &score);
        if (st == AKIN_ENUMERIC)
            continue;
        if (st != AKIN_OK)
            return st;
        if (!(score > best))
            continue;
        best = score;
        memcpy(params, candidate, sizeof candidate);
    }
    return AKIN_OK;
}

/* ---- steps -------------------------------------------------------------- */

/* The library reports the progress of each small run; show the steps instead.
 */
static int show_step(void *user, const akin_progress *p)
{
    const reproduce_steps *s = user;
    const akin_progress own = {
        .what = "runs", .done = s->done, .total = s->total, .loss = NAN};
    (void)p;
    return app_progress_show(&s->a->progress, &own);
}

static void warn_once(void *user, akin_log_level level, const char *line)
{
    reproduce_steps *s = user;
    if (level != AKIN_LOG_WARNING || s->n_said == sizeof s->said / 32)
        return;
    for (int i = 0; i < s->n_said; ++i)
        if (strncmp(s->said[i], line, sizeof s->said[i] - 1) == 0)
            return;
    snprintf(s->said[s->n_said++], sizeof *s->said, "%s", line);
    app_warn(s->a, "%s", line);
}

void reproduce_begin(reproduce_steps *s, app *a, int64_t total)
{
    *s = (reproduce_steps){.a = a, .total = total};
    akin_ctx_set_progress(a->ctx, show_step, s);
    akin_ctx_set_log(a->ctx, warn_once, s);
}

akin_status reproduce_step(reproduce_steps *s)
{
    ++s->done;
    return show_step(s, NULL) ? AKIN_ECANCELLED : AKIN_OK;
}

void reproduce_end(app *a)
{
    akin_ctx_set_progress(a->ctx, app_progress_show, &a->progress);
    akin_ctx_set_log(a->ctx, app_log, a);
    app_progress_clear(&a->progress);
}
