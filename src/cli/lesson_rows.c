/* The rows of a lesson, on one side or two, each through a recipe of its own.
 */
#include <string.h>

#include "cli/lesson.h"
#include "cli/load.h"

/* The learner's own recipe, where no flag says otherwise. */
static akin_status fit_recipe(app *a, const cli_lesson *l, cli_side *side,
                              const recipe_flags *f, const akin_rows *raw)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    const akin_recipe_options *own = akin_options_recipe(l->options);
    if (own != NULL && !f->as_is)
        o = *own;
    if (f->center)
        o.center = 1;
    if (f->scale != NULL)
        o.scale = f->scale;
    if (f->weights != NULL)
        o.weights = f->weights;
    if (f->norm != NULL)
        o.norm = f->norm;
    const akin_status st = akin_recipe_fit(&side->own, a->ctx, raw, &o);
    side->recipe = side->own;
    return st;
}

/* A recipe alone, or that of a model. */
static akin_status load_recipe(app *a, cli_side *side, const char *path,
                               akin_side which)
{
    akin_status st = akin_recipe_load(&side->own, a->ctx, path);
    side->recipe = side->own;
    if (st != AKIN_EFORMAT)
        return st;
    st = akin_model_load(&side->model, a->ctx, path);
    if (st != AKIN_OK)
        return st;
    side->recipe = akin_model_recipe(side->model, which);
    if (side->recipe == NULL)
        return app_fail(a, AKIN_EINVAL, "%s: the model has no recipe", path);
    return AKIN_OK;
}

/* The model remembers what was decided here, so it is worth a line. */
static void tell_index_base(app *a, const lesson_input *in, const char *path,
                            const akin_rows *rows)
{
    const int64_t base = akin_rows_index_base(rows);
    if (base != AKIN_BASE_AUTO && strcmp(in->reading->index_base, "auto") == 0)
        app_remark(a, "%s: columns are numbered from %d", path,
                   base == AKIN_BASE_1);
}

/* Is what all rows have in common taken from them, and that alone? */
static bool takes_away(const char *recipe)
{
    return strstr(recipe, "weights=") == NULL &&
           (strstr(recipe, "scale=") || strstr(recipe, "center"));
}

/* Of rows that are all alike the smallest value, or the mean, is all there is;
 * and a column that is in every row weighs nothing by idf, for one. */
static akin_status check_left(app *a, const cli_side *side, const char *path)
{
    const char *recipe = akin_recipe_text(side->recipe);
    if (akin_rows_count(side->rows) == 0 || akin_rows_nonzeros(side->rows) > 0)
        return AKIN_OK;
    if (akin_rows_count(side->rows) == 1 && takes_away(recipe))
        return app_fail(a, AKIN_EINVAL,
                        "%s: there is one row (expected two or more: %s leaves "
                        "nothing of one)",
                        path, recipe);
    if (takes_away(recipe))
        return app_fail(a, AKIN_EINVAL,
                        "%s: all rows are equal (%s leaves nothing of them)",
                        path, recipe);
    return app_fail(a, AKIN_EINVAL,
                    "%s: every row is empty after the recipe (%s)", path,
                    recipe);
}

/* Asked before a recipe is fitted to so many columns. */
static akin_status check_columns(app *a, const cli_lesson *l,
                                 const akin_rows *raw)
{
    const int64_t most = l->learner->most_columns;
    if (most == 0 || akin_rows_dim(raw) <= most)
        return AKIN_OK;
    return app_fail(a, AKIN_EINVAL,
                    "%s takes %lld columns at most (there are %lld): take "
                    "fewer, or a learner for many, such as loreta-psd",
                    l->learner->name, (long long)most,
                    (long long)akin_rows_dim(raw));
}

/* What one side is read from. */
typedef struct side_input {
    const char *path, *recipe;
    reading_flags reading;
    akin_side which;
} side_input;

static akin_status open_side(app *a, const cli_lesson *l, cli_side *side,
                             const lesson_input *in, const side_input *from)
{
    akin_rows *raw = NULL;
    cli_shape shape = {0};
    akin_status st = AKIN_OK;
    if (l->resume != NULL)
        shape = cli_shape_of_model(l->resume, in->resume, from->which, false);
    if (from->recipe != NULL) {
        APP_TRY(load_recipe(a, side, from->recipe, from->which));
        shape = cli_shape_of_recipe(side->recipe, from->recipe);
    }
    APP_TRY(cli_read_rows(a, &raw, from->path, &from->reading, shape));
    if (akin_rows_count(raw) > 0 && akin_rows_nonzeros(raw) == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL, "%s: every row is empty", from->path));
    APP_TRY(check_columns(a, l, raw));
    if (shape.index_base == AKIN_BASE_AUTO)
        tell_index_base(a, in, from->path, raw);
    if (l->resume != NULL)
        side->recipe = akin_model_recipe(l->resume, from->which);
    else if (side->recipe == NULL)
        APP_TRY(cli_in_file(a, fit_recipe(a, l, side, in->recipe, raw),
                            from->path));
    if (side->recipe != NULL) {
        st = akin_recipe_apply(&side->rows, a->ctx, side->recipe, raw);
        APP_TRY(cli_in_file(a, st, from->path));
        APP_TRY(check_left(a, side, from->path));
    } else {
        side->rows = raw;
        raw = NULL;
    }
done:
    akin_rows_free(raw);
    return st;
}

/* Such a model keeps the names of its labels. */
static bool ranks_labels(app *a, const cli_lesson *l)
{
    char task[32];
    return strcmp(l->learner->makes, "ranker") == 0 ||
           (akin_options_get(task, a->ctx, l->options, "task", sizeof task) ==
                AKIN_OK &&
            strcmp(task, "rank") == 0);
}

akin_status cli_lesson_rows(app *a, cli_lesson *l, const lesson_input *in)
{
    const right_flags *r = in->right;
    side_input from = {in->lesson->data, in->recipe->recipe, *in->reading,
                       AKIN_LEFT};
    akin_status st = AKIN_OK;
    from.reading.utf8_labels = ranks_labels(a, l);
    APP_TRY(open_side(a, l, &l->left, in, &from));
    if (r->right == NULL)
        return AKIN_OK;
    from = (side_input){r->right, r->recipe ? r->recipe : in->recipe->recipe,
                        *in->reading, AKIN_RIGHT};
    from.reading.labels = r->labels;
    from.reading.dim = 0;  // of the left
    APP_TRY(open_side(a, l, &l->right, in, &from));
done:
    return st;
}

void cli_side_close(cli_side *side)
{
    akin_rows_free(side->rows);
    akin_recipe_free(side->own);
    akin_model_free(side->model);
}
