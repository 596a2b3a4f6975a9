/* Documents of classes that were not in training. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/loreta/text.h"

enum { PARTS = 4 };  // a class of each is left out

const loreta_method loreta_unseen[LORETA_UNSEEN] = {
    {"loreta-psd beside tfidf", "loreta-psd", NULL, "eta=1,3 blend=3,1,10", 0,
     false, true, AKIN_UNIFORM, "both cosines"},
};

/* The rows whose classes are of the parts that `parts` has a bit of. */
static akin_status rows_of(loreta_text_run *t, const akin_rows *rows,
                           unsigned parts, akin_rows **out)
{
    app *a = t->r->a;
    const int64_t n = akin_rows_count(rows);
    int64_t *chosen = NULL, count = 0;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, n + 1, &chosen));
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *labels;
        if (akin_rows_labels(&labels, rows, i) > 0 &&
            (parts >> (labels[0] % PARTS) & 1U))
            chosen[count++] = i;
    }
    APP_TRY(akin_rows_select(out, a->ctx, rows, chosen, count));
done:
    free(chosen);
    return st;
}

static unsigned part_bit(int64_t split)
{
    return 1U << (split % PARTS);
}

static akin_status open_parts(loreta_text_run *t, unsigned known,
                              const akin_rows *from, unsigned asked,
                              loreta_size size)
{
    akin_rows *train = NULL, *test = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(rows_of(t, t->train_counts, known, &train));
    APP_TRY(rows_of(t, from, asked, &test));
    APP_TRY(loreta_text_open(t, train, test, size));
done:
    akin_rows_free(train);
    akin_rows_free(test);
    return st;
}

akin_status loreta_unseen_open(loreta_text_run *t, int64_t split,
                               loreta_size size)
{
    const unsigned asked = part_bit(split);
    return open_parts(t, ~asked, t->test_counts, asked, size);
}

/* ---- what is chosen for them -------------------------------------------- */

/* The next part of the classes is kept back; the documents to be judged by
 * are of the training part, too. */
static akin_status choose(loreta_text_run *t, int64_t split, loreta_size size,
                          char params[][96])
{
    const unsigned asked = part_bit(split), kept = part_bit(split + 1);
    akin_status st = AKIN_OK;
    APP_TRY(open_parts(t, ~(asked | kept), t->train_counts, kept, size));
    for (int64_t m = 0; m < LORETA_UNSEEN; ++m)
        APP_TRY(loreta_choose(t->r, &loreta_unseen[m], loreta_text_score, t,
                              params[m]));
done:
    loreta_text_close(t);
    return st;
}

static bool has(const char *list, const char *params)
{
    const size_t n = strlen(params);
    for (const char *p = strstr(list, params); p; p = strstr(p + 1, params))
        if (p[n] == '\0' || p[n] == ' ')
            return true;
    return false;
}

/* Whatever one split has chosen and none before. */
static void note(char params[96], const char *chosen)
{
    const size_t at = strlen(params);
    if (!has(params, chosen))
        snprintf(params + at, 96 - at, "%s%s", at ? " or " : "", chosen);
}

akin_status loreta_unseen_measure(loreta_text_run *t, int64_t split,
                                  loreta_size size, char params[][96],
                                  loreta_curve *const *out)
{
    char chosen[LORETA_UNSEEN][96];
    akin_status st = AKIN_OK;
    APP_TRY(choose(t, split, size, chosen));
    APP_TRY(loreta_unseen_open(t, split, size));
    for (int64_t m = 0; m < LORETA_UNSEEN; ++m) {
        APP_TRY(loreta_text_measure(t, &loreta_unseen[m], chosen[m],
                                    &out[m][split]));
        APP_TRY(reproduce_step(&t->r->steps));
        note(params[m], chosen[m]);
    }
done:
    loreta_text_close(t);
    return st;
}
