/* What a person has said of faces, as labels and refusals. */
#include <stdlib.h>

#include "naming/naming.h"

static int by_face(const void *left, const void *right)
{
    const int32_t *a = left, *b = right;
    for (int k = 0; k < 2; ++k)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* A name can be one face's of a photo only. */
static akin_status check_photo(akin_ctx *ctx, const akin_naming *s,
                               const ak_face_list *l, int64_t line,
                               const int32_t *fixed)
{
    const int64_t face = l->lines[line].face, *faces;
    const int64_t n =
        ak_bags_faces(s->peers.bags, s->peers.photo[face], &faces);
    for (int64_t k = 0; k < n; ++k)
        if (faces[k] != face && fixed[faces[k]] == fixed[face] &&
            fixed[face] < s->peers.n_names)
            return ak_fail(
                ctx, AKIN_EFORMAT,
                "%s:%" PRId64 ": two faces of a photo cannot both be \"%s\"",
                l->path, l->lines[line].line, akin_naming_name(s, fixed[face]));
    return AKIN_OK;
}

/* No face is said to be and not to be the same. */
static akin_status check_refused(akin_ctx *ctx, const akin_face_names *c,
                                 const int32_t *fixed)
{
    const ak_face_list *l = &c->list;
    for (int64_t k = 0; k < l->n; ++k)
        if (l->lines[k].is_not && fixed[l->lines[k].face] == c->names[k])
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s:%" PRId64 ": the face is said to be this too",
                           l->path, l->lines[k].line);
    return AKIN_OK;
}

akin_status ak_confirmed_take(ak_confirmed *out, akin_ctx *ctx,
                              const akin_naming *s, const akin_face_names *c)
{
    const ak_face_list *l = &c->list;
    const int32_t null = (int32_t)s->peers.n_names;
    int32_t *fixed, *refused;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->peers.n, &fixed));
    AK_TRY(AK_SCRATCH(ctx, 2 * l->n, &refused));
    for (int64_t f = 0; f < s->peers.n; ++f)
        fixed[f] = AK_UNDECIDED;
    for (int64_t k = 0; k < l->n; ++k) {
        const ak_face_line *x = &l->lines[k];
        const int32_t name = c->names[k] == AK_NO_NAME ? null : c->names[k];
        const char *wrong =
            s->peers.photo[x->face] < 0 ? "the face is in no photo"
            : name == null && x->is_not ? "is-not needs a name"
            : !x->is_not && fixed[x->face] >= 0 && fixed[x->face] != name
                ? "the face was said to be another before"
                : NULL;
        if (wrong == NULL && name == AK_OTHER_NAME)
            AK_TRY(ak_fail(
                ctx, AKIN_EFORMAT,
                "%s:%" PRId64 ": no caption%s has the name \"%.80s\"", l->path,
                x->line, s->model ? " (or model, without captions)" : "",
                l->texts.texts[x->name]));
        if (wrong != NULL)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s", l->path,
                           x->line, wrong));
        if (!x->is_not) {
            fixed[x->face] = name;
            AK_TRY(check_photo(ctx, s, l, k, fixed));
        } else {
            refused[2 * out->n_refused] = (int32_t)x->face;
            refused[2 * out->n_refused++ + 1] = name;
        }
    }
    AK_TRY(check_refused(ctx, c, fixed));
    if (out->n_refused > 0)
        qsort(refused, (size_t)out->n_refused, 2 * sizeof *refused, by_face);
    out->fixed = fixed;
    out->refused = refused;
done:
    return st;
}
