/* The threshold of a model: two rows are the same where their score is at least
 * as large. It is kept as notes: "threshold", what it was measured on, and how
 * rows were compared. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

static const char *const keys[] = {"threshold", "false_match_rate",
                                   "miss_rate"};

/* The number of a note; false: there is none. */
static bool take_number(const akin_model *m, const char *key, double *x)
{
    const char *text = akin_model_note(m, key);
    char *end;
    if (text == NULL)
        return false;
    *x = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*x);
}

/* rsl learns f so that its sign decides; the cosine has the same sign. What
 * stands on f, as prototypes do, has no such sign. */
static bool sign_decides(const akin_model *m, akin_compare by)
{
    return strcmp(akin_model_learner(m), "rsl") == 0 &&
           m->kind->learned == NULL &&
           (by == AKIN_BY_DOT || by == AKIN_BY_COSINE);
}

int akin_model_threshold(akin_threshold *out, const akin_model *m,
                         akin_compare by)
{
    const akin_compare use = by == AKIN_BY_DEFAULT ? m->by : by;
    const char *compare = akin_model_note(m, "threshold_score");
    const char *pairs = akin_model_note(m, "threshold_pairs");
    akin_threshold t = {.false_match_rate = NAN, .miss_rate = NAN};
    double *const values[] = {&t.score, &t.false_match_rate, &t.miss_rate};
    if (compare == NULL || strcmp(compare, ak_compare_word(use)) != 0) {
        *out = t;
        return sign_decides(m, use);
    }
    for (int i = 0; i < 3; ++i)
        if (!take_number(m, keys[i], values[i]))
            return 0;
    t.pairs = pairs ? strtoll(pairs, NULL, 10) : 0;
    *out = t;
    return 1;
}

akin_status akin_model_set_threshold(akin_ctx *ctx, akin_model *m,
                                     const akin_threshold *t, akin_compare by)
{
    const akin_compare use = by == AKIN_BY_DEFAULT ? m->by : by;
    const double values[] = {t->score, t->false_match_rate, t->miss_rate};
    char text[40];
    for (int i = 0; i < 3; ++i) {
        if (!isfinite(values[i]))
            return ak_fail(ctx, AKIN_EINVAL, "the %s is not finite", keys[i]);
        snprintf(text, sizeof text, "%.17g", values[i]);
        AK_CHECK(ak_model_set_note(m, ctx, keys[i], text));
    }
    snprintf(text, sizeof text, "%" PRId64, t->pairs);
    AK_CHECK(ak_model_set_note(m, ctx, "threshold_pairs", text));
    return ak_model_set_note(m, ctx, "threshold_score", ak_compare_word(use));
}
