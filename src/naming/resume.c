/* Names for photos that come later, by what was learned from those before.
 *
 * A file keeps what the rounds of naming/estimate.c learned from all photos,
 * and how likely each name of each photo is; a photo is known by its checksum.
 * When further photos come, these are asked:
 *
 *   asked    new photos, those that a person has said something else of since,
 *            and those that share a name with the latter
 *   touched  these, and others that share a name with them: names are drawn for
 *            them too, since a new face may tell who is who in an old photo,
 * but what is known of them stays part     these, and others that have a name
 * of theirs: they vote
 *
 * Only the part is computed with. A name of many photos leads to no others: one
 * photo more says little of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "data/captions/bags.h"
#include "data/recipe/recipe.h"
#include "la/dense.h"
#include "naming/estimate.h"
#include "tensors/tensors.h"

enum { SPREAD_MOST = 50 };  // captions of a name that leads to other photos
enum {
    CURVE = AK_VOTES + 7,
    LIKELIHOOD = 2 * AK_VOTES + AK_VOTE_CLASSES * CURVE
};
enum { FOLDS = AK_FOLDS };

static const char kind[] = "naming";

struct ak_resumed {
    ak_tensors *file;  // all arrays below
    akin_recipe *own;  // of the file
    const akin_recipe *recipe;
    ak_basis basis;
    double low, high;      // of affinities
    int64_t d;             // columns of rows
    int64_t n_directions;  // of the covariances
    const double *mean, *M, *b;
    ak_likelihood likelihood;
    const double *rates, *nulls;
    int64_t k;
    double confidence;
    int64_t n_photos;
    const int64_t *photos, *said;  // checksums; photos rising
    const int64_t *first;          // n_photos + 1: into
    const double *shares, *p;
};

void ak_resumed_free(struct ak_resumed *r)
{
    if (r == NULL)
        return;
    akin_recipe_free(r->own);
    ak_tensors_free(r->file);
    akin_free(r);
}

double ak_resumed_confidence(const struct ak_resumed *r)
{
    return r->confidence;
}

/* ---- what a person said of a photo ---- */

static int64_t mix(int64_t sum, uint64_t x)
{
    const uint64_t y = ((uint64_t)sum ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return (int64_t)(y ^ (y >> 29));
}

static int64_t mix_text(int64_t sum, const char *text)
{
    for (; *text != '\0'; ++text)
        sum = mix(sum, (unsigned char)*text);
    return mix(sum, 256);
}

/* 0: nothing was said. */
static int64_t checksum_said(const ak_bags *b, const ak_confirmed *said,
                             int64_t photo)
{
    const int64_t *faces;
    const int64_t n = ak_bags_faces(b, photo, &faces);
    int64_t sum = 0;
    for (int64_t f = 0; f < n; ++f) {
        const int32_t fixed = said->fixed ? said->fixed[faces[f]]
                                          : AK_UNDECIDED;
        if (fixed >= 0)
            sum = mix_text(mix(sum, (uint64_t)f + 1),
                           fixed < b->n_names ? b->name_texts[fixed] : "");
    }
    for (int64_t k = 0; k < said->n_refused; ++k)
        for (int64_t f = 0; f < n; ++f)
            if (said->refused[2 * k] == faces[f])
                sum = mix_text(mix(sum, ~(uint64_t)f),
                               b->name_texts[said->refused[2 * k + 1]]);
    return sum;
}

/* ---- write ---- */

static void pack_likelihood(double out[LIKELIHOOD], const ak_likelihood *l)
{
    double *to = out;
    for (int t = 0; t < AK_VOTES; ++t) {
        *to++ = l->mean[t];
        *to++ = l->by[t];
    }
    for (int k = 0; k < AK_VOTE_CLASSES; ++k) {
        const ak_vote_curve *g = &l->curves[k];
        const double rest[] = {g->mean[0],   g->spread[0], g->mean[1],
                               g->spread[1], g->slope,     g->offset,
                               g->share};
        memcpy(to, g->w, sizeof g->w);
        memcpy(to + AK_VOTES, rest, sizeof rest);
        to += CURVE;
    }
}

static void unpack_likelihood(ak_likelihood *l, const double *from)
{
    for (int t = 0; t < AK_VOTES; ++t) {
        l->mean[t] = *from++;
        l->by[t] = *from++;
    }
    for (int k = 0; k < AK_VOTE_CLASSES; ++k) {
        ak_vote_curve *g = &l->curves[k];
        memcpy(g->w, from, sizeof g->w);
        from += AK_VOTES;
        for (int side = 0; side < 2; ++side) {
            g->mean[side] = *from++;
            g->spread[side] = *from++;
        }
        g->slope = *from++;
        g->offset = *from++;
        g->share = *from++;
    }
}

/* What was learned, of this run or of the file that was resumed. */
static akin_status put_learned(ak_tensors *t, akin_ctx *ctx,
                               const struct ak_resumed *r)
{
    const int64_t d = r->d, n = r->n_directions, c = r->basis.r;
    const ak_tensor all[] = {
        {"directions", AK_DTYPE_F64, 2, {d, c}, r->basis.Q},
        {"singular", AK_DTYPE_F64, 1, {c}, r->basis.s},
        {"affinity", AK_DTYPE_F64, 2, {c, c}, r->basis.A},
        {"mean", AK_DTYPE_F64, 1, {n}, r->mean},
        {"people", AK_DTYPE_F64, 3, {FOLDS, n, n}, r->M},
        {"spread", AK_DTYPE_F64, 2, {FOLDS, n}, r->b},
        {"rates", AK_DTYPE_F64, 1, {AK_NAME_CLASSES}, r->rates},
        {"nulls", AK_DTYPE_F64, 1, {AK_NULLS}, r->nulls},
    };
    double likelihood[LIKELIHOOD];
    pack_likelihood(likelihood, &r->likelihood);
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
        AK_CHECK(ak_tensors_put_copy(t, ctx, all[k]));
    AK_CHECK(ak_tensors_put_copy(
        t, ctx,
        (ak_tensor){"likelihood", AK_DTYPE_F64, 1, {LIKELIHOOD}, likelihood}));
    AK_CHECK(ak_recipe_put(r->recipe, ctx, t, "recipe."));
    AK_CHECK(ak_tensors_note_i64(t, ctx, "fitted", r->likelihood.fitted));
    AK_CHECK(ak_tensors_note_i64(t, ctx, "k", r->k));
    AK_CHECK(ak_tensors_note_f64(t, ctx, "low", r->low));
    AK_CHECK(ak_tensors_note_f64(t, ctx, "high", r->high));
    return ak_tensors_note_f64(t, ctx, "confidence", r->confidence);
}

typedef struct photo_key {
    int64_t key;
    int64_t photo;
} photo_key;

static int by_key(const void *left, const void *right)
{
    const photo_key *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->photo > b->photo) - (a->photo < b->photo);
}

/* Photos by their checksums, rising; scratch memory. */
static akin_status list_keys(photo_key **out, akin_ctx *ctx, const ak_bags *b,
                             const akin_rows *raw)
{
    AK_CHECK(AK_SCRATCH(ctx, ak_max_i64(b->n_photos, 1), out));
    for (int64_t i = 0; i < b->n_photos; ++i)
        (*out)[i] = (photo_key){(int64_t)ak_bags_photo_checksum(b, raw, i), i};
    qsort(*out, (size_t)b->n_photos, sizeof **out, by_key);
    return AKIN_OK;
}

static akin_status put_photos(ak_tensors *t, akin_ctx *ctx,
                              const akin_estimate *x, const akin_naming *s,
                              const akin_rows *raw)
{
    const ak_bags *b = s->peers.bags;
    const int64_t n = b->n_photos, pairs = x->slots[n];
    photo_key *list;
    int64_t *keys, *said, *first;
    double *shares, *p;
    AK_CHECK(list_keys(&list, ctx, b, raw));
    AK_CHECK(AK_SCRATCH(ctx, n, &keys));
    AK_CHECK(AK_SCRATCH(ctx, n, &said));
    AK_CHECK(AK_SCRATCH(ctx, n + 1, &first));
    AK_CHECK(AK_SCRATCH_EACH(ctx, ak_max_i64(pairs, 1), &shares, &p));
    for (int64_t k = 0; k < n; ++k) {
        const int64_t i = list[k].photo, size = x->slots[i + 1] - x->slots[i];
        keys[k] = list[k].key;
        said[k] = checksum_said(b, &x->said, i);
        memcpy(shares + first[k], x->shares + x->slots[i],
               (size_t)size * sizeof *shares);
        memcpy(p + first[k], x->p + x->slots[i], (size_t)size * sizeof *p);
        first[k + 1] = first[k] + size;
    }
    const ak_tensor all[] = {
        {"photos", AK_DTYPE_I64, 1, {n}, keys},
        {"said", AK_DTYPE_I64, 1, {n}, said},
        {"first", AK_DTYPE_I64, 1, {n + 1}, first},
        {"shares", AK_DTYPE_F64, 1, {pairs}, shares},
        {"probabilities", AK_DTYPE_F64, 1, {pairs}, p},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
        AK_CHECK(ak_tensors_put_copy(t, ctx, all[k]));
    return AKIN_OK;
}

/* What this run has learned, in the form of a file. */
static akin_status learned_now(struct ak_resumed *out, akin_ctx *ctx,
                               const akin_estimate *x, const akin_naming *s,
                               const double *confidences)
{
    const ak_face_sums *w = &x->state.who;
    const int64_t n = s->peers.n, d = s->d, r = s->basis.r, m = w->d;
    double *mean, *M, *b, *centre;
    AK_CHECK(AK_SCRATCH(ctx, m, &mean));
    AK_CHECK(AK_SCRATCH(ctx, d, &centre));
    AK_CHECK(AK_SCRATCH(ctx, FOLDS * m * m, &M));
    AK_CHECK(AK_SCRATCH(ctx, FOLDS * m, &b));
    for (int64_t i = 0; i < n; ++i)
        ak_axpy(d, 1.0 / (double)n, s->X + i * d, centre);
    for (int64_t k = 0; k < m; ++k)
        for (int64_t c = 0; c < d; ++c)
            mean[k] += centre[c] * s->basis.Q[c * r + k];
    for (int k = 0; k < FOLDS; ++k) {
        memcpy(M + k * m * m, w->M[k], (size_t)(m * m) * sizeof *M);
        memcpy(b + k * m, w->b[k], (size_t)m * sizeof *b);
    }
    *out = (struct ak_resumed){.recipe = s->data->recipe,
                               .basis = s->basis,
                               .low = s->affinity.low,
                               .high = s->affinity.high,
                               .d = d,
                               .n_directions = m,
                               .mean = mean,
                               .M = M,
                               .b = b,
                               .likelihood = x->state.likelihood,
                               .rates = x->state.rates,
                               .nulls = x->state.log_nulls,
                               .k = s->k};
    for (int64_t i = 0; i < n; ++i)
        out->confidence = fmax(out->confidence, confidences[i]);
    return AKIN_OK;
}

akin_status akin_estimate_save(akin_ctx *ctx, const akin_estimate *x,
                               const akin_naming *s, const akin_rows *raw,
                               const double *confidences, const char *path)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    struct ak_resumed now;
    const struct ak_resumed *learned = s->resumed;
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    if (learned == NULL) {
        if (s->basis.Q == NULL || s->data->recipe == NULL)
            AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                           "only names by fused, of rows with a recipe, can "
                           "be resumed"));
        AK_TRY(learned_now(&now, ctx, x, s, confidences));
        learned = &now;
    }
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(ak_tensors_note(t, ctx, "kind", kind));
    AK_TRY(put_learned(t, ctx, learned));
    AK_TRY(put_photos(t, ctx, x, s, raw));
    AK_TRY(ak_tensors_write(t, ctx, path));
done:
    ak_tensors_free(t);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- read ---- */

static akin_status misfit(const struct ak_resumed *r, akin_ctx *ctx)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: not what was kept of names",
                   ak_tensors_path(r->file));
}

/* An array of these numbers, all finite. */
static akin_status take_reals(const struct ak_resumed *r, akin_ctx *ctx,
                              const char *name, int64_t n_dims,
                              const int64_t *shape, const double **out)
{
    const ak_tensor *x;
    int64_t n = 1;
    AK_CHECK(ak_tensors_need(r->file, ctx, name, AK_DTYPE_F64, n_dims, &x));
    for (int64_t k = 0; k < n_dims; ++k) {
        if (x->shape[k] != shape[k])
            return misfit(r, ctx);
        n *= shape[k];
    }
    *out = x->data;
    for (int64_t k = 0; k < n; ++k)
        if (!isfinite((*out)[k]))
            return misfit(r, ctx);
    return AKIN_OK;
}

static akin_status take_vector(const struct ak_resumed *r, akin_ctx *ctx,
                               const char *name, int64_t n, const double **out)
{
    return take_reals(r, ctx, name, 1, &n, out);
}

static akin_status take_basis(struct ak_resumed *r, akin_ctx *ctx)
{
    const ak_tensor *x;
    const double *Q, *s, *A;
    AK_CHECK(ak_tensors_need(r->file, ctx, "directions", AK_DTYPE_F64, 2, &x));
    const int64_t d = x->shape[0], c = x->shape[1];
    AK_CHECK(take_reals(r, ctx, "directions", 2, x->shape, &Q));
    AK_CHECK(take_vector(r, ctx, "singular", c, &s));
    AK_CHECK(take_reals(r, ctx, "affinity", 2, (int64_t[]){c, c}, &A));
    for (int64_t k = 0; k < c; ++k)
        if (!(s[k] > 0.0))
            return misfit(r, ctx);
    r->d = d;
    r->basis = (ak_basis){c, (double *)Q, (double *)s, (double *)A};
    AK_CHECK(ak_tensors_need_f64(r->file, ctx, "low", &r->low));
    AK_CHECK(ak_tensors_need_f64(r->file, ctx, "high", &r->high));
    return isfinite(r->low) && isfinite(r->high) ? AKIN_OK : misfit(r, ctx);
}

static akin_status take_people(struct ak_resumed *r, akin_ctx *ctx)
{
    const ak_tensor *x;
    AK_CHECK(ak_tensors_need(r->file, ctx, "mean", AK_DTYPE_F64, 1, &x));
    const int64_t n = r->n_directions = x->shape[0];
    if (n > r->basis.r || n > AK_PEOPLE_DIM_MOST)
        return misfit(r, ctx);
    AK_CHECK(take_vector(r, ctx, "mean", n, &r->mean));
    AK_CHECK(take_reals(r, ctx, "people", 3, (int64_t[]){FOLDS, n, n}, &r->M));
    AK_CHECK(take_reals(r, ctx, "spread", 2, (int64_t[]){FOLDS, n}, &r->b));
    for (int64_t k = 0; k < FOLDS * n; ++k)
        if (r->b[k] < 0.0)
            return misfit(r, ctx);
    return AKIN_OK;
}

static akin_status take_votes(struct ak_resumed *r, akin_ctx *ctx)
{
    const double *likelihood;
    int64_t fitted;
    AK_CHECK(take_vector(r, ctx, "likelihood", LIKELIHOOD, &likelihood));
    unpack_likelihood(&r->likelihood, likelihood);
    for (int k = 0; k < AK_VOTE_CLASSES; ++k) {
        const ak_vote_curve *g = &r->likelihood.curves[k];
        if (g->share > 0.0 && !(g->spread[0] > 0.0 && g->spread[1] > 0.0))
            return misfit(r, ctx);
    }
    AK_CHECK(take_vector(r, ctx, "rates", AK_NAME_CLASSES, &r->rates));
    AK_CHECK(take_vector(r, ctx, "nulls", AK_NULLS, &r->nulls));
    AK_CHECK(ak_tensors_need_i64(r->file, ctx, "fitted", &fitted));
    AK_CHECK(ak_tensors_need_i64(r->file, ctx, "k", &r->k));
    AK_CHECK(ak_tensors_need_f64(r->file, ctx, "confidence", &r->confidence));
    r->likelihood.fitted = fitted != 0;
    return r->k > 0 && r->k <= 1000000 && isfinite(r->confidence)
               ? AKIN_OK
               : misfit(r, ctx);
}

static akin_status take_photos(struct ak_resumed *r, akin_ctx *ctx)
{
    const ak_tensor *photos, *said, *first, *shares;
    AK_CHECK(ak_tensors_need(r->file, ctx, "photos", AK_DTYPE_I64, 1, &photos));
    AK_CHECK(ak_tensors_need(r->file, ctx, "said", AK_DTYPE_I64, 1, &said));
    AK_CHECK(ak_tensors_need(r->file, ctx, "first", AK_DTYPE_I64, 1, &first));
    AK_CHECK(ak_tensors_need(r->file, ctx, "shares", AK_DTYPE_F64, 1, &shares));
    const int64_t n = r->n_photos = photos->shape[0], pairs = shares->shape[0];
    if (said->shape[0] != n || first->shape[0] != n + 1)
        return misfit(r, ctx);
    r->photos = photos->data;
    r->said = said->data;
    r->first = first->data;
    AK_CHECK(take_vector(r, ctx, "shares", pairs, &r->shares));
    AK_CHECK(take_vector(r, ctx, "probabilities", pairs, &r->p));
    bool good = r->first[0] == 0 && r->first[n] == pairs;
    for (int64_t k = 0; good && k < n; ++k)
        good = r->first[k] <= r->first[k + 1] &&
               (k == 0 || r->photos[k - 1] <= r->photos[k]);
    for (int64_t k = 0; good && k < pairs; ++k)
        good = r->shares[k] >= 0.0 && r->shares[k] <= 1.0 + 1e-6 &&
               r->p[k] >= 0.0 && r->p[k] <= 1.0 + 1e-6;
    return good ? AKIN_OK : misfit(r, ctx);
}

static akin_status read_file(struct ak_resumed *r, akin_ctx *ctx,
                             const char *path)
{
    AK_CHECK(ak_tensors_read(&r->file, ctx, path));
    AK_CHECK(ak_tensors_need_ours(r->file, ctx));
    const char *word = ak_tensors_get_note(r->file, "kind");
    if (word == NULL || strcmp(word, kind) != 0)
        return misfit(r, ctx);
    AK_CHECK(take_basis(r, ctx));
    AK_CHECK(take_people(r, ctx));
    AK_CHECK(take_votes(r, ctx));
    AK_CHECK(take_photos(r, ctx));
    AK_CHECK(ak_recipe_take(&r->own, ctx, r->file, "recipe."));
    r->recipe = r->own;
    return r->recipe != NULL && akin_recipe_dim(r->recipe) == r->d
               ? AKIN_OK
               : misfit(r, ctx);
}

/* Photos of faces alone: nobody asks who shares a name. */
static akin_status open_peers(akin_naming *s, akin_ctx *ctx)
{
    const ak_bags *b = s->data->bags;
    ak_shared_names *p = &s->peers;
    *p = (ak_shared_names){
        .n = akin_rows_count(s->data->rows), .n_names = b->n_names, .bags = b};
    AK_CHECK(AK_SCRATCH(ctx, p->n, &p->photo));
    AK_CHECK(AK_SCRATCH(ctx, p->n, &p->group));
    AK_CHECK(AK_SCRATCH(ctx, p->n + 1, &p->start));
    AK_CHECK(AK_SCRATCH(ctx, 1, &p->members));
    for (int64_t f = 0; f < p->n; ++f)
        p->photo[f] = p->group[f] = -1;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int64_t n = ak_bags_faces(b, i, &faces);
        for (int64_t k = 0; k < n; ++k)
            p->photo[faces[k]] = (int32_t)i;
    }
    return AKIN_OK;
}

akin_status ak_name_by_resuming(akin_naming *s, akin_ctx *ctx, const char *path)
{
    AK_CHECK(AK_NEW(ctx, 1, &s->resumed));
    AK_CHECK(read_file(s->resumed, ctx, path));
    AK_CHECK(ak_recipe_check(s->resumed->recipe, ctx, s->data->rows));
    AK_CHECK(open_peers(s, ctx));
    s->d = s->resumed->d;
    s->k = s->resumed->k;
    s->info.converged = 1;
    return AKIN_OK;
}

/* ---- which photos ---- */

/* Of each photo. */
typedef struct marks {
    bool *asked, *touched, *part;
    bool *names;  // of the photos so far
} marks;

static akin_status open_marks(marks *m, akin_ctx *ctx, const ak_bags *b)
{
    AK_CHECK(AK_SCRATCH(ctx, ak_max_i64(b->n_photos, 1), &m->asked));
    AK_CHECK(AK_SCRATCH(ctx, ak_max_i64(b->n_photos, 1), &m->touched));
    AK_CHECK(AK_SCRATCH(ctx, ak_max_i64(b->n_photos, 1), &m->part));
    return AK_SCRATCH(ctx, ak_max_i64(b->n_names, 1), &m->names);
}

static void mark_names(const ak_bags *b, const bool *photos, bool *names)
{
    for (int64_t i = 0; i < b->n_photos; ++i)
        for (int64_t m = b->name_offsets[i];
             photos[i] && m < b->name_offsets[i + 1]; ++m)
            names[b->names[m]] = true;
}

/* Adds the photos with a name of `names` that at most `most` captions have. */
static akin_status add_sharing(akin_ctx *ctx, const ak_bags *b,
                               const bool *names, int64_t most, bool *photos)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *captions;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ak_max_i64(b->n_names, 1), &captions));
    for (int64_t m = 0; m < b->name_offsets[b->n_photos]; ++m)
        ++captions[b->names[m]];
    for (int64_t i = 0; i < b->n_photos; ++i)
        for (int64_t m = b->name_offsets[i];
             !photos[i] && m < b->name_offsets[i + 1]; ++m)
            photos[i] = names[b->names[m]] && captions[b->names[m]] <= most;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static int64_t find_key(const struct ak_resumed *r, int64_t key, int64_t size)
{
    int64_t low = 0, high = r->n_photos;
    while (low < high) {
        const int64_t at = low + (high - low) / 2;
        if (r->photos[at] < key)
            low = at + 1;
        else
            high = at;
    }
    return low < r->n_photos && r->photos[low] == key &&
                   r->first[low + 1] - r->first[low] == size
               ? low
               : -1;
}

/* Takes what is known of photos, and marks those that are asked. */
static akin_status mark_asked(akin_estimate *x, akin_ctx *ctx,
                              const akin_naming *s, double *shares, double *p,
                              const marks *m)
{
    const struct ak_resumed *r = s->resumed;
    const ak_bags *b = s->peers.bags;
    bool *told = m->touched;  // until it has its own
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t size = x->slots[i + 1] - x->slots[i];
        const int64_t at = find_key(
            r, (int64_t)ak_bags_photo_checksum(b, s->data->rows, i), size);
        if (at < 0) {
            m->asked[i] = true;
            x->fresh[0] += b->item_offsets[i + 1] - b->item_offsets[i];
            continue;
        }
        memcpy(shares + x->slots[i], r->shares + r->first[at],
               (size_t)size * sizeof *shares);
        memcpy(p + x->slots[i], r->p + r->first[at], (size_t)size * sizeof *p);
        told[i] = checksum_said(b, &x->said, i) != r->said[at];
    }
    mark_names(b, told, m->names);
    AK_CHECK(add_sharing(ctx, b, m->names, SPREAD_MOST, told));
    for (int64_t i = 0; i < b->n_photos; ++i) {
        x->fresh[1] += told[i] && !m->asked[i]
                           ? b->item_offsets[i + 1] - b->item_offsets[i]
                           : 0;
        m->asked[i] |= told[i];
    }
    return AKIN_OK;
}

static akin_status mark_part(akin_ctx *ctx, const ak_bags *b, const marks *m)
{
    memcpy(m->touched, m->asked, (size_t)b->n_photos * sizeof *m->touched);
    mark_names(b, m->asked, m->names);
    AK_CHECK(add_sharing(ctx, b, m->names, SPREAD_MOST, m->touched));
    memcpy(m->part, m->touched, (size_t)b->n_photos * sizeof *m->part);
    mark_names(b, m->touched, m->names);
    return add_sharing(ctx, b, m->names, INT64_MAX, m->part);
}

/* ---- the part ---- */

typedef struct part {
    akin_ctx *ctx;
    const akin_naming *s;
    const akin_estimate *x;
    ak_bags bags;    // names have their numbers
    int64_t *photo;  // of each photo: its number among all
    int64_t *row;    // of each face: the same
    bool *touched;
    int64_t n;   // faces
    double *XQ;  // n x r: the faces in the directions
    ak_shared_names peers;
    ak_confirmed said;
    ak_affinity a;
    double *prior, *quality;
} part;

static int rising(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static int64_t place_of(const part *t, int64_t row)
{
    const int64_t *at = bsearch(&row, t->row, (size_t)t->n, sizeof row, rising);
    return at - t->row;
}

/* Its photos, with faces numbered in the order of their rows. */
static akin_status list_part(part *t, const marks *m)
{
    const ak_bags *b = t->s->peers.bags;
    ak_bags *to = &t->bags;
    int64_t names = 0, photos = 0;
    for (int64_t i = 0; i < b->n_photos; ++i)
        if (m->part[i]) {
            ++photos;
            t->n += b->item_offsets[i + 1] - b->item_offsets[i];
            names += b->name_offsets[i + 1] - b->name_offsets[i];
        }
    to->n_names = b->n_names;
    to->name_texts = b->name_texts;
    AK_CHECK(AK_SCRATCH(t->ctx, photos, &t->photo));
    AK_CHECK(AK_SCRATCH(t->ctx, photos, &t->touched));
    AK_CHECK(AK_SCRATCH(t->ctx, t->n, &t->row));
    AK_CHECK(AK_SCRATCH(t->ctx, photos, &to->photos));
    AK_CHECK(AK_SCRATCH(t->ctx, photos + 1, &to->item_offsets));
    AK_CHECK(AK_SCRATCH(t->ctx, photos + 1, &to->name_offsets));
    AK_CHECK(AK_SCRATCH(t->ctx, t->n, &to->items));
    AK_CHECK(AK_SCRATCH(t->ctx, names, &to->names));
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces, k = to->n_photos;
        const int32_t *caption;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &caption);
        if (!m->part[i])
            continue;
        t->photo[k] = i;
        t->touched[k] = m->touched[i];
        to->photos[k] = b->photos[i];
        for (int64_t f = 0; f < n; ++f)
            to->items[to->item_offsets[k] + f] = faces[f];
        for (int64_t q = 0; q < r; ++q)
            to->names[to->name_offsets[k] + q] = caption[q];
        to->item_offsets[k + 1] = to->item_offsets[k] + n;
        to->name_offsets[k + 1] = to->name_offsets[k] + r;
        ++to->n_photos;
    }
    if (t->n > 0) {
        memcpy(t->row, to->items, (size_t)t->n * sizeof *t->row);
        qsort(t->row, (size_t)t->n, sizeof *t->row, rising);
    }
    for (int64_t f = 0; f < t->n; ++f)
        to->items[f] = place_of(t, to->items[f]);
    return AKIN_OK;
}

/* The faces in the directions of what was learned. */
static akin_status take_faces(part *t)
{
    const struct ak_resumed *r = t->s->resumed;
    akin_rows *raw = NULL, *rows = NULL;
    double *X;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(t->ctx, t->n * r->basis.r, &t->XQ));
    const ak_mark mark = ak_scratch_begin(t->ctx);
    st = AK_SCRATCH(t->ctx, t->n * r->d, &X);
    if (st == AKIN_OK)
        st = akin_rows_select(&raw, t->ctx, t->s->data->rows, t->row, t->n);
    if (st == AKIN_OK)
        st = akin_recipe_apply(&rows, t->ctx, r->recipe, raw);
    for (int64_t i = 0; st == AKIN_OK && i < t->n; ++i) {
        const int32_t *columns;
        const float *values;
        const int64_t n = akin_rows_row(&columns, &values, rows, i);
        for (int64_t k = 0; k < n; ++k)
            X[i * r->d + (columns ? columns[k] : k)] = (double)values[k];
    }
    if (st == AKIN_OK)
        st = ak_gemm(t->ctx, false, false, t->n, r->basis.r, r->d, 1.0, X, r->d,
                     r->basis.Q, r->basis.r, 0.0, t->XQ, r->basis.r);
    ak_scratch_end(t->ctx, mark);
done:
    akin_rows_free(rows);
    akin_rows_free(raw);
    return st;
}

typedef struct affinity_job {
    const part *t;
    const double *V, *VA;  // n x r
} affinity_job;

static akin_status affinity_block(void *arg, int64_t begin, int64_t end,
                                  int64_t worker)
{
    const affinity_job *j = arg;
    const part *t = j->t;
    const struct ak_resumed *x = t->s->resumed;
    const int64_t r = x->basis.r;
    const double by = x->high > x->low ? 1.0 / (x->high - x->low) : 0.0;
    (void)worker;
    for (int64_t f = begin; f < end; ++f) {
        const int32_t *peers;
        const int64_t n = ak_shared_names_get(&t->peers, f, &peers);
        double *out = t->a.values + t->peers.start[f];
        for (int64_t k = 0; t->touched[t->peers.photo[f]] && k < n; ++k)
            out[k] = fmax(
                0.0,
                by * (ak_dot(r, j->VA + f * r, j->V + peers[k] * r) - x->low));
    }
    return AKIN_OK;
}

static akin_status take_affinities(part *t)
{
    enum { BLOCK = 64 };
    const ak_basis *b = &t->s->resumed->basis;
    affinity_job j = {.t = t};
    double *V, *VA;
    akin_status st = AKIN_OK;
    AK_TRY(ak_shared_names_find(&t->peers, t->ctx, &t->bags, t->n));
    AK_TRY(ak_affinity_new(&t->a, t->ctx, &t->peers));
    const ak_mark mark = ak_scratch_begin(t->ctx);
    st = AK_SCRATCH_EACH(t->ctx, ak_max_i64(t->n * b->r, 1), &V, &VA);
    if (st == AKIN_OK) {
        for (int64_t k = 0; k < t->n * b->r; ++k)
            V[k] = t->XQ[k] / b->s[k % b->r];
        st = ak_gemm(t->ctx, false, false, t->n, b->r, b->r, 1.0, V, b->r, b->A,
                     b->r, 0.0, VA, b->r);
        j.V = V;
        j.VA = VA;
    }
    if (st == AKIN_OK)
        st = ak_parallel_for(t->ctx, t->n, BLOCK, affinity_block, &j);
    ak_scratch_end(t->ctx, mark);
done:
    return st;
}

/* What people said, by the numbers of faces in the part. */
static akin_status take_said(part *t)
{
    const ak_confirmed *all = &t->x->said;
    int32_t *fixed, *refused;
    int64_t n = 0;
    AK_CHECK(AK_SCRATCH(t->ctx, t->n, &fixed));
    AK_CHECK(AK_SCRATCH(t->ctx, ak_max_i64(2 * all->n_refused, 1), &refused));
    for (int64_t f = 0; f < t->n; ++f)
        fixed[f] = all->fixed ? all->fixed[t->row[f]] : AK_UNDECIDED;
    for (int64_t k = 0; k < all->n_refused; ++k) {
        const int64_t row = all->refused[2 * k];
        if (bsearch(&row, t->row, (size_t)t->n, sizeof row, rising) == NULL)
            continue;
        refused[2 * n] = (int32_t)place_of(t, row);
        refused[2 * n + 1] = all->refused[2 * k + 1];
        ++n;
    }
    t->said = (ak_confirmed){fixed, refused, n};
    return AKIN_OK;
}

static akin_status take_quality(part *t)
{
    if (t->s->quality == NULL)
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(t->ctx, t->n, &t->quality));
    for (int64_t f = 0; f < t->n; ++f)
        t->quality[f] = t->s->quality[t->row[f]];
    return AKIN_OK;
}

/* Numbers of a photo, its faces by its names. */
static void copy_photo(const part *t, const ak_estimation *e, int64_t k,
                       const double *from, double *to)
{
    const int64_t i = t->photo[k];
    memcpy(to + e->slots[k], from + t->x->slots[i],
           (size_t)(e->slots[k + 1] - e->slots[k]) * sizeof *to);
}

static akin_status run_part(part *t, ak_estimation *e, const marks *m)
{
    const struct ak_resumed *r = t->s->resumed;
    AK_CHECK(ak_estimation_open(e));
    AK_CHECK(ak_people_resume(e, r->basis.r, t->XQ, r->n_directions, r->mean,
                              r->M, r->b));
    if (t->s->prior != NULL)
        AK_CHECK(AK_SCRATCH(t->ctx, e->n_slots, &t->prior));
    for (int64_t k = 0; k < t->bags.n_photos; ++k) {
        copy_photo(t, e, k, t->x->shares, e->p);
        copy_photo(t, e, k, t->x->shares, e->z);
        if (t->prior != NULL)
            copy_photo(t, e, k, t->s->prior, t->prior);
    }
    e->prior = t->prior;
    memcpy(e->rates, r->rates, sizeof e->rates);
    memcpy(e->log_nulls, r->nulls, sizeof e->log_nulls);
    e->likelihood = r->likelihood;
    e->touched = t->touched;
    e->wanted = m->names;
    return ak_estimation_continue(e);
}

/* Names for the photos that are asked. */
static akin_status name_part(akin_ctx *ctx, const akin_estimate *x,
                             const akin_naming *s, double *shares, double *p,
                             const marks *m)
{
    static const ak_decoys none = {0};
    const ak_mark mark = ak_scratch_begin(ctx);
    part t = {.ctx = ctx, .s = s, .x = x};
    ak_estimation e = {.ctx = ctx,
                       .peers = &t.peers,
                       .b = &t.bags,
                       .said = &t.said,
                       .a = &t.a,
                       .decoys = &none,
                       .k = s->k,
                       .heed = 1.0,
                       .fold = -1,
                       .given = true};
    akin_status st = AKIN_OK;
    AK_TRY(list_part(&t, m));
    if (t.n == 0)
        goto done;
    AK_TRY(take_faces(&t));
    AK_TRY(take_affinities(&t));
    AK_TRY(take_said(&t));
    AK_TRY(take_quality(&t));
    e.quality = t.quality;
    AK_TRY(run_part(&t, &e, m));
    for (int64_t k = 0; k < t.bags.n_photos; ++k) {
        const int64_t i = t.photo[k];
        const size_t size = (size_t)(e.slots[k + 1] - e.slots[k]);
        if (m->asked[i]) {
            memcpy(shares + x->slots[i], e.mean[0] + e.slots[k],
                   size * sizeof *shares);
            memcpy(p + x->slots[i], e.mean[1] + e.slots[k], size * sizeof *p);
        }
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- an estimate ---- */

static akin_status find_slots(akin_estimate *x, akin_ctx *ctx,
                              const akin_naming *s, double **shares, double **p)
{
    const ak_bags *b = s->peers.bags;
    int64_t *slots;
    AK_CHECK(AK_SCRATCH(ctx, b->n_photos + 1, &slots));
    for (int64_t i = 0; i < b->n_photos; ++i)
        slots[i + 1] = slots[i] +
                       (b->item_offsets[i + 1] - b->item_offsets[i]) *
                           (b->name_offsets[i + 1] - b->name_offsets[i]);
    AK_CHECK(
        AK_SCRATCH_EACH(ctx, ak_max_i64(slots[b->n_photos], 1), shares, p));
    x->slots = x->state.slots = slots;
    x->shares = *shares;
    x->p = *p;
    return AKIN_OK;
}

static akin_status resume_kept(akin_estimate *x, akin_ctx *ctx,
                               const akin_naming *s,
                               const akin_face_names *confirmed)
{
    double *shares, *p;
    marks m;
    ak_confirmed said = {0};
    akin_status st = AKIN_OK;
    AK_TRY(find_slots(x, ctx, s, &shares, &p));
    const ak_mark mark = ak_scratch_begin(ctx);
    if (confirmed != NULL)
        st = ak_confirmed_take(&said, ctx, s, confirmed);
    if (st == AKIN_OK)
        st = ak_estimate_take_said(x, ctx, &said);
    if (st == AKIN_OK)
        st = open_marks(&m, ctx, s->peers.bags);
    if (st == AKIN_OK)
        st = mark_asked(x, ctx, s, shares, p, &m);
    if (st == AKIN_OK)
        st = mark_part(ctx, s->peers.bags, &m);
    if (st == AKIN_OK)
        st = name_part(ctx, x, s, shares, p, &m);
    ak_scratch_end(ctx, mark);
    if (st == AKIN_OK)
        ak_estimate_set_ratio(x);
done:
    return st;
}

akin_status ak_estimate_resumed(akin_estimate **out, akin_ctx *ctx,
                                const akin_naming *s,
                                const akin_face_names *confirmed)
{
    akin_estimate *x = NULL;
    ak_mark mark;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &x));
    x->state = (ak_estimation){.ctx = ctx,
                               .peers = &s->peers,
                               .b = s->peers.bags,
                               .said = &x->said,
                               .prior = s->prior};
    AK_TRY(ak_keep_begin(ctx, &mark));
    st = resume_kept(x, ctx, s, confirmed);
    if (st != AKIN_OK)
        ak_scratch_end(ctx, mark);
    AK_TRY(st);
    x->kept = ak_keep_end(ctx, mark);
    *out = x;
    x = NULL;
done:
    akin_estimate_free(x);
    return st;
}

void akin_estimate_fresh(int64_t *in_new, int64_t *in_others,
                         const akin_estimate *x, const akin_naming *s)
{
    *in_new = s->resumed ? x->fresh[0] : s->info.faces;
    *in_others = x->fresh[1];
}
