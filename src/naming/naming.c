/* Learn from captions, and give names by what was learned. */
#include "naming/naming.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "naming/estimate.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Rows as doubles. */
static akin_status take_faces(akin_naming *s, akin_ctx *ctx,
                              const akin_rows *rows)
{
    const int64_t n = akin_rows_count(rows), d = akin_rows_dim(rows);
    akin_status st = AKIN_OK;
    s->d = d;
    AK_TRY(AK_SCRATCH(ctx, n * d, &s->X));
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *columns;
        const float *values;
        const int64_t m = akin_rows_row(&columns, &values, rows, i);
        for (int64_t k = 0; k < m; ++k)
            s->X[i * d + (columns ? columns[k] : k)] = (double)values[k];
    }
done:
    return st;
}

/* The candidate names for learning: by the captions and confirmed names. */
static akin_status narrow(akin_naming *s, akin_ctx *ctx,
                          const akin_face_names *said)
{
    ak_confirmed c = {0};
    ak_bags *bags;
    ak_shared_names *peers;
    akin_status st = AKIN_OK;
    s->candidates = &s->peers;
    if (said == NULL || akin_face_names_count(said) == 0)
        return AKIN_OK;
    AK_TRY(ak_confirmed_take(&c, ctx, s, said));
    AK_TRY(AK_SCRATCH(ctx, 1, &bags));
    AK_TRY(AK_SCRATCH(ctx, 1, &peers));
    AK_TRY(ak_bags_confirmed(bags, ctx, s->peers.bags, &c));
    AK_TRY(ak_shared_names_find(peers, ctx, bags, s->peers.n));
    peers->said = c;
    s->candidates = peers;
done:
    return st;
}

/* The input of a naming: a method with its options, or a model. */
typedef struct naming_input {
    const akin_supervision *captions;
    const akin_face_names *confirmed;
    const ak_naming_method *method;
    const akin_options *options;
    const akin_model *model;
    const char *resumed;  // a file
} naming_input;

static akin_status learn_kept(akin_naming *s, akin_ctx *ctx,
                              const naming_input *from)
{
    const akin_rows *rows = s->data->rows;
    const double start = now();
    akin_status st = AKIN_OK;
    if (from->resumed == NULL) {
        AK_TRY(ak_shared_names_find(&s->peers, ctx, s->data->bags,
                                    akin_rows_count(rows)));
        AK_TRY(take_faces(s, ctx, rows));
        AK_TRY(narrow(s, ctx, from->confirmed));
    }
    s->info.gap = s->info.lambda = s->info.gamma = NAN;
    s->info.rank = -1;
    if (from->resumed != NULL)
        AK_TRY(ak_name_by_resuming(s, ctx, from->resumed));
    else if (from->model != NULL)
        AK_TRY(ak_name_by_model(s, ctx));
    else
        AK_TRY(from->method->learn(s, ctx, from->options));
    s->info.faces = 0;
    for (int64_t j = 0; j < s->peers.n; ++j)
        s->info.faces += s->peers.photo[j] >= 0;
    s->info.photos = s->data->bags->n_photos;
    s->info.names = s->data->bags->n_names;
    s->info.peers = s->peers.start[s->peers.n];
    s->info.seconds = now() - start;
done:
    return st;
}

static akin_status make(akin_naming **out, akin_ctx *ctx,
                        const naming_input *from)
{
    const akin_supervision *captions = from->captions;
    const akin_fused_options fused = AKIN_FUSED_DEFAULTS;
    akin_naming *s = NULL;
    ak_mark mark;
    akin_status st = AKIN_OK;
    if (captions->kind != AKIN_BAGS)
        return ak_fail(ctx, AKIN_EINVAL, "naming requires captions");
    if (akin_rows_count(captions->rows) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "there are no faces to name");
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->data = captions;
    s->method = from->resumed ? fused.head.learner
                : from->model ? akin_model_learner(from->model)
                              : from->method->entry->info.name;
    s->model = from->model;
    s->k = fused.k;
    s->rounds.most = fused.rounds;
    s->theta = NAN;
    s->named = -1;
    AK_TRY(ak_keep_begin(ctx, &mark));
    st = learn_kept(s, ctx, from);
    if (st != AKIN_OK)
        ak_scratch_end(ctx, mark);
    AK_TRY(st);
    s->kept = ak_keep_end(ctx, mark);
    *out = s;
    s = NULL;
done:
    akin_naming_free(s);
    return st;
}

akin_status akin_naming_learn(akin_naming **out, akin_ctx *ctx,
                              const akin_options *options,
                              const akin_supervision *captions,
                              const akin_face_names *confirmed)
{
    const akin_fused_options fused = AKIN_FUSED_DEFAULTS;
    naming_input from = {.captions = captions,
                         .confirmed = confirmed,
                         .options = options ? options : &fused.head};
    akin_status st = AKIN_OK;
    AK_TRY(ak_naming_method_find(&from.method, ctx, from.options->learner));
    AK_TRY(ak_options_check(ctx, from.method->entry, from.options));
    AK_TRY(make(out, ctx, &from));
done:
    return st;
}

akin_status akin_naming_open(akin_naming **out, akin_ctx *ctx,
                             const akin_supervision *captions,
                             const akin_model *model)
{
    const naming_input from = {.captions = captions, .model = model};
    if (akin_model_label_count(model) == 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "a model of kind %s scores no names (expected a "
                       "ranker)",
                       akin_model_kind(model));
    return make(out, ctx, &from);
}

akin_status akin_naming_resume(akin_naming **out, akin_ctx *ctx,
                               const akin_supervision *captions,
                               const char *path)
{
    const naming_input from = {.captions = captions, .resumed = path};
    return make(out, ctx, &from);
}

void akin_naming_get_info(akin_naming_info *out, const akin_naming *s)
{
    *out = s->info;
}

void akin_naming_free(akin_naming *s)
{
    if (s == NULL)
        return;
    ak_keep_free(s->kept);
    ak_resumed_free(s->resumed);
    akin_free(s->prior);
    akin_free(s->quality);
    akin_free(s);
}

const double *akin_naming_coefficients(const akin_naming *s)
{
    return s->W;
}

const char *akin_naming_name(const akin_naming *s, int64_t name)
{
    const ak_bags *b = s->data->bags;
    return name >= 0 && name < b->n_names ? b->name_texts[name] : NULL;
}

const char *akin_naming_photo(const akin_naming *s, int64_t row)
{
    if (row < 0 || row >= s->peers.n || s->peers.photo[row] < 0)
        return NULL;
    return s->data->bags->photos[s->peers.photo[row]];
}

/* ---- names --------------------------------------------------------------- */

static akin_status check_choice(akin_ctx *ctx, const akin_names_options *o)
{
    const int given = !isnan(o->theta) + (o->named_count >= 0) +
                      !isnan(o->real_name_ratio);
    if (given > 1)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`theta`, `named_count` and `real_name_ratio` exclude "
                       "each other");
    if (o->real_name_ratio < 0.0 || o->real_name_ratio > 1.0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`real_name_ratio` %g is out of range (0 to 1)",
                       o->real_name_ratio);
    return AKIN_OK;
}

/* The number of faces to name that was asked for, -1: none. */
static int64_t wanted_of(const akin_naming *s, const akin_names_options *o)
{
    return isnan(o->real_name_ratio)
               ? ak_max_i64(o->named_count, -1)
               : llround(o->real_name_ratio * (double)s->info.faces);
}

/* Is nothing said of how many faces to name? */
static bool is_free(const akin_naming *s, const akin_names_options *o)
{
    return wanted_of(s, o) < 0 && isnan(o->theta) && isnan(s->theta) &&
           s->named < 0;
}

static bool is_fused(const akin_naming *s)
{
    return s->decoys.affinity.values != NULL || s->resumed != NULL;
}

/* The number of faces to name; -1: theta decides. */
static int64_t count_of(const akin_naming *s, const akin_names_options *o)
{
    if (is_free(s, o))
        return is_fused(s)
                   ? -1
                   : llround(o->estimate->ratio * (double)s->info.faces);
    if (wanted_of(s, o) >= 0 || !isnan(o->theta) || !isnan(s->theta))
        return wanted_of(s, o);
    return s->named;
}

/* Where nothing else is possible for a face, the others say what is much. */
static void limit_confidences(const akin_naming *s, double *confidences)
{
    const int64_t n = s->peers.n;
    double most = s->resumed ? ak_resumed_confidence(s->resumed) : 0.0;
    for (int64_t f = 0; s->resumed == NULL && f < n; ++f)
        if (isfinite(confidences[f]))
            most = fmax(most, confidences[f]);
    for (int64_t f = 0; f < n; ++f)
        if (!isfinite(confidences[f]))
            confidences[f] = most;
}

static akin_status give_names(ak_face_labels *out, akin_ctx *ctx,
                              const akin_naming *s, const akin_names_options *o)
{
    ak_assign_options a = {
        .theta = !isnan(o->theta)   ? o->theta
                 : !isnan(s->theta) ? s->theta
                                    : 0.0,
        .count = count_of(s, o),
        .rounds = s->rounds.most,
        .uniform = s->rounds.uniform,
        .minorise = s->rounds.minorise,
        .no_self = s->rounds.no_self,
        .prior = s->prior,
        .quality = s->quality,
    };
    akin_status st = AKIN_OK;
    if (o->confirmed != NULL)
        AK_TRY(ak_confirmed_take(&a.confirmed, ctx, s, o->confirmed));
    AK_TRY(ak_face_labels_new(out, ctx, &s->peers));
    if (is_fused(s)) {
        const ak_scorer odds = ak_estimate_scorer(o->estimate, &s->peers);
        a.prior = NULL;  // is in the estimate
        AK_TRY(ak_label(out, ctx, &odds, &a));
    } else if (a.count >= 0 && s->rounds.one_theta) {
        AK_TRY(ak_label_tuned(out, ctx, &s->affinity, &a, a.count));
    } else {
        AK_TRY(ak_label(out, ctx, &s->scorer, &a));
    }
done:
    return st;
}

akin_status akin_naming_names(int32_t *names, double *confidences,
                              akin_ctx *ctx, const akin_naming *s,
                              const akin_names_options *options,
                              akin_names_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const double start = now();
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    akin_estimate *estimate = NULL;
    ak_face_labels labels;
    akin_status st = AKIN_OK;
    ak_options_take(&o, sizeof o, options);
    AK_TRY(check_choice(ctx, &o));
    if (o.estimate == NULL && (is_fused(s) || is_free(s, &o)))
        AK_TRY(akin_naming_estimate(&estimate, ctx, s, o.confirmed));
    if (estimate != NULL)
        o.estimate = estimate;
    AK_TRY(give_names(&labels, ctx, s, &o));
    for (int64_t f = 0; f < s->peers.n; ++f) {
        names[f] = s->peers.photo[f] < 0                  ? AKIN_IN_NO_PHOTO
                   : labels.labels[f] == s->peers.n_names ? AKIN_NO_NAME
                                                          : labels.labels[f];
        if (confidences != NULL)
            confidences[f] = labels.margins[f];
    }
    if (confidences != NULL)
        limit_confidences(s, confidences);
    if (info != NULL)
        *info = (akin_names_info){labels.theta,
                                  s->info.faces,
                                  labels.named,
                                  labels.reachable,
                                  labels.rounds,
                                  labels.converged,
                                  wanted_of(s, &o),
                                  now() - start,
                                  o.estimate ? o.estimate->ratio : (double)NAN,
                                  o.estimate ? o.estimate->error : (double)NAN};
done:
    akin_estimate_free(estimate);
    ak_scratch_end(ctx, mark);
    return st;
}

/* The probability of a name (< 0: of none) for face f of photo i. */
static double probability_of(const akin_estimate *x, const ak_bags *b,
                             int64_t i, int64_t f, int32_t name)
{
    const int32_t *caption;
    const int64_t r = ak_bags_names(b, i, &caption);
    if (name < 0)
        return ak_estimate_none(x, i, f, r);
    for (int64_t q = 0; q < r; ++q)
        if (caption[q] == name)
            return x->p[x->slots[i] + f * r + q];
    return 0.0;
}

akin_status akin_estimate_probabilities(double *probabilities, akin_ctx *ctx,
                                        const akin_estimate *x,
                                        const akin_naming *s,
                                        const int32_t *names,
                                        const akin_face_names *confirmed)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_bags *b = s->peers.bags;
    ak_confirmed said = {0};
    akin_status st = AKIN_OK;
    if (confirmed != NULL)
        AK_TRY(ak_confirmed_take(&said, ctx, s, confirmed));
    for (int64_t f = 0; f < s->peers.n; ++f)
        probabilities[f] = NAN;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int64_t n = ak_bags_faces(b, i, &faces);
        for (int64_t f = 0; f < n; ++f)
            probabilities[faces[f]] =
                said.fixed != NULL && said.fixed[faces[f]] >= 0
                    ? 1.0
                    : probability_of(x, b, i, f, names[faces[f]]);
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Behind those that are more likely; those that do not fit fall out. */
static void insert_candidate(int32_t *names, double *probabilities, int64_t n,
                             int64_t most, int32_t name, double p)
{
    int64_t k = ak_min_i64(n, most);
    for (; k > 0 && p > probabilities[k - 1]; --k)
        if (k < most) {
            names[k] = names[k - 1];
            probabilities[k] = probabilities[k - 1];
        }
    if (k < most) {
        names[k] = name;
        probabilities[k] = p;
    }
}

int64_t akin_estimate_candidates(int32_t *names, double *probabilities,
                                 const akin_estimate *x, const akin_naming *s,
                                 int64_t row, int64_t most)
{
    const int64_t photo = row >= 0 && row < s->peers.n ? s->peers.photo[row]
                                                       : -1;
    const int64_t *faces;
    const int32_t *caption;
    int64_t f = 0;
    if (photo < 0)
        return 0;
    ak_bags_faces(s->peers.bags, photo, &faces);
    const int64_t r = ak_bags_names(s->peers.bags, photo, &caption);
    while (faces[f] != row)
        ++f;
    for (int64_t q = 0; q < r; ++q)
        insert_candidate(names, probabilities, q, most, caption[q],
                         x->p[x->slots[photo] + f * r + q]);
    insert_candidate(names, probabilities, r, most, AKIN_NO_NAME,
                     ak_estimate_none(x, photo, f, r));
    return r + 1;
}
