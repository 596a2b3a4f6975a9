/* What people and truth say of faces, and names held against it. */
#include <math.h>
#include <string.h>

#include "naming/naming.h"

/* Numbers of the captions for the texts of a list. */
static akin_status match_texts(akin_face_names *f, akin_ctx *ctx,
                               const ak_bags *b)
{
    ak_names known = {0};
    int32_t number;
    akin_status st = AKIN_OK;
    for (int64_t q = 0; q < b->n_names; ++q)
        AK_TRY(ak_names_add(&known, ctx, b->name_texts[q],
                            strlen(b->name_texts[q]), &number));
    AK_TRY(AK_NEW(ctx, f->list.n, &f->names));
    for (int64_t k = 0; k < f->list.n; ++k) {
        const int32_t own = f->list.lines[k].name;
        const char *text = own >= 0 ? f->list.texts.texts[own] : NULL;
        number = text ? ak_names_find(&known, text, strlen(text)) : AK_NO_NAME;
        f->names[k] = text != NULL && number < 0 ? AK_OTHER_NAME : number;
    }
done:
    ak_names_free(&known);
    return st;
}

static akin_status read_from(akin_face_names **out, akin_ctx *ctx,
                             ak_source *source, const ak_bags *bags,
                             int64_t n_rows)
{
    akin_face_names *f = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &f));
    AK_TRY(ak_face_list_read(&f->list, ctx, source, n_rows));
    AK_TRY(match_texts(f, ctx, bags));
    *out = f;
    f = NULL;
done:
    akin_face_names_free(f);
    return st;
}

akin_status ak_face_names_read(akin_face_names **out, akin_ctx *ctx,
                               const char *path, const ak_bags *bags,
                               int64_t n_rows)
{
    ak_source *source = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(read_from(out, ctx, source, bags, n_rows));
done:
    ak_source_close(source);
    return st;
}

akin_status akin_face_names_parse(akin_face_names **out, akin_ctx *ctx,
                                  const char *name, const char *text,
                                  const akin_supervision *captions)
{
    ak_source *source = NULL;
    akin_status st = AKIN_OK;
    if (captions->kind != AKIN_BAGS)
        return ak_fail(ctx, AKIN_EINVAL, "names need captions");
    AK_TRY(ak_source_memory(&source, ctx, name, AK_SOURCE_TEXT, text,
                            strlen(text)));
    AK_TRY(read_from(out, ctx, source, captions->bags,
                     akin_rows_count(captions->rows)));
done:
    ak_source_close(source);
    return st;
}

akin_status akin_face_names_read(akin_face_names **out, akin_ctx *ctx,
                                 const char *path,
                                 const akin_supervision *captions)
{
    if (captions->kind != AKIN_BAGS)
        return ak_fail(ctx, AKIN_EINVAL, "names need captions");
    return ak_face_names_read(out, ctx, path, captions->bags,
                              akin_rows_count(captions->rows));
}

int64_t akin_face_names_count(const akin_face_names *f)
{
    return f->list.n;
}

void akin_face_names_free(akin_face_names *f)
{
    if (f == NULL)
        return;
    ak_face_list_free(&f->list);
    akin_free(f->names);
    akin_free(f);
}

static bool has_name(const ak_bags *b, int64_t photo, int32_t name)
{
    const int32_t *names;
    const int64_t n = ak_bags_names(b, photo, &names);
    for (int64_t k = 0; k < n; ++k)
        if (names[k] == name)
            return true;
    return false;
}

/* A name that a person gave may stand outside the caption. */
static bool is_right(const ak_bags *b, int64_t photo, int32_t name,
                     int32_t truth)
{
    return name == AK_NO_NAME ? !has_name(b, photo, truth)
                              : name >= 0 && name == truth;
}

/* The true name of every face. */
static akin_status take_truth(int32_t *labels, akin_ctx *ctx, int64_t n,
                              const akin_face_names *t)
{
    const ak_face_list *l = &t->list;
    for (int64_t f = 0; f < n; ++f)
        labels[f] = AK_UNTOLD;
    for (int64_t k = 0; k < l->n; ++k) {
        const int64_t face = l->lines[k].face;
        if (l->lines[k].is_not || labels[face] != AK_UNTOLD)
            return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s %" PRId64,
                           l->path, l->lines[k].line,
                           l->lines[k].is_not ? "what is not is no truth; face"
                                              : "a second truth of face",
                           face);
        labels[face] = t->names[k];
    }
    return AKIN_OK;
}

akin_status ak_names_compare(akin_naming_measure *out, akin_ctx *ctx,
                             const ak_bags *bags, const int32_t *photos,
                             int64_t n, const int32_t *names,
                             const akin_face_names *truth)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t right = 0, named = 0, right_named = 0;
    int32_t *labels;
    akin_status st = AKIN_OK;
    *out = (akin_naming_measure){.precision = NAN};
    AK_TRY(AK_SCRATCH(ctx, n, &labels));
    AK_TRY(take_truth(labels, ctx, n, truth));
    for (int64_t f = 0; f < n; ++f) {
        if (photos[f] < 0)
            continue;
        if (labels[f] == AK_UNTOLD)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                           "%s: there is no truth of face %" PRId64,
                           truth->list.path, f));
        const bool is = is_right(bags, photos[f], names[f], labels[f]);
        ++out->faces;
        right += is;
        named += names[f] != AK_NO_NAME;  // by a name that no caption has too
        right_named += is && names[f] >= 0;
    }
    const double all = (double)out->faces;
    out->accuracy = out->faces > 0 ? (double)right / all : NAN;
    out->real_name_ratio = out->faces > 0 ? (double)named / all : NAN;
    if (named > 0)
        out->precision = (double)right_named / (double)named;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_naming_compare(akin_naming_measure *out, akin_ctx *ctx,
                                const akin_naming *s, const int32_t *names,
                                const akin_face_names *truth)
{
    return ak_names_compare(out, ctx, s->peers.bags, s->peers.photo, s->peers.n,
                            names, truth);
}
