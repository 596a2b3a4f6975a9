#include "cli/judge.h"

#include <stdlib.h>
#include <string.h>

#include "cli/load.h"

static akin_status read_file(app *a, cli_judge *j, const cli_lesson *l,
                             reading_flags reading, const char *path)
{
    akin_rows *raw = NULL;
    akin_status st = AKIN_OK;
    if (l->file_kind != AKIN_NOTHING && l->file_kind != AKIN_LABELS) {
        APP_TRY(cli_lesson_known(a, l, l->left.rows, &j->known));
        APP_TRY(akin_supervision_read(a->ctx, j->known, l->file_kind, path));
        return AKIN_OK;
    }
    reading.labels = NULL;
    APP_TRY(cli_read_rows(a, &raw, path, &reading,
                          cli_shape_of_recipe(l->left.recipe, l->data)));
    st = akin_recipe_apply(&j->rows, a->ctx, l->left.recipe, raw);
    APP_TRY(cli_in_file(a, st, path));
    if (l->file_kind == AKIN_NOTHING && l->learner->takes != AKIN_NOTHING &&
        akin_rows_label_count(raw) == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "--validate: %s has no labels to judge by", path));
    APP_TRY(cli_lesson_known(a, l, j->rows, &j->known));
done:
    akin_rows_free(raw);
    return st;
}

akin_status cli_judge_open(app *a, cli_judge *j, const cli_lesson *l,
                           const reading_flags *reading, const char *validate)
{
    char *end;
    const double x = strtod(validate, &end);
    if (*end != '\0' || end == validate)
        return read_file(a, j, l, *reading, validate);
    if (!(x > 0.0 && x < 1.0))
        return app_fail(a, AKIN_EINVAL,
                        "--validate %s is out of range (a fraction above "
                        "0 and below 1, or a file)",
                        validate);
    j->fraction = x;
    return AKIN_OK;
}

void cli_judge_close(cli_judge *j)
{
    akin_supervision_free(j->known);
    akin_rows_free(j->rows);
}

double cli_judge_shown(const char *measure, double score)
{
    return strcmp(measure, "error") == 0 ? 0.0 - score : score;
}
