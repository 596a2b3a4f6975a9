/* akin explain COLLECTION A B: which parts of two pictures are alike. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/explain.h"
#include "cli/pictures.h"

static akin_status print_lines(app *a, const akin_match *m, int64_t n)
{
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < n && st == AKIN_OK; ++i)
        st = app_print(a, "%" PRId64 " %s %.1f %.1f %.1f %.1f%s\n", m[i].word,
                       app_real(m[i].contribution).text, m[i].left[0],
                       m[i].left[1], m[i].right[0], m[i].right[1],
                       m[i].agrees ? " agrees" : "");
    return st;
}

static int64_t count_agreeing(const akin_match *m, int64_t n)
{
    int64_t agree = 0;
    for (int64_t i = 0; i < n; ++i)
        agree += m[i].agrees;
    return agree;
}

static akin_status print_json(app *a, const akin_match *m, int64_t n,
                              int64_t all, double score)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n; ++i)
        json_array_append_new(
            list, json_pack("{s:I, s:o, s:[f,f,f], s:[f,f,f], s:b}", "word",
                            (json_int_t)m[i].word, "contribution",
                            app_json_real(m[i].contribution), "left",
                            m[i].left[0], m[i].left[1], m[i].left[2], "right",
                            m[i].right[0], m[i].right[1], m[i].right[2],
                            "agrees", (int)m[i].agrees));
    return app_json_print(
        a, json_pack("{s:o, s:I, s:I, s:o}", "score", app_json_real(score),
                     "matches", (json_int_t)all, "agreeing",
                     (json_int_t)count_agreeing(m, all), "regions", list));
}

static akin_status refuse(app *a, const char *out, int64_t row)
{
    return app_fail(a, AKIN_EINVAL,
                    "--out: %s is also picture %" PRId64 " (it would be lost)",
                    out, row);
}

/* The drawing must not take the place of a picture: of any by its path, of the
 * two also by another name. */
static akin_status check_out(app *a, akin_collection *c, const char *out,
                             const int64_t ij[2])
{
    char path[PATH_MAX];
    akin_picture p;
    int64_t row = -1;
    akin_status st = AKIN_OK;
    if (realpath(out, path) == NULL)
        return AKIN_OK;
    for (int k = 0; k < 2; ++k) {
        APP_TRY(akin_collection_picture(&p, a->ctx, c, ij[k]));
        if (app_same_file(out, p.path))
            return refuse(a, out, ij[k]);
    }
    st = akin_collection_find(&row, a->ctx, c, path);
    if (row >= 0)
        return refuse(a, out, row);
    if (st == AKIN_EINVAL)  // there is none
        st = AKIN_OK;
done:
    return st;
}

akin_status cli_explain_pictures(app *a, const char *path,
                                 const picture_flags *f, int64_t top)
{
    akin_collection *c = NULL;
    akin_model *model = NULL;
    akin_match *m = NULL;
    int64_t ij[2], n = 0;
    double score = 0.0;
    akin_status st = AKIN_OK;
    if (f->a == NULL || f->b == NULL)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "explain needs two pictures of %s, by row or name "
                         "(see akin help explain)",
                         path));
    APP_TRY(akin_collection_open(&c, a->ctx, path));
    APP_TRY(cli_picture_row(a, c, f->a, &ij[0]));
    APP_TRY(cli_picture_row(a, c, f->b, &ij[1]));
    if (f->out != NULL)
        APP_TRY(check_out(a, c, f->out, ij));
    if (f->model != NULL)
        APP_TRY(cli_picture_model(a, c, f->model, &model));
    APP_TRY(
        akin_collection_match(&m, &n, &score, a->ctx, c, model, ij[0], ij[1]));
    const int64_t shown = app_was_given(a, "top") && top < n ? top : n;
    if (f->out != NULL)
        APP_TRY(
            akin_collection_draw(a->ctx, c, ij[0], ij[1], m, shown, f->out));
    if (a->common.json)
        APP_TRY(print_json(a, m, shown, n, score));
    else if (f->out == NULL)
        APP_TRY(print_lines(a, m, shown < top ? shown : top));
    else
        APP_TRY(app_print(a, "%s: score %s, %s in common, %s of them agree\n",
                          app_shown(f->out), app_real(score).text,
                          app_counted(n, "feature").text,
                          app_count(count_agreeing(m, n)).text));
done:
    akin_free(m);
    akin_model_free(model);
    akin_collection_close(c);
    return st;
}
