/* What akin name writes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
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

akin_status name_once(app *a, name_job *j)
{
    return akin_naming_names(j->names, j->confidences, a->ctx, j->naming, &j->o,
                             &j->info);
}

static akin_status name_curve(app *a, name_job *j, FILE *to)
{
    akin_status st = AKIN_OK;
    for (int step = 1; step <= 20 && st == AKIN_OK; ++step) {
        char ratio[16];
        snprintf(ratio, sizeof ratio, "%.2f", step / 20.0);
        j->o.theta = NAN;
        j->o.named_count = -1;
        j->o.real_name_ratio = step / 20.0;
        st = name_once(a, j);
        if (st == AKIN_OK)
            put_names(to, j, ratio);
    }
    return st;
}

akin_status name_write(app *a, name_job *j, const name_own_flags *f)
{
    char *text = NULL;
    size_t size = 0;
    akin_status st = AKIN_OK;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return app_fail(a, AKIN_ENOMEM, "out of memory");
    fputs(f->curve ? "real_name_ratio,face,photo,name,confidence\n"
                   : "face,photo,name,confidence\n",
          to);
    if (f->curve)
        st = name_curve(a, j, to);
    else
        put_names(to, j, "");
    if (fclose(to) != 0 && st == AKIN_OK)
        st = app_fail(a, AKIN_ENOMEM, "out of memory");
    if (st == AKIN_OK)
        st = app_write_file(a, f->out, text);
    free(text);
    return st;
}

akin_status name_report(app *a, const name_job *j, const name_flags *f,
                        const akin_naming_measure *m)
{
    akin_naming_info info;
    akin_naming_get_info(j->naming, &info);
    if (a->common.json) {
        json_t *out = json_pack(
            "{s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:I, s:b, s:I, s:b, s:I, s:o, "
            "s:o, "
            "s:o, s:o, s:o}",
            "method",
            j->model ? akin_model_learner(j->model) : f->naming.method, "faces",
            (json_int_t)info.faces, "photos", (json_int_t)info.photos, "names",
            (json_int_t)info.names, "named", (json_int_t)j->info.named,
            "real_name_ratio",
            app_json_real((double)j->info.named / (double)info.faces), "theta",
            app_json_real(j->info.theta), "rounds", (json_int_t)j->info.rounds,
            "rounds_converged", (int)j->info.converged, "iterations",
            (json_int_t)info.iterations, "converged", (int)info.converged,
            "rank", (json_int_t)info.rank, "lambda", app_json_real(info.lambda),
            "gamma", app_json_real(info.gamma), "gap", app_json_real(info.gap),
            "seconds", app_json_real(info.seconds), "out",
            app_json_string(f->own.out));
        if (out && j->truth) {
            json_object_set_new(out, "accuracy", app_json_real(m->accuracy));
            json_object_set_new(out, "precision", app_json_real(m->precision));
        }
        return app_json_print(a, out);
    }
    akin_status st = app_print(
        a, "%s: %s of %s in %s named out of %s, %s\n", app_shown(f->own.out),
        app_count(j->info.named).text, app_counted(info.faces, "face").text,
        app_counted(info.photos, "photo").text,
        app_counted(info.names, "name").text, app_seconds(info.seconds).text);
    if (st == AKIN_OK && j->truth)
        st = app_print(a, "accuracy %s, precision %s\n",
                       app_percent(m->accuracy).text,
                       app_percent(m->precision).text);
    return st;
}
