/* Cases of naming: faces, photos and captions stand under "inputs". */
#include <math.h>

#include "learn/captions/margins.h"
#include "naming/naming.h"
#include "opt/assign.h"
#include "run_case.h"
#include "run_case_naming.h"

static const json_t *input(const json_t *in, const char *key)
{
    return json_object_get(json_object_get(in, "inputs"), key);
}

akin_status case_input_matrix(double **A, int64_t *m, int64_t *n, akin_ctx *ctx,
                              const json_t *in, const char *key)
{
    const json_t *list = input(in, key);
    if (list == NULL)
        return ak_fail(ctx, AKIN_EFORMAT, "the case has no '%s'", key);
    *m = (int64_t)json_array_size(list);
    return case_matrix(A, n, ctx, list, *m);
}

akin_status case_faces(double **out, int64_t *n, int64_t *d, akin_ctx *ctx,
                       const json_t *in)
{
    double *X;
    akin_status st = AKIN_OK;
    AK_TRY(case_input_matrix(&X, d, n, ctx, in, "X"));
    AK_TRY(AK_SCRATCH(ctx, *n * *d, out));
    for (int64_t k = 0; k < *n * *d; ++k)
        (*out)[k] = X[k % *d * *n + k / *d];
done:
    return st;
}

static int64_t int_at(const json_t *list, int64_t i)
{
    return json_integer_value(json_array_get(list, (size_t)i));
}

/* Photos as the case's "img" (of each face) and "names" (of each photo). */
static akin_status fill_bags(ak_bags *b, akin_ctx *ctx, const json_t *img,
                             const json_t *names)
{
    const int64_t n = (int64_t)json_array_size(img);
    int64_t at = 0, tag = 0, total = 0;
    akin_status st = AKIN_OK;
    b->n_photos = (int64_t)json_array_size(names);
    for (int64_t i = 0; i < b->n_photos; ++i)
        total += (int64_t)json_array_size(json_array_get(names, (size_t)i));
    AK_TRY(AK_SCRATCH(ctx, b->n_photos + 1, &b->item_offsets));
    AK_TRY(AK_SCRATCH(ctx, b->n_photos + 1, &b->name_offsets));
    AK_TRY(AK_SCRATCH(ctx, n, &b->items));
    AK_TRY(AK_SCRATCH(ctx, total, &b->names));
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const json_t *row = json_array_get(names, (size_t)i);
        for (int64_t f = 0; f < n; ++f)
            if (int_at(img, f) == i)
                b->items[at++] = f;
        for (int64_t k = 0; k < (int64_t)json_array_size(row); ++k)
            b->names[tag++] = (int32_t)int_at(row, k);
        b->item_offsets[i + 1] = at;
        b->name_offsets[i + 1] = tag;
    }
done:
    return st;
}

akin_status case_peers(ak_shared_names *out, ak_bags *bags, akin_ctx *ctx,
                       const json_t *in)
{
    const json_t *img = input(in, "img"), *names = input(in, "names");
    akin_status st = AKIN_OK;
    bags->n_names = (int64_t)case_param(in, "p");
    for (size_t i = 0; i < json_array_size(names); ++i) {
        const json_t *row = json_array_get(names, i);
        for (int64_t k = 0; k < (int64_t)json_array_size(row); ++k)
            bags->n_names = ak_max_i64(bags->n_names, int_at(row, k) + 1);
    }
    AK_TRY(fill_bags(bags, ctx, img, names));
    AK_TRY(ak_shared_names_find(out, ctx, bags, (int64_t)json_array_size(img)));
done:
    return st;
}

/* n faces in one photo with one name: all are peers. */
static akin_status all_peers(ak_shared_names *out, ak_bags *b, akin_ctx *ctx,
                             int64_t n)
{
    akin_status st = AKIN_OK;
    b->n_photos = b->n_names = 1;
    AK_TRY(AK_SCRATCH(ctx, 2, &b->item_offsets));
    AK_TRY(AK_SCRATCH(ctx, 2, &b->name_offsets));
    AK_TRY(AK_SCRATCH(ctx, n, &b->items));
    AK_TRY(AK_SCRATCH(ctx, 1, &b->names));
    for (int64_t i = 0; i < n; ++i)
        b->items[i] = i;
    b->item_offsets[1] = n;
    b->name_offsets[1] = 1;
    AK_TRY(ak_shared_names_find(out, ctx, b, n));
done:
    return st;
}

static akin_status put_integers(akin_ctx *ctx, json_t *out, const char *key,
                                int64_t n, const int32_t *values)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n; ++i)
        json_array_append_new(list, json_integer(values[i]));
    if (json_object_set_new(out, key, list) != 0)
        return ak_nomem(ctx, 0);
    return AKIN_OK;
}

static void put_integer(json_t *out, const char *key, int64_t value)
{
    json_object_set_new(out, key, json_integer(value));
}

/* ---- one photo ------------------------------------------------------------
 */

typedef struct small {
    double *score, *none;
    int32_t *labels;
    ak_assign_room *assign;
    ak_infeasible_room *infeasible;
} small;

static akin_status small_room(small *s, akin_ctx *ctx, const ak_photo *x)
{
    const int64_t n = x->n, r = x->n_caption;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * r, &s->score));
    AK_TRY(AK_SCRATCH(ctx, n, &s->none));
    AK_TRY(AK_SCRATCH(ctx, n, &s->labels));
    AK_TRY(ak_assign_rooms(&s->assign, ctx, 1, n, r));
    AK_TRY(ak_infeasible_rooms(&s->infeasible, ctx, 1, n, x->p, r));
done:
    return st;
}

/* The least distance of labels that fit. */
static double feasible(const ak_photo *x, const small *s)
{
    const int64_t r = x->n_caption;
    const ak_assignment a = {x->n, r, r, s->score, s->none};
    for (int64_t f = 0; f < x->n; ++f) {
        s->none[f] = -x->D[f * x->stride + x->p];
        for (int64_t q = 0; q < r; ++q)
            s->score[f * r + q] = -x->D[f * x->stride + x->caption[q]];
    }
    const double total = ak_assign(&a, s->labels, s->assign);
    for (int64_t f = 0; f < x->n; ++f)
        s->labels[f] = s->labels[f] < 0 ? (int32_t)x->p
                                        : x->caption[s->labels[f]];
    return -total;
}

akin_status case_asml_image(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const json_t *list = input(in, "cand");
    ak_photo x = {.p = (int64_t)case_param(in, "p")};
    double *D = NULL;
    int32_t *caption = NULL;
    small s;
    akin_status st = AKIN_OK;
    AK_TRY(case_input_matrix(&D, &x.n, &x.stride, ctx, in, "D"));
    x.D = D;
    x.n_caption = (int64_t)json_array_size(list);
    AK_TRY(AK_SCRATCH(ctx, x.n_caption, &caption));
    for (int64_t k = 0; k < x.n_caption; ++k)
        caption[k] = (int32_t)int_at(list, k);
    x.caption = caption;
    AK_TRY(small_room(&s, ctx, &x));
    const double least = feasible(&x, &s);
    AK_TRY(case_put_number(ctx, out, "feasible_min", least));
    AK_TRY(put_integers(ctx, out, "feasible_labels", x.n, s.labels));
    const double most = ak_infeasible_max(&x, s.labels, s.infeasible);
    json_object_set_new(out, "infeasible_exists", json_boolean(isfinite(most)));
    if (!isfinite(most))
        goto done;
    AK_TRY(case_put_number(ctx, out, "infeasible_max", most));
    put_integer(out, "ell", ak_infeasible_loss(&x, s.labels, s.infeasible));
    AK_TRY(put_integers(ctx, out, "infeasible_labels", x.n, s.labels));
    AK_TRY(case_put_number(ctx, out, "hinge", fmax(0.0, most + least)));
done:
    return st;
}

/* ---- affinities ------------------------------------------------------------
 */

/* A full affinity, one list a row. */
static akin_status put_affinity(akin_ctx *ctx, json_t *out, const char *key,
                                const ak_affinity *a)
{
    return case_put_rows(ctx, out, key, a->peers->n, a->peers->n, a->values);
}

akin_status case_kernel_affinity(akin_ctx *ctx, const json_t *in, json_t *out)
{
    double *X, *M, *B, *points;
    int64_t d = 0, n = 0, rank = 0;
    ak_bags bags = {0};
    ak_shared_names peers;
    ak_affinity a;
    akin_status st = AKIN_OK;
    AK_TRY(case_input_matrix(&X, &d, &n, ctx, in, "X"));
    AK_TRY(case_input_matrix(&M, &d, &d, ctx, in, "M"));
    AK_TRY(AK_SCRATCH(ctx, d * d, &B));
    AK_TRY(AK_SCRATCH(ctx, n * d, &points));
    AK_TRY(ak_psd_root(ctx, d, M, false, B, &rank));
    for (int64_t i = 0; i < n; ++i)
        for (int64_t c = 0; c < d; ++c)
            for (int64_t k = 0; k < rank; ++k)
                points[i * rank + k] += X[c * n + i] * B[c * d + k];
    AK_TRY(all_peers(&peers, &bags, ctx, n));
    AK_TRY(ak_affinity_new(&a, ctx, &peers));
    AK_TRY(ak_affinity_kernel(&a, ctx, rank, points));
    AK_TRY(put_affinity(ctx, out, "K", &a));
done:
    return st;
}

akin_status case_affinity_fuse(akin_ctx *ctx, const json_t *in, json_t *out)
{
    double *W, *K;
    int64_t n = 0;
    ak_bags bags = {0};
    ak_shared_names peers;
    ak_affinity a;
    akin_status st = AKIN_OK;
    AK_TRY(case_input_matrix(&W, &n, &n, ctx, in, "W"));
    AK_TRY(case_input_matrix(&K, &n, &n, ctx, in, "AK"));
    const ak_representation w = {.n = n, .k = n, .L = W};
    AK_TRY(all_peers(&peers, &bags, ctx, n));
    AK_TRY(ak_affinity_new(&a, ctx, &peers));
    AK_TRY(ak_affinity_of((ak_affinity *const[]){&a}, 1, ctx, &w,
                          AK_AFFINITY_MINMAX));
    const ak_affinity other = {.peers = &peers, .values = K};
    ak_affinity_fuse(&a, &other, case_param(in, "alpha"));
    AK_TRY(put_affinity(ctx, out, "A", &a));
done:
    return st;
}

/* ---- names ------------------------------------------------------------------
 */

typedef struct naming_case {
    ak_bags bags;
    ak_shared_names peers;
    ak_affinity a;
    ak_face_labels labels;
    double *B;
    ak_assign_options options;
} naming_case;

/* The affinity of peers out of the full one, where there is one. */
static akin_status take_case(naming_case *c, akin_ctx *ctx, const json_t *in)
{
    const char *init = json_string_value(
        json_object_get(json_object_get(in, "params"), "init"));
    double *A;
    int64_t rows = 0, n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(case_peers(&c->peers, &c->bags, ctx, in));
    AK_TRY(ak_face_labels_new(&c->labels, ctx, &c->peers));
    c->options = (ak_assign_options){
        .theta = case_param(in, "theta"),
        .count = -1,
        .rounds = (int64_t)case_param(in, "maxit"),
        .uniform = init != NULL && init[0] == 'u',
    };
    if (input(in, "B") != NULL) {
        AK_TRY(case_input_matrix(&c->B, &rows, &n, ctx, in, "B"));
        goto done;
    }
    AK_TRY(case_input_matrix(&A, &rows, &n, ctx, in, "A"));
    AK_TRY(ak_affinity_new(&c->a, ctx, &c->peers));
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *peers;
        const int64_t m = ak_shared_names_get(&c->peers, i, &peers);
        for (int64_t k = 0; k < m; ++k)
            c->a.values[c->peers.start[i] + k] = A[i * n + peers[k]];
    }
done:
    return st;
}

/* One assignment with given scores: score(f, q) = B[q * n + f]. */
static akin_status assign_once(naming_case *c, akin_ctx *ctx)
{
    const int64_t n = c->peers.n, p = c->peers.n_names;
    ak_table table = {.stride = p};
    double *values;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * p, &values));
    for (int64_t k = 0; k < n * p; ++k)
        values[k] = c->B[k % p * n + k / p];
    table.values = values;
    c->options.rounds = 1;
    const ak_scorer scorer = ak_table_scorer(&c->peers, &table);
    AK_TRY(ak_label(&c->labels, ctx, &scorer, &c->options));
done:
    return st;
}

/* The sum over names of the affinities within its faces, divided by how many.
 */
static akin_status objective_of(double *out, akin_ctx *ctx,
                                const ak_affinity *a, const int32_t *labels)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_shared_names *p = a->peers;
    double *sums, *sizes;
    akin_status st = AKIN_OK;
    *out = 0.0;
    AK_TRY(AK_SCRATCH(ctx, p->n_names, &sums));
    AK_TRY(AK_SCRATCH(ctx, p->n_names, &sizes));
    for (int64_t f = 0; f < p->n; ++f) {
        const int32_t *peers;
        const int64_t n = ak_shared_names_get(p, f, &peers);
        if (labels[f] >= p->n_names)
            continue;
        sizes[labels[f]] += 1.0;
        for (int64_t k = 0; k < n; ++k)
            if (labels[peers[k]] == labels[f])
                sums[labels[f]] += a->values[p->start[f] + k];
    }
    for (int64_t c = 0; c < p->n_names; ++c)
        if (sizes[c] > 0.0)
            *out += sums[c] / sizes[c];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status case_naming_assign(akin_ctx *ctx, const json_t *in, json_t *out)
{
    naming_case c = {0};
    akin_status st = AKIN_OK;
    AK_TRY(take_case(&c, ctx, in));
    const int64_t n = c.peers.n, p = c.peers.n_names;
    for (int64_t f = 0; f < n; ++f)  // scores relative to those of no name
        for (int64_t q = 0; q < p; ++q)
            c.B[q * n + f] -= c.B[p * n + f];
    AK_TRY(assign_once(&c, ctx));
    AK_TRY(put_integers(ctx, out, "labels", n, c.labels.labels));
done:
    return st;
}

akin_status case_naming(akin_ctx *ctx, const json_t *in, json_t *out)
{
    naming_case c = {0};
    double objective = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(take_case(&c, ctx, in));
    const ak_scorer votes = ak_votes_of(&c.a);
    AK_TRY(ak_label(&c.labels, ctx, &votes, &c.options));
    AK_TRY(objective_of(&objective, ctx, &c.a, c.labels.labels));
    AK_TRY(put_integers(ctx, out, "labels", c.peers.n, c.labels.labels));
    put_integer(out, "iters", c.labels.rounds);
    json_object_set_new(out, "converged", json_boolean(c.labels.converged));
    AK_TRY(case_put_number(ctx, out, "real_ratio",
                           (double)c.labels.named / (double)c.peers.n));
    AK_TRY(case_put_number(ctx, out, "objective", objective));
done:
    return st;
}

akin_status case_naming_theta(akin_ctx *ctx, const json_t *in, json_t *out)
{
    naming_case c = {0};
    akin_status st = AKIN_OK;
    AK_TRY(take_case(&c, ctx, in));
    c.options.count = (int64_t)case_param(in, "count");
    AK_TRY(assign_once(&c, ctx));
    put_integer(out, "count", c.labels.named);
    put_integer(out, "max_count", c.labels.reachable);
    AK_TRY(put_integers(ctx, out, "labels", c.peers.n, c.labels.labels));
done:
    return st;
}

akin_status case_naming_at_count(akin_ctx *ctx, const json_t *in, json_t *out)
{
    naming_case c = {0};
    akin_status st = AKIN_OK;
    AK_TRY(take_case(&c, ctx, in));
    c.options.count = (int64_t)case_param(in, "count");
    const ak_scorer votes = ak_votes_of(&c.a);
    AK_TRY(ak_label(&c.labels, ctx, &votes, &c.options));
    put_integer(out, "count", c.labels.named);
    put_integer(out, "iters", c.labels.rounds);
    json_object_set_new(out, "converged", json_boolean(c.labels.converged));
    AK_TRY(put_integers(ctx, out, "labels", c.peers.n, c.labels.labels));
done:
    return st;
}

akin_status case_naming_ratio(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const double target = case_param(in, "target");
    naming_case c = {0};
    akin_status st = AKIN_OK;
    AK_TRY(take_case(&c, ctx, in));
    AK_TRY(ak_label_tuned(&c.labels, ctx, &c.a, &c.options,
                          llround(target * (double)c.peers.n)));
    AK_TRY(case_put_number(
        ctx, out, "ratio_error",
        fabs((double)c.labels.named / (double)c.peers.n - target)));
done:
    return st;
}

/* All faces in one photo whose caption has every name. */
akin_status case_naming_metrics(akin_ctx *ctx, const json_t *in, json_t *out)
{
    const json_t *labels = input(in, "labels"), *truth = input(in, "truth");
    const int64_t n = (int64_t)json_array_size(labels);
    const int32_t p = (int32_t)case_param(in, "p");
    int64_t items[2] = {0, n}, ends[2] = {0, p};
    ak_bags bags = {.n_photos = 1,
                    .item_offsets = items,
                    .name_offsets = ends,
                    .n_names = p};
    akin_face_names told = {.list = {.n = n}};
    int32_t *photos, *names;
    akin_naming_measure m;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &photos));
    AK_TRY(AK_SCRATCH(ctx, n, &names));
    AK_TRY(AK_SCRATCH(ctx, p, &bags.names));
    AK_TRY(AK_SCRATCH(ctx, n, &told.names));
    AK_TRY(AK_SCRATCH(ctx, n, &told.list.lines));
    for (int32_t q = 0; q < p; ++q)
        bags.names[q] = q;
    for (int64_t f = 0; f < n; ++f) {
        told.list.lines[f].face = f;
        told.names[f] = (int32_t)int_at(truth, f);
        names[f] = (int32_t)int_at(labels, f);
        if (told.names[f] == p)
            told.names[f] = -1;
        if (names[f] == p)
            names[f] = -1;
    }
    AK_TRY(ak_names_compare(&m, ctx, &bags, photos, n, names, NULL, &told));
    AK_TRY(case_put_number(ctx, out, "accuracy", m.accuracy));
    AK_TRY(case_put_number(ctx, out, "precision", m.precision));
done:
    return st;
}
