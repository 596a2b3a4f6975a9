/* What akin name writes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/text.h"
#include "cli/name.h"

/* A cell, in quotes where it must be. */
static void put_cell(FILE *to, const char *text)
{
    if (text[strcspn(text, ",\"\n\r")] == '\0') {
        fputs(text, to);
        return;
    }
    putc('"', to);
    for (; *text; ++text) {
        if (*text == '"')
            putc('"', to);
        putc(*text, to);
    }
    putc('"', to);
}

static void put_names(FILE *to, const name_job *j, const char *ratio)
{
    for (int64_t i = 0; i < j->n; ++i) {
        if (j->names[i] < -1)
            continue;
        const char *name = akin_naming_name(j->naming, j->names[i]);
        fprintf(to, "%s%s%" PRId64 ",", ratio, *ratio ? "," : "", i);
        put_cell(to, akin_naming_photo(j->naming, i));
        putc(',', to);
        put_cell(to, name ? name : "");
        fprintf(to, ",%.6g\n", j->confidences[i]);
    }
}

static akin_status name_once(app *a, name_job *j)
{
    const akin_status st = akin_naming_names(j->names, j->confidences, a->ctx,
                                             j->naming, &j->o, &j->info);
    j->seconds += j->info.seconds;
    return st;
}

static akin_status measure(app *a, name_job *j)
{
    return j->truth ? akin_naming_compare(&j->measures[j->n_measures++], a->ctx,
                                          j->naming, j->names, j->truth)
                    : AKIN_OK;
}

/* Have the captions no names for as many as were wanted? */
static bool is_short(const akin_names_info *n)
{
    return n->named < n->wanted && n->named == n->reachable;
}

static akin_status name_curve(app *a, name_job *j, FILE *to)
{
    bool told = false;
    akin_status st = AKIN_OK;
    for (int step = 1; step <= NAME_CURVE; ++step) {
        char ratio[16];
        j->o.real_name_ratio = (double)step / NAME_CURVE;
        snprintf(ratio, sizeof ratio, "%.2f", j->o.real_name_ratio);
        APP_TRY(name_once(a, j));
        APP_TRY(measure(a, j));
        put_names(to, j, ratio);
        if (!told && is_short(&j->info))
            app_remark(a,
                       "ratios from %s on are all the same: captions have "
                       "names for no more than %s",
                       ratio, app_counted(j->info.named, "face").text);
        told |= is_short(&j->info);
    }
done:
    return st;
}

static akin_status name_all(app *a, name_job *j, FILE *to)
{
    akin_status st = AKIN_OK;
    fputs(j->curve ? "real_name_ratio,face,photo,name,confidence\n"
                   : "face,photo,name,confidence\n",
          to);
    if (j->curve)
        return name_curve(a, j, to);
    APP_TRY(name_once(a, j));
    APP_TRY(measure(a, j));
    put_names(to, j, "");
done:
    return st;
}

akin_status name_give(app *a, name_job *j)
{
    size_t size = 0;
    FILE *to = open_memstream(&j->text, &size);
    if (to == NULL)
        return app_fail(a, AKIN_ENOMEM, "out of memory");
    akin_status st = name_all(a, j, to);
    if (fclose(to) != 0 && st == AKIN_OK)
        st = app_fail(a, AKIN_ENOMEM, "out of memory");
    return st;
}

/* What was learned, for faces that come later. */
static akin_status keep_model(app *a, const name_job *j, const char *path)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_naming_model(&m, a->ctx, j->naming, j->names, j->info.theta));
    APP_TRY(akin_model_save(a->ctx, m, path));
done:
    akin_model_free(m);
    return st;
}

akin_status name_write(app *a, const name_job *j, const name_own_flags *f)
{
    akin_outputs files;
    akin_status st = AKIN_OK;
    akin_outputs_begin(a->ctx, &files);
    if (f->save_model)
        APP_TRY(keep_model(a, j, f->save_model));
    APP_TRY(akin_output_write(a->ctx, f->out, j->text));
done:
    return akin_outputs_end(a->ctx, &files, st);
}
