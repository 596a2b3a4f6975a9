/* Names in a file, as `akin name` writes them: measured by the truth, or taken
 * as those of an earlier run. */
#include <math.h>
#include <string.h>

#include "data/captions/bags.h"
#include "naming/naming.h"

/* The photo of every face, -1: none. */
static void find_photos(int32_t *photos, const ak_bags *bags, int64_t n)
{
    for (int64_t f = 0; f < n; ++f)
        photos[f] = -1;
    for (int64_t i = 0; i < bags->n_photos; ++i) {
        const int64_t *faces;
        const int64_t count = ak_bags_faces(bags, i, &faces);
        for (int64_t k = 0; k < count; ++k)
            photos[faces[k]] = (int32_t)i;
    }
}

/* Where a line names a photo, it is the one of the captions. */
static akin_status check_photo(akin_ctx *ctx, const ak_face_list *l,
                               const ak_face_line *x, const ak_bags *bags,
                               int32_t at)
{
    const char *photo = x->photo >= 0 ? l->photos.texts[x->photo] : NULL;
    if (at < 0 || photo == NULL || strcmp(photo, bags->photos[at]) == 0)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s:%" PRId64 ": face %" PRId64
                   " is in photo \"%.80s\" (its caption is of \"%.80s\")",
                   l->path, x->line, x->face, photo, bags->photos[at]);
}

/* ---- of an earlier run --------------------------------------------------- */

akin_status ak_names_check_earlier(akin_ctx *ctx, const ak_face_list *l,
                                   const ak_bags *bags, int64_t n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int32_t *photos;
    bool *seen;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &photos));
    AK_TRY(AK_SCRATCH(ctx, n, &seen));
    if (l->n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: there are no names", l->path));
    find_photos(photos, bags, n);
    memset(seen, 0, (size_t)n * sizeof *seen);
    for (int64_t k = 0; k < l->n; ++k) {
        const ak_face_line *x = &l->lines[k];
        const char *wrong = x->is_not
                                ? "names of an earlier run take no is-not: face"
                            : !isnan(x->ratio)
                                ? "names at several ratios (expected one): face"
                            : seen[x->face] ? "a second name for face"
                                            : NULL;
        if (wrong != NULL)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s %" PRId64,
                           l->path, x->line, wrong, x->face));
        AK_TRY(check_photo(ctx, l, x, bags, photos[x->face]));
        seen[x->face] = true;
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_face_names_earlier(akin_face_names **out, akin_ctx *ctx,
                                    const char *path,
                                    const akin_supervision *captions)
{
    akin_face_names *f = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_face_names_read(&f, ctx, path, captions));
    AK_TRY(ak_names_check_earlier(ctx, &f->list, captions->bags,
                                  akin_rows_count(captions->rows)));
    *out = f;
    f = NULL;
done:
    akin_face_names_free(f);
    return st;
}

/* ---- measured by the truth ----------------------------------------------- */

typedef struct measuring {
    ak_bags *bags;
    akin_face_names *truth, *given;
    int64_t n;
    int32_t *photos, *names;  // n
    double *probabilities;    // n
    int32_t *seen;            // of each name: 1 + the last photo that has it
    const char *path;
} measuring;

/* At least as many rows as the faces of a file show that there are. */
static akin_status count_rows(int64_t *n, akin_ctx *ctx, const char *path,
                              const char *empty)
{
    ak_source *source = NULL;
    ak_face_list list = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(ak_face_list_read(&list, ctx, source, INT32_MAX));
    if (list.n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: %s", path, empty));
    for (int64_t k = 0; k < list.n; ++k)
        *n = ak_max_i64(*n, list.lines[k].face + 1);
done:
    ak_source_close(source);
    ak_face_list_free(&list);
    return st;
}

static akin_status read_all(measuring *m, akin_ctx *ctx, const char *names,
                            const char *captions, const char *truth)
{
    ak_source *source = NULL;
    akin_status st = AKIN_OK;
    m->path = names;
    AK_TRY(count_rows(&m->n, ctx, names, "there are no names"));
    AK_TRY(count_rows(&m->n, ctx, truth, "there is no truth"));
    AK_TRY(ak_source_open(&source, ctx, captions, AK_SOURCE_TEXT));
    AK_TRY(ak_bags_read(&m->bags, ctx, source, m->n));
    AK_TRY(ak_face_names_read(&m->given, ctx, names, m->bags, m->n));
    AK_TRY(ak_face_names_read(&m->truth, ctx, truth, m->bags, m->n));
    AK_TRY(AK_SCRATCH(ctx, m->n, &m->photos));
    AK_TRY(AK_SCRATCH(ctx, m->n, &m->names));
    AK_TRY(AK_SCRATCH(ctx, m->n, &m->probabilities));
    AK_TRY(AK_SCRATCH(ctx, m->bags->n_names, &m->seen));
    find_photos(m->photos, m->bags, m->n);
done:
    ak_source_close(source);
    return st;
}

/* Photos are those of the captions; what cannot be measured is remarked. */
static akin_status check_lines(const measuring *m, akin_ctx *ctx)
{
    const ak_face_list *l = &m->given->list;
    int64_t others = 0, outside = 0;
    const ak_face_line *other = NULL;
    for (int64_t k = 0; k < l->n; ++k) {
        const ak_face_line *x = &l->lines[k];
        const int32_t at = m->photos[x->face];
        AK_CHECK(check_photo(ctx, l, x, m->bags, at));
        outside += at < 0;
        others += at >= 0 && m->given->names[k] == AK_OTHER_NAME;
        if (others == 1 && other == NULL)
            other = x;
    }
    if (outside > 0)
        ak_log(ctx, AKIN_LOG_INFO,
               "%s: %" PRId64 " of %" PRId64
               " lines are not measured: their faces are in no photo of the "
               "captions",
               m->path, outside, l->n);
    if (other != NULL)
        ak_log(ctx, AKIN_LOG_INFO,
               "%s:%" PRId64 ": no caption has the name \"%.80s\" (lines with "
               "such names: %" PRId64 ")",
               m->path, other->line, l->texts.texts[other->name], others);
    return AKIN_OK;
}

/* No name goes to two faces of a photo. */
static akin_status check_photos(const measuring *m, akin_ctx *ctx)
{
    memset(m->seen, 0, (size_t)m->bags->n_names * sizeof *m->seen);
    for (int64_t i = 0; i < m->bags->n_photos; ++i) {
        const int64_t *faces;
        const int64_t n = ak_bags_faces(m->bags, i, &faces);
        for (int64_t k = 0; k < n; ++k) {
            const int32_t name = m->names[faces[k]];
            if (name >= 0 && m->seen[name] == i + 1)
                return ak_fail(ctx, AKIN_EFORMAT,
                               "%s: \"%.80s\" is the name of two faces of "
                               "photo \"%.80s\"",
                               m->path, m->bags->name_texts[name],
                               m->bags->photos[i]);
            if (name >= 0)
                m->seen[name] = (int32_t)i + 1;
        }
    }
    return AKIN_OK;
}

/* The lines from `at` on with one ratio; *next is behind them. */
static akin_status take_run(const measuring *m, akin_ctx *ctx, int64_t at,
                            int64_t *next)
{
    const ak_face_list *l = &m->given->list;
    const double ratio = l->lines[at].ratio;
    for (int64_t f = 0; f < m->n; ++f)
        m->names[f] = AK_UNTOLD;
    for (; at < l->n; ++at) {
        const ak_face_line *x = &l->lines[at];
        if (!(x->ratio == ratio || (isnan(x->ratio) && isnan(ratio))))
            break;
        if (m->names[x->face] != AK_UNTOLD)
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s:%" PRId64 ": a second name for face %" PRId64,
                           m->path, x->line, x->face);
        m->names[x->face] = m->given->names[at];
        m->probabilities[x->face] = x->probability;
    }
    for (int64_t f = 0; f < m->n; ++f)
        if (m->photos[f] >= 0 && m->names[f] == AK_UNTOLD)
            return ak_fail(ctx, AKIN_EFORMAT, "%s: no line for face %" PRId64,
                           m->path, f);
    *next = at;
    return check_photos(m, ctx);
}

akin_status akin_names_measure(akin_naming_measure *out, int64_t *count,
                               akin_ctx *ctx, const char *names,
                               const char *captions, const char *truth,
                               int64_t most)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    measuring m = {0};
    akin_status st = AKIN_OK;
    *count = 0;
    AK_TRY(read_all(&m, ctx, names, captions, truth));
    AK_TRY(check_lines(&m, ctx));
    for (int64_t at = 0; at < m.given->list.n && *count < most; ++*count) {
        AK_TRY(take_run(&m, ctx, at, &at));
        AK_TRY(ak_names_compare(&out[*count], ctx, m.bags, m.photos, m.n,
                                m.names, m.probabilities, m.truth));
    }
done:
    akin_face_names_free(m.given);
    akin_face_names_free(m.truth);
    ak_bags_free(m.bags);
    ak_scratch_end(ctx, mark);
    return st;
}
