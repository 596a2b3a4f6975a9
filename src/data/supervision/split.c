/* Splits, drawn by the seed: rows in two parts, and a held-out part of what is
 * known.
 *
 * By class, each class gives its share; what rounding leaves over is carried to
 * the next class, so that small classes together give theirs too. A row with
 * several labels counts for the first; rows without are a class. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "data/captions/bags.h"
#include "data/supervision/lines.h"
#include "data/supervision/supervision.h"

/* Which share of which rows. */
typedef struct share_spec {
    const int64_t *which;  // n rows; NULL: the first n
    int64_t n;
    double fraction;
    bool by_class;   // of each class
    bool leave_one;  // every class keeps a row
} share_spec;

static int64_t class_of(const akin_rows *rows, int64_t row)
{
    const int32_t *labels;
    return akin_rows_labels(&labels, rows, row) > 0 ? labels[0]
                                                    : rows->n_label_names;
}

/* How many of the n rows of a class to take. */
static int64_t take_of(const share_spec *share, int64_t n, double *due)
{
    const int64_t most = share->leave_one && n > 0 ? n - 1 : n;
    if (most == 0)
        return 0;
    *due += share->fraction * (double)n;
    const double want = floor(*due + 0.5);
    const int64_t k = ak_max_i64(0, ak_min_i64(most, (int64_t)want));
    *due = fmax(-0.5, fmin(0.5, *due - (double)k));
    return k;
}

/* Set the flag (one a row of `rows`, 0 before) of the rows drawn. */
static akin_status draw_share(akin_ctx *ctx, const akin_rows *rows,
                              share_spec share, ak_rng rng,
                              unsigned char *flags, int64_t *count)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n_classes = share.by_class ? rows->n_label_names + 1 : 1;
    int64_t *offsets, *sorted;
    double due = 0.0;
    akin_status st = AKIN_OK;

    *count = 0;
    AK_TRY(AK_SCRATCH(ctx, n_classes + 2, &offsets));
    AK_TRY(AK_SCRATCH(ctx, share.n, &sorted));
    for (int64_t i = 0; i < share.n; ++i) {
        const int64_t row = share.which ? share.which[i] : i;
        ++offsets[(share.by_class ? class_of(rows, row) : 0) + 2];
    }
    for (int64_t c = 1; c <= n_classes + 1; ++c)
        offsets[c] += offsets[c - 1];
    for (int64_t i = 0; i < share.n; ++i) {
        const int64_t row = share.which ? share.which[i] : i;
        const int64_t c = share.by_class ? class_of(rows, row) : 0;
        sorted[offsets[c + 1]++] = row;
    }
    for (int64_t c = 0; c < n_classes; ++c) {
        ak_rng r = ak_rng_split(rng, (uint64_t)c);
        const int64_t n = offsets[c + 1] - offsets[c];
        const int64_t k = take_of(&share, n, &due);
        ak_rng_shuffle(&r, n, sorted + offsets[c]);
        for (int64_t i = 0; i < k; ++i)
            flags[sorted[offsets[c] + i]] = 1;
        *count += k;
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_split(int64_t **first, int64_t *n_first, int64_t **second,
                       int64_t *n_second, akin_ctx *ctx, const akin_rows *rows,
                       double fraction, int by_class)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const share_spec share = {NULL, rows->n, fraction, by_class != 0, false};
    const ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_SPLIT);
    unsigned char *flags;
    int64_t *a = NULL, *b = NULL, n = 0;
    akin_status st = AKIN_OK;

    if (!(fraction >= 0.0 && fraction <= 1.0))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "fraction is %g (expected 0 to 1)",
                       fraction));
    if (by_class && rows->n_label_names == 0)
        AK_TRY(
            ak_fail(ctx, AKIN_EINVAL, "the rows have no labels to split by"));
    AK_TRY(AK_SCRATCH(ctx, rows->n, &flags));
    AK_TRY(draw_share(ctx, rows, share, rng, flags, &n));
    AK_TRY(AK_NEW(ctx, n, &a));
    AK_TRY(AK_NEW(ctx, rows->n - n, &b));
    *n_first = *n_second = 0;
    for (int64_t i = 0; i < rows->n; ++i)
        if (flags[i])
            a[(*n_first)++] = i;
        else
            b[(*n_second)++] = i;
    *first = a;
    *second = b;
    a = b = NULL;
done:
    akin_free(a);
    akin_free(b);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- a held-out part ---- */

static akin_status new_part(akin_supervision **out, akin_ctx *ctx,
                            const akin_supervision *s)
{
    AK_CHECK(ak_supervision_like(out, ctx, s));
    (*out)->kind = s->kind;
    return AKIN_OK;
}

static akin_status copy_i64(akin_ctx *ctx, const int64_t *from, int64_t n,
                            int64_t **to)
{
    AK_CHECK(AK_NEW(ctx, n, to));
    if (n > 0)
        memcpy(*to, from, (size_t)n * sizeof *from);
    return AKIN_OK;
}

/* The rows of one side whose labels are known. */
typedef struct known {
    const akin_rows *rows;
    const int64_t *which;  // NULL: all
    int64_t n;
    int64_t **kept, *n_kept;  // of the rest
} known;

static known known_of(const akin_supervision *s, akin_supervision *rest,
                      akin_side side)
{
    const bool right = side == AKIN_RIGHT;
    known k = {right ? s->right : s->rows, right ? s->right_known : s->known,
               right ? s->n_right_known : s->n_known,
               right ? &rest->right_known : &rest->known,
               right ? &rest->n_right_known : &rest->n_known};
    if (k.which == NULL)
        k.n = k.rows->n;
    return k;
}

static int64_t row_at(const known *k, int64_t i)
{
    return k->which ? k->which[i] : i;
}

static akin_status draw_labelled(unsigned char *flags, int64_t *count,
                                 akin_ctx *ctx, const known *k, double fraction,
                                 ak_rng rng)
{
    share_spec share = {NULL, 0, fraction, true, true};
    int64_t *labelled;
    AK_CHECK(AK_SCRATCH(ctx, k->n, &labelled));
    for (int64_t i = 0; i < k->n; ++i) {
        const int32_t *labels;
        if (akin_rows_labels(&labels, k->rows, row_at(k, i)) > 0)
            labelled[share.n++] = row_at(k, i);
    }
    share.which = labelled;
    return draw_share(ctx, k->rows, share, rng, flags, count);
}

/* The other side is known as before. */
static akin_status keep_other(akin_supervision *rest, akin_ctx *ctx,
                              const akin_supervision *s, akin_side side)
{
    const known k =
        known_of(s, rest, side == AKIN_LEFT ? AKIN_RIGHT : AKIN_LEFT);
    if (k.which == NULL)
        return AKIN_OK;
    *k.n_kept = k.n;
    return copy_i64(ctx, k.which, k.n, k.kept);
}

/* Rows: the held part knows what was kept back, the rest all the others. */
static akin_status hold_labels(akin_supervision *rest, akin_supervision *held,
                               akin_ctx *ctx, const akin_supervision *s,
                               double fraction, akin_side side)
{
    const ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_VALIDATE);
    const known k = known_of(s, rest, side);
    int64_t count = 0;
    unsigned char *flags;

    if (side == AKIN_RIGHT && akin_rows_label_count(k.rows) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "the right rows have no labels");
    AK_CHECK(AK_SCRATCH(ctx, k.rows->n, &flags));
    AK_CHECK(draw_labelled(flags, &count, ctx, &k, fraction, rng));
    AK_CHECK(AK_NEW(ctx, count, &held->held_out));
    AK_CHECK(AK_NEW(ctx, k.n - count, k.kept));
    for (int64_t i = 0; i < k.n; ++i)
        if (flags[row_at(&k, i)])
            held->held_out[held->n_held_out++] = row_at(&k, i);
        else
            (*k.kept)[(*k.n_kept)++] = row_at(&k, i);
    held->held_out_side = side;
    if (s->right != NULL)
        AK_CHECK(keep_other(rest, ctx, s, side));
    if (side == AKIN_RIGHT)
        return AKIN_OK;
    AK_CHECK(copy_i64(ctx, held->held_out, count, &held->known));
    held->n_known = count;
    return AKIN_OK;
}

static akin_status hold_examples(akin_supervision *rest, akin_supervision *held,
                                 akin_ctx *ctx, const akin_supervision *s,
                                 const unsigned char *flags, int64_t n_held)
{
    const int64_t width = ak_line_form_of(s->kind, 0, 0).n;

    AK_CHECK(AK_NEW(ctx, n_held * width, &held->numbers));
    AK_CHECK(AK_NEW(ctx, (s->count - n_held) * width, &rest->numbers));
    for (int64_t i = 0; i < s->count; ++i) {
        akin_supervision *to = flags[i] ? held : rest;
        memcpy(to->numbers + width * to->count++, s->numbers + width * i,
               (size_t)width * sizeof *s->numbers);
    }
    return AKIN_OK;
}

/* Examples and photos: each goes by a draw of its own. */
static akin_status hold_singly(akin_supervision *rest, akin_supervision *held,
                               akin_ctx *ctx, const akin_supervision *s,
                               double fraction)
{
    const ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_VALIDATE);
    const int64_t n = akin_supervision_examples(s);
    unsigned char *flags;
    int64_t n_held = 0;

    AK_CHECK(AK_SCRATCH(ctx, n, &flags));
    for (int64_t i = 0; i < n; ++i) {
        ak_rng r = ak_rng_split(rng, (uint64_t)i);
        flags[i] = ak_rng_unit(&r) < fraction;
        n_held += flags[i];
    }
    if (s->kind != AKIN_BAGS)
        return hold_examples(rest, held, ctx, s, flags, n_held);
    AK_CHECK(ak_bags_select(&held->bags, ctx, s->bags, flags, 1));
    return ak_bags_select(&rest->bags, ctx, s->bags, flags, 0);
}

akin_status ak_supervision_hold_out(akin_supervision **rest,
                                    akin_supervision **held, akin_ctx *ctx,
                                    const akin_supervision *s, double fraction,
                                    akin_side side)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_supervision *a = NULL, *b = NULL;
    akin_status st = AKIN_OK;

    if (!(fraction > 0.0 && fraction < 1.0))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "fraction is %g (expected between 0 and 1)", fraction));
    if (s->kind == AKIN_NOTHING)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "nothing is known about the rows"));
    AK_TRY(new_part(&a, ctx, s));
    AK_TRY(new_part(&b, ctx, s));
    AK_TRY(s->kind == AKIN_LABELS ? hold_labels(a, b, ctx, s, fraction, side)
                                  : hold_singly(a, b, ctx, s, fraction));
    if (akin_supervision_examples(a) == 0 ||
        akin_supervision_examples(b) == 0 ||
        (s->kind == AKIN_LABELS && b->n_held_out == 0))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%g of %" PRId64 " examples leaves one part empty",
                       fraction, akin_supervision_examples(s)));
    *rest = a;
    *held = b;
    a = b = NULL;
done:
    akin_supervision_free(a);
    akin_supervision_free(b);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_supervision_hold_out(akin_supervision **rest,
                                      akin_supervision **held, akin_ctx *ctx,
                                      const akin_supervision *s,
                                      double fraction)
{
    return ak_supervision_hold_out(rest, held, ctx, s, fraction, AKIN_LEFT);
}

/* ---- folds ---- */

/* Deal the labelled rows to folds: each class, shuffled, goes round in turn,
 * from where the class before ended. A class with one row is in no fold. Set
 * the flag of the rows of fold `fold`. */
static akin_status deal_rows(unsigned char *flags, int64_t *count,
                             akin_ctx *ctx, const known *k, int64_t fold,
                             int64_t folds, ak_rng rng)
{
    const int64_t n_classes = k->rows->n_label_names;
    int64_t *offsets, *sorted, turn = 0;
    AK_CHECK(AK_SCRATCH(ctx, n_classes + 2, &offsets));
    AK_CHECK(AK_SCRATCH(ctx, k->n, &sorted));
    for (int64_t i = 0; i < k->n; ++i)
        ++offsets[ak_min_i64(class_of(k->rows, row_at(k, i)) + 2,
                             n_classes + 1)];
    for (int64_t c = 1; c <= n_classes; ++c)
        offsets[c] += offsets[c - 1];
    for (int64_t i = 0; i < k->n; ++i) {
        const int64_t c = class_of(k->rows, row_at(k, i));
        if (c < n_classes)
            sorted[offsets[c + 1]++] = row_at(k, i);
    }
    *count = 0;
    for (int64_t c = 0; c < n_classes; ++c) {
        const int64_t n = offsets[c + 1] - offsets[c];
        ak_rng r = ak_rng_split(rng, (uint64_t)c);
        ak_rng_shuffle(&r, n, sorted + offsets[c]);
        for (int64_t i = 0; n > 1 && i < n; ++i)
            if (turn++ % folds == fold) {
                flags[sorted[offsets[c] + i]] = 1;
                ++*count;
            }
    }
    return AKIN_OK;
}

/* The rows of one side that are in the fold, and the others. */
static akin_status part_side(akin_ctx *ctx, const akin_supervision *s,
                             akin_supervision *rest, akin_supervision *held,
                             akin_side side, int64_t fold, int64_t folds)
{
    const ak_rng root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_FOLDS);
    const known k = known_of(s, rest, side), h = known_of(s, held, side);
    unsigned char *flags;
    int64_t count = 0;
    if (akin_rows_label_count(k.rows) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "the %srows have no labels",
                       side == AKIN_RIGHT ? "right " : "");
    AK_CHECK(AK_SCRATCH(ctx, k.rows->n, &flags));
    AK_CHECK(deal_rows(flags, &count, ctx, &k, fold, folds,
                       ak_rng_split(root, side == AKIN_RIGHT)));
    AK_CHECK(AK_NEW(ctx, count, h.kept));
    AK_CHECK(AK_NEW(ctx, k.n - count, k.kept));
    for (int64_t i = 0; i < k.n; ++i)
        if (flags[row_at(&k, i)])
            (*h.kept)[(*h.n_kept)++] = row_at(&k, i);
        else
            (*k.kept)[(*k.n_kept)++] = row_at(&k, i);
    return AKIN_OK;
}

static akin_status part_labels(akin_supervision *rest, akin_supervision *held,
                               akin_ctx *ctx, const akin_supervision *s,
                               int64_t fold, int64_t folds, akin_side side)
{
    const bool both = s->right != NULL && side == AKIN_LEFT;
    AK_CHECK(part_side(ctx, s, rest, held, side, fold, folds));
    held->held_out_side = side;
    held->n_held_out = side == AKIN_RIGHT ? held->n_right_known : held->n_known;
    AK_CHECK(copy_i64(ctx, side == AKIN_RIGHT ? held->right_known : held->known,
                      held->n_held_out, &held->held_out));
    if (both && akin_rows_label_count(s->right) > 0)
        return part_side(ctx, s, rest, held, AKIN_RIGHT, fold, folds);
    return s->right != NULL ? keep_other(rest, ctx, s, side) : AKIN_OK;
}

/* The row that number `place` of an example names, with its side: rows of two
 * sides are drawn apart. Pairs have a third number that is no row. */
static uint64_t row_key(const akin_supervision *s, int64_t i, int64_t place,
                        int64_t width)
{
    const int64_t row = s->numbers[width * i + place];
    return 2 * (uint64_t)row + (s->right != NULL && place == 1);
}

/* The examples that name a row of the fold. So many rows are drawn that one
 * example in `folds` does, by and by. */
static int64_t draw_by_row(const akin_supervision *s, ak_rng rng, int64_t fold,
                           int64_t folds, unsigned char *flags)
{
    const int64_t width = ak_line_form_of(s->kind, 0, 0).n;
    const int64_t n_rows = s->kind == AKIN_PAIRS ? 2 : width;
    const double share = 1.0 -
                         pow(1.0 - 1.0 / (double)folds, 1.0 / (double)n_rows);
    int64_t count = 0;
    for (int64_t i = 0; i < s->count; ++i) {
        flags[i] = 0;
        for (int64_t place = 0; place < n_rows; ++place) {
            ak_rng r = ak_rng_split(rng, row_key(s, i, place, width));
            flags[i] |= (int64_t)(ak_rng_unit(&r) / share) == fold;
        }
        count += flags[i];
    }
    return count;
}

/* Pairs that match are of kind 0, other pairs of kind 1, triplets and
 * quadruplets of kind 0. */
static bool is_of_kind(const akin_supervision *s, int64_t i, int kind)
{
    return kind == (s->kind == AKIN_PAIRS && s->numbers[3 * i + 2] < 0);
}

/* How many of a kind there are; *flagged of them have a flag. */
static int64_t count_kind(const akin_supervision *s, const unsigned char *flags,
                          int kind, int64_t *flagged)
{
    int64_t n = 0;
    *flagged = 0;
    for (int64_t i = 0; i < s->count; ++i)
        if (is_of_kind(s, i, kind)) {
            ++n;
            *flagged += flags[i];
        }
    return n;
}

static bool lacks_a_kind(const akin_supervision *s, const unsigned char *flags)
{
    int64_t flagged;
    for (int kind = 0; kind < 2; ++kind)
        if (count_kind(s, flags, kind, &flagged) > 0 && flagged == 0)
            return true;
    return false;
}

/* Each example by a draw of its own; of a kind that none is drawn of, one. */
static int64_t draw_by_example(const akin_supervision *s, ak_rng rng,
                               int64_t fold, int64_t folds,
                               unsigned char *flags)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->count; ++i) {
        ak_rng r = ak_rng_split(rng, (uint64_t)i);
        flags[i] = ak_rng_below(&r, folds) == fold;
        count += flags[i];
    }
    for (int kind = 0; kind < 2; ++kind) {
        int64_t flagged;
        const int64_t n = count_kind(s, flags, kind, &flagged);
        int64_t skip = n > 0 ? fold % n : 0;
        for (int64_t i = 0; i < s->count && n > 0 && flagged == 0; ++i)
            if (is_of_kind(s, i, kind) && skip-- == 0) {
                flags[i] = 1;
                ++flagged;
                ++count;
            }
    }
    return count;
}

static akin_status part_examples(akin_supervision *rest, akin_supervision *held,
                                 akin_ctx *ctx, const akin_supervision *s,
                                 int64_t fold, int64_t folds)
{
    const ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_FOLDS);
    unsigned char *flags;
    if (s->count < 2)
        return ak_supervision_blame(
            ak_fail(ctx, AKIN_EINVAL,
                    "too few examples to hold one out (there are %" PRId64
                    ", expected two or more)",
                    s->count),
            ctx, s);
    AK_CHECK(AK_SCRATCH(ctx, s->count, &flags));
    int64_t n = draw_by_row(s, rng, fold, folds, flags);
    if (n > s->count / 2 || n < s->count / (3 * folds) ||
        lacks_a_kind(s, flags))
        n = draw_by_example(s, rng, fold, folds, flags);
    return hold_examples(rest, held, ctx, s, flags, n);
}

static akin_status part_photos(akin_supervision *rest, akin_supervision *held,
                               akin_ctx *ctx, const akin_supervision *s,
                               int64_t fold, int64_t folds)
{
    const ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_FOLDS);
    unsigned char *flags;
    AK_CHECK(AK_SCRATCH(ctx, s->bags->n_photos, &flags));
    for (int64_t i = 0; i < s->bags->n_photos; ++i) {
        ak_rng r = ak_rng_split(rng, (uint64_t)i);
        flags[i] = ak_rng_below(&r, folds) == fold;
    }
    AK_CHECK(ak_bags_select(&held->bags, ctx, s->bags, flags, 1));
    return ak_bags_select(&rest->bags, ctx, s->bags, flags, 0);
}

akin_status ak_supervision_fold(akin_supervision **rest,
                                akin_supervision **held, akin_ctx *ctx,
                                const akin_supervision *s, int64_t fold,
                                int64_t folds, akin_side side)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_supervision *a = NULL, *b = NULL;
    akin_status st = AKIN_OK;
    if (s->kind == AKIN_NOTHING)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "expected labels, pairs, triplets, quadruplets or "
                       "captions"));
    AK_TRY(new_part(&a, ctx, s));
    AK_TRY(new_part(&b, ctx, s));
    AK_TRY(s->kind == AKIN_LABELS ? part_labels(a, b, ctx, s, fold, folds, side)
           : s->kind == AKIN_BAGS ? part_photos(a, b, ctx, s, fold, folds)
                                  : part_examples(a, b, ctx, s, fold, folds));
    *rest = a;
    *held = b;
    a = b = NULL;
done:
    akin_supervision_free(a);
    akin_supervision_free(b);
    ak_scratch_end(ctx, mark);
    return st;
}
