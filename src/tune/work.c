#include "tune/work.h"

#include <math.h>
#include <string.h>

#include "data/supervision/supervision.h"
#include "learn/learner.h"
#include "model/model.h"

/* What a step touches: a few numbers, those of a row, those of a matrix of all
 * columns, of all directions in which rows can vary, a row times the labels,
 * one number of each row, or the rows that a kernel keeps, each times its
 * columns and all of them. */
typedef enum { ONE, ROW, MATRIX, AXES, LABELS, COLUMN, KEPT } extent;
/* How many steps there are in an iteration. */
typedef enum { ROWS, PAIRS_OF_ROWS, EXAMPLES } steps;

/*   steps (factor extent + more) + cubes d^3                             (1)
 *
 * for each iteration, as seen on tables of 75 to 2,500 rows and 4 to 1,000
 * columns. */
static const struct cost {
    const char *learner;
    steps of;
    extent each;
    double factor, more, cubes;
    ak_saving saving;
} costs[] = {
    {"qpao", EXAMPLES, ROW, 4.0, 0.0, 0.0, AK_SAVES_BY_EXAMPLES},
    {"lmnn-diag", EXAMPLES, ROW, 6.0, 0.0, 0.0, AK_SAVES_BY_EXAMPLES},
    {"itml", EXAMPLES, MATRIX, 1.0, 0.0, 0.0, AK_SAVES_BY_EXAMPLES},
    {"symm", EXAMPLES, MATRIX, 0.7, 0.0, 0.0, AK_SAVES_BY_EXAMPLES},
    {"lrml", EXAMPLES, ROW, 5.0, 0.0, 10.0, AK_SAVES_BY_EXAMPLES},
    {"s3ml", PAIRS_OF_ROWS, COLUMN, 0.3, 0.0, 20.0, AK_SAVES_BY_UNLABELLED},
    {"s2ml", EXAMPLES, ONE, 0.0, 250.0, 10.0, AK_SAVES_BY_PAIRS},
    {"sdml", EXAMPLES, ONE, 0.0, 250.0, 10.0, AK_SAVES_BY_PAIRS},
    {"lmnn", PAIRS_OF_ROWS, ROW, 0.1, 6.0, 1.0, AK_SAVES_BY_PAIRS},
    {"nca", PAIRS_OF_ROWS, ROW, 0.4, 25.0, 0.0, AK_SAVES_BY_PAIRS},
    {"arc-t", EXAMPLES, ROW, 1.0, 150.0, 1.0, AK_SAVES_BY_PAIRS},
    {"rsl", EXAMPLES, ONE, 0.0, 100.0, 0.0, AK_SAVES_BY_PAIRS},
    {"hfa", PAIRS_OF_ROWS, ROW, 1.0, 0.0, 0.0, AK_SAVES_BY_PAIRS},
    {"cca", ROWS, MATRIX, 1.0, 0.0, 20.0, AK_SAVES_BY_ROWS},
    {"mahalanobis", ROWS, MATRIX, 1.0, 0.0, 0.3, AK_SAVES_BY_ROWS},
    {"pca", ROWS, AXES, 1.0, 0.0, 0.0, AK_SAVES_BY_ROWS},
    {"lda", ROWS, MATRIX, 1.0, 0.0, 20.0, AK_SAVES_BY_ROWS},
    {"logistic", ROWS, LABELS, 1.5, 0.0, 0.0, AK_SAVES_BY_ROWS},
    {"blend", ROWS, LABELS, 2.0, 0.0, 0.0, AK_SAVES_BY_ROWS},
    {"kernel-ridge", ROWS, KEPT, 0.3, 0.0, 0.0, AK_SAVES_BY_ROWS},
    {"svm-t", ROWS, ROW, 2.5, 0.0, 0.0, AK_SAVES_BY_ROWS},
};

static double numbers_of(const akin_supervision *data)
{
    return ak_numbers_per_row(data->rows) +
           (data->right != NULL ? ak_numbers_per_row(data->right) : 0.0);
}

static double rows_of(const akin_supervision *data)
{
    return (double)(akin_rows_count(data->rows) +
                    (data->right != NULL ? akin_rows_count(data->right) : 0));
}

static double batch_work(const struct cost *c, const akin_supervision *data,
                         const akin_learn_info *info)
{
    const double n = rows_of(data), d = (double)akin_rows_dim(data->rows);
    const double kept = fmin(n, AK_KEPT_ROWS);
    const double extents[] = {
        [ONE] = 1.0,
        [ROW] = numbers_of(data),
        [MATRIX] = d * d,
        [AXES] = d * fmin(n, d),
        [LABELS] = numbers_of(data) * (double)data->rows->n_label_names,
        [COLUMN] = n,
        [KEPT] = kept * (d + kept),
    };
    const double counts[] = {[ROWS] = n,
                             [PAIRS_OF_ROWS] = n * n,
                             [EXAMPLES] = (double)info->examples};
    return (double)ak_max_i64(1, info->iterations) *
           (counts[c->of] * (c->factor * extents[c->each] + c->more) +
            c->cubes * d * d * d);  // (1)
}

/* Each example touches its rows, and each update the factors of the model or
 * all of its matrix. A learner that starts from a measure then ranks a sample
 * of the labelled rows. */
static double online_work(const akin_model *m, const akin_learner_info *l,
                          const akin_supervision *data,
                          const akin_learn_info *info)
{
    enum { MOST_RANKED = 2048, SHARES = 5, RANK_CUBED = 30, TO_SORT = 60 };
    const double row = numbers_of(data), d = (double)akin_rows_dim(data->rows);
    const char *kind = akin_model_kind(m);
    const double rank = (double)akin_model_rank(m);
    const double labels = (double)akin_model_label_count(m);
    const double ranked = fmin(MOST_RANKED, rows_of(data));
    double each = 3.0 * row * fmax(1.0, labels),
           update = rank * rank * fmin(rank, RANK_CUBED);
    if (strcmp(kind, "full") == 0 || strcmp(kind, "metric") == 0 ||
        strcmp(l->name, "oasis") == 0)
        update = 0.7 * d * d;
    else
        each += row * rank;
    double all = each * (double)info->examples + update * (double)info->updates;
    if (akin_model_note(m, "trust") != NULL && data->kind == AKIN_LABELS)
        all += SHARES * ranked * ranked * (row + TO_SORT);
    return all;
}

ak_work ak_work_of(const akin_model *m, const char *learner,
                   const akin_supervision *data, const akin_learn_info *info)
{
    const akin_learner_info *l = akin_learner_find(learner);
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; ++i)
        if (strcmp(costs[i].learner, learner) == 0)
            return (ak_work){batch_work(&costs[i], data, info),
                             costs[i].saving};
    return (ak_work){online_work(m, l, data, info), AK_SAVES_BY_EXAMPLES};
}

/* The work grows with this power of the rows. */
static double growth(const ak_work *w)
{
    return w->saving == AK_SAVES_BY_PAIRS        ? 2.0
           : w->saving == AK_SAVES_BY_UNLABELLED ? 3.0
                                                 : 1.0;
}

double ak_work_left(const ak_work *w, double share)
{
    return w->saving == AK_SAVES_BY_UNLABELLED ? w->all
                                               : w->all * pow(share, growth(w));
}

double ak_work_share(const ak_work *w, double share)
{
    return pow(share, 1.0 / growth(w));
}

double ak_numbers_per_row(const akin_rows *rows)
{
    return fmax(1.0, (double)akin_rows_nonzeros(rows) /
                         fmax(1.0, (double)akin_rows_count(rows)));
}

double ak_query_work(const akin_rows *rows, double n)
{
    const double numbers = ak_numbers_per_row(rows);
    return n *
           (akin_rows_is_sparse(rows) ? numbers + 60.0 : numbers / 6.0 + 20.0);
}
