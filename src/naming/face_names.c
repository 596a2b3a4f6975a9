/* What a person or the truth says of faces: read, taken as labels and refusals,
 * and names compared with it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/captions/bags.h"
#include "data/captions/folded_names.h"
#include "naming/naming.h"

/* A name for all that the captions have not, as they have theirs. */
static akin_status add_to_captions(akin_ctx *ctx, ak_bags *b, const char *text)
{
    char *copy;
    AK_CHECK(ak_strdup(ctx, text, &copy));
    const akin_status st =
        ak_resize(ctx, b->n_names + 1, sizeof *b->name_texts, &b->name_texts);
    if (st != AKIN_OK) {
        akin_free(copy);
        return st;
    }
    b->name_texts[b->n_names++] = copy;
    return AKIN_OK;
}

/* Numbers of the captions for the texts of a list. Names that no caption has
 * are added to `widened`, where that is not NULL. */
static akin_status match_texts(akin_face_names *f, akin_ctx *ctx,
                               const ak_bags *b, ak_bags *widened)
{
    ak_folded_names known = {0};
    int32_t number;
    akin_status st = AKIN_OK;
    for (int64_t q = 0; q < b->n_names; ++q)
        AK_TRY(ak_folded_names_add(&known, ctx, b->name_texts[q],
                                   strlen(b->name_texts[q]), &number));
    AK_TRY(AK_NEW(ctx, f->list.n, &f->names));
    for (int64_t k = 0; k < f->list.n; ++k) {
        const int32_t own = f->list.lines[k].name;
        const char *text = own >= 0 ? f->list.texts.texts[own] : NULL;
        number = AK_NO_NAME;
        if (text != NULL)
            AK_TRY(
                ak_folded_names_find(&known, ctx, text, strlen(text), &number));
        if (text != NULL && number < 0 && widened != NULL &&
            !f->list.lines[k].is_not) {
            AK_TRY(add_to_captions(ctx, widened, text));
            AK_TRY(
                ak_folded_names_add(&known, ctx, text, strlen(text), &number));
        }
        f->names[k] = text != NULL && number < 0 ? AK_OTHER_NAME : number;
    }
done:
    ak_folded_names_free(&known);
    return st;
}

akin_status ak_face_names_weights(akin_face_names **out, akin_ctx *ctx,
                                  ak_source *source, const ak_bags *bags,
                                  int64_t n_rows)
{
    akin_face_names *f = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &f));
    AK_TRY(ak_face_list_weights(&f->list, ctx, source, n_rows));
    AK_TRY(match_texts(f, ctx, bags, NULL));
    *out = f;
    f = NULL;
done:
    akin_face_names_free(f);
    return st;
}

static akin_status read_from(akin_face_names **out, akin_ctx *ctx,
                             ak_source *source, const ak_bags *bags,
                             int64_t n_rows, ak_bags *widened)
{
    akin_face_names *f = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &f));
    AK_TRY(ak_face_list_read(&f->list, ctx, source, n_rows));
    AK_TRY(match_texts(f, ctx, bags, widened));
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
    AK_TRY(read_from(out, ctx, source, bags, n_rows, NULL));
done:
    ak_source_close(source);
    return st;
}

static akin_status parse(akin_face_names **out, akin_ctx *ctx, const char *name,
                         const char *text, const akin_supervision *captions,
                         ak_bags *widened)
{
    ak_source *source = NULL;
    akin_status st = AKIN_OK;
    if (captions->kind != AKIN_BAGS)
        return ak_fail(ctx, AKIN_EINVAL, "naming requires captions");
    AK_TRY(ak_source_memory(&source, ctx, name, AK_SOURCE_TEXT, text,
                            strlen(text)));
    AK_TRY(read_from(out, ctx, source, captions->bags,
                     akin_rows_count(captions->rows), widened));
done:
    ak_source_close(source);
    return st;
}

akin_status akin_face_names_parse(akin_face_names **out, akin_ctx *ctx,
                                  const char *name, const char *text,
                                  const akin_supervision *captions)
{
    return parse(out, ctx, name, text, captions, NULL);
}

/* Which rows are faces of a photo. */
static akin_status find_pictured(bool **out, akin_ctx *ctx, const ak_bags *b,
                                 int64_t n_rows)
{
    AK_CHECK(AK_SCRATCH(ctx, n_rows + 1, out));
    for (int64_t photo = 0; photo < b->n_photos; ++photo) {
        const int64_t *faces;
        const int64_t n = ak_bags_faces(b, photo, &faces);
        for (int64_t k = 0; k < n; ++k)
            (*out)[faces[k]] = true;
    }
    return AKIN_OK;
}

/* A name that is in no caption and given to nobody need not be refused, and
 * faces of photos that were left out are not named. */
static void drop_needless(akin_face_names *f, const bool *pictured)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < f->list.n; ++k) {
        const ak_face_line *x = &f->list.lines[k];
        if ((f->names[k] == AK_OTHER_NAME && x->is_not) || !pictured[x->face])
            continue;
        f->list.lines[kept] = *x;
        f->names[kept++] = f->names[k];
    }
    f->list.n = kept;
}

akin_status akin_face_names_said(akin_face_names **out, akin_ctx *ctx,
                                 akin_supervision *captions, const char *name,
                                 const char *text)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    bool *pictured;
    akin_status st = AKIN_OK;
    *out = NULL;
    AK_TRY(parse(out, ctx, name, text, captions, captions->bags));
    AK_TRY(find_pictured(&pictured, ctx, captions->bags,
                         akin_rows_count(captions->rows)));
    drop_needless(*out, pictured);
done:
    if (st != AKIN_OK) {
        akin_face_names_free(*out);
        *out = NULL;
    }
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_face_names_read(akin_face_names **out, akin_ctx *ctx,
                                 const char *path,
                                 const akin_supervision *captions)
{
    if (captions->kind != AKIN_BAGS)
        return ak_fail(ctx, AKIN_EINVAL, "naming requires captions");
    return ak_face_names_read(out, ctx, path, captions->bags,
                              akin_rows_count(captions->rows));
}

akin_status akin_face_names_confirm(akin_face_names **out, akin_ctx *ctx,
                                    akin_supervision *captions,
                                    const char *path)
{
    ak_source *source = NULL;
    akin_status st = AKIN_OK;
    if (captions->kind != AKIN_BAGS)
        return ak_fail(ctx, AKIN_EINVAL, "naming requires captions");
    AK_TRY(ak_source_open(&source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(read_from(out, ctx, source, captions->bags,
                     akin_rows_count(captions->rows), captions->bags));
done:
    ak_source_close(source);
    return st;
}

int64_t akin_face_names_line(const char **name, const akin_face_names *f,
                             int64_t k)
{
    const int32_t own = f->list.lines[k].name;
    *name = own >= 0 ? f->list.texts.texts[own] : NULL;
    return f->list.lines[k].face;
}

int akin_face_names_says(const akin_face_names *f, int64_t k, int32_t name)
{
    return f->names[k] == name && !f->list.lines[k].is_not;
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

/* ---- of a person --------------------------------------------------------- */

static int by_face(const void *left, const void *right)
{
    const int32_t *a = left, *b = right;
    for (int k = 0; k < 2; ++k)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* A name can go to one face of a photo only. */
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

/* A face must not be confirmed and refused for the same name, of those that
 * were learned. */
static akin_status check_refused(akin_ctx *ctx, const akin_face_names *c,
                                 const int32_t *fixed, int32_t n_names)
{
    const ak_face_list *l = &c->list;
    for (int64_t k = 0; k < l->n; ++k)
        if (l->lines[k].is_not && c->names[k] < n_names &&
            fixed[l->lines[k].face] == c->names[k])
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s:%" PRId64
                           ": another line says that the face has this name",
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
        const bool later = c->names[k] >= null;  // than what was learned
        const int32_t name = c->names[k] == AK_NO_NAME || later ? null
                                                                : c->names[k];
        if (later && x->is_not)
            continue;
        const char *wrong =
            s->peers.photo[x->face] < 0 ? "the face is in no photo"
            : name == null && x->is_not ? "is-not needs a name"
            : !x->is_not && fixed[x->face] >= 0 && fixed[x->face] != name
                ? "an earlier line gives the face another name"
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
    AK_TRY(check_refused(ctx, c, fixed, null));
    if (out->n_refused > 0)
        qsort(refused, (size_t)out->n_refused, 2 * sizeof *refused, by_face);
    out->fixed = fixed;
    out->refused = refused;
done:
    return st;
}

/* ---- names and the truth ------------------------------------------------- */

static bool has_name(const ak_bags *b, int64_t photo, int32_t name)
{
    const int32_t *names;
    const int64_t n = ak_bags_names(b, photo, &names);
    for (int64_t k = 0; k < n; ++k)
        if (names[k] == name)
            return true;
    return false;
}

/* A name that a person gave need not be in the caption. */
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
                           l->lines[k].is_not
                               ? "the truth takes no is-not: face"
                               : "a second true name for face",
                           face);
        labels[face] = t->names[k];
    }
    return AKIN_OK;
}

/* One named face more, in the bin of its probability (NAN: none). */
static void add_to_bins(akin_reliability *bins, double probability, bool right)
{
    if (isnan(probability))
        return;
    const int64_t at =
        ak_min_i64((int64_t)(probability * AKIN_RELIABILITY_BINS + 1e-6),
                   AKIN_RELIABILITY_BINS - 1);
    bins[at].probability += probability;
    bins[at].right += right;
    ++bins[at].faces;
}

/* The bins that have faces, with means for sums, and the calibration error. */
static void close_bins(akin_naming_measure *out, const akin_reliability *bins)
{
    double sum = 0.0, all = 0.0;
    for (int b = 0; b < AKIN_RELIABILITY_BINS; ++b) {
        const double n = (double)bins[b].faces;
        if (bins[b].faces == 0)
            continue;
        out->reliability[out->n_reliability++] = (akin_reliability){
            bins[b].probability / n, bins[b].right / n, bins[b].faces};
        sum += fabs(bins[b].probability - bins[b].right);
        all += n;
    }
    out->calibration_error = all > 0.0 ? sum / all : NAN;
}

akin_status ak_names_compare(akin_naming_measure *out, akin_ctx *ctx,
                             const ak_bags *bags, const int32_t *photos,
                             int64_t n, const int32_t *names,
                             const double *probabilities,
                             const akin_face_names *truth)
{
    akin_reliability bins[AKIN_RELIABILITY_BINS] = {{0}};
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t right = 0, named = 0, right_named = 0;
    int32_t *labels;
    akin_status st = AKIN_OK;
    *out = (akin_naming_measure){.precision = NAN, .calibration_error = NAN};
    AK_TRY(AK_SCRATCH(ctx, n, &labels));
    AK_TRY(take_truth(labels, ctx, n, truth));
    for (int64_t f = 0; f < n; ++f) {
        if (photos[f] < 0)
            continue;
        if (labels[f] == AK_UNTOLD)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                           "%s: no true name for face %" PRId64,
                           truth->list.path, f));
        const bool is = is_right(bags, photos[f], names[f], labels[f]);
        ++out->faces;
        right += is;
        named += names[f] != AK_NO_NAME;  // by a name that no caption has too
        right_named += is && names[f] >= 0;
        if (probabilities != NULL && names[f] != AK_NO_NAME)
            add_to_bins(bins, probabilities[f], is);
    }
    const double all = (double)out->faces;
    out->accuracy = out->faces > 0 ? (double)right / all : NAN;
    out->real_name_ratio = out->faces > 0 ? (double)named / all : NAN;
    if (named > 0)
        out->precision = (double)right_named / (double)named;
    close_bins(out, bins);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_naming_compare(akin_naming_measure *out, akin_ctx *ctx,
                                const akin_naming *s, const int32_t *names,
                                const akin_face_names *truth)
{
    return ak_names_compare(out, ctx, s->peers.bags, s->peers.photo, s->peers.n,
                            names, NULL, truth);
}
