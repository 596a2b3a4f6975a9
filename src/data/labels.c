/* Labels of rows: numbers into a list of names, any number of them a row. */
#include "data/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/rows.h"

static void drop_labels(akin_rows *r)
{
    for (int64_t k = 0; k < r->n_label_names; ++k)
        akin_free(r->label_names[k]);
    akin_free(r->label_names);
    akin_free(r->label_column);
    akin_free(r->label_offsets);
    akin_free(r->labels);
    r->label_names = NULL;
    r->label_column = NULL;
    r->n_label_names = 0;
    r->label_offsets = NULL;
    r->labels = NULL;
}

void ak_rows_take_labels(akin_rows *to, akin_rows *from)
{
    drop_labels(to);
    to->label_names = from->label_names;
    to->n_label_names = from->n_label_names;
    to->label_offsets = from->label_offsets;
    to->labels = from->labels;
    from->label_names = NULL;
    from->n_label_names = 0;
    from->label_offsets = NULL;
    from->labels = NULL;
}

static akin_status copy_names(akin_rows *r, akin_ctx *ctx,
                              const char *const *names, int64_t n)
{
    AK_CHECK(AK_NEW(ctx, n, &r->label_names));
    r->n_label_names = n;  // entries not yet there are NULL
    for (int64_t k = 0; k < n; ++k)
        AK_CHECK(ak_strdup(ctx, names[k], &r->label_names[k]));
    return AKIN_OK;
}

/* No name stands twice. */
static akin_status take_names(ak_names *to, akin_ctx *ctx,
                              const char *const *names, int64_t n_names)
{
    for (int64_t k = 0; k < n_names; ++k) {
        int32_t number;
        AK_CHECK(
            ak_names_add_label(to, ctx, names[k], strlen(names[k]), &number));
        if (number != k)
            return ak_fail(ctx, AKIN_EINVAL, "label name %s is repeated",
                           names[k]);
    }
    return AKIN_OK;
}

/* Labels of each row rise and have a name. */
static akin_status check_lists(akin_ctx *ctx, int64_t n, const int64_t *offsets,
                               const int32_t *labels, int64_t n_names)
{
    for (int64_t i = 0; i < n; ++i) {
        if (offsets[i] < 0 || offsets[i + 1] < offsets[i])
            return ak_fail(ctx, AKIN_EINVAL,
                           "row %" PRId64 ": the label offsets must increase",
                           i);
        for (int64_t k = offsets[i]; k < offsets[i + 1]; ++k) {
            if (labels[k] < 0 || labels[k] >= n_names)
                return ak_fail(ctx, AKIN_EINVAL,
                               "row %" PRId64 " has label %" PRId32
                               " of %" PRId64,
                               i, labels[k], n_names);
            if (k > offsets[i] && labels[k] <= labels[k - 1])
                return ak_fail(ctx, AKIN_EINVAL,
                               "row %" PRId64 ": its labels must increase", i);
        }
    }
    return AKIN_OK;
}

akin_status akin_rows_set_label_lists(akin_ctx *ctx, akin_rows *rows,
                                      const int64_t *offsets,
                                      const int32_t *labels,
                                      const char *const *names, int64_t n_names)
{
    const int64_t n = rows->n;
    ak_names taken = {0};
    int64_t *starts = NULL;
    int32_t *numbers = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(check_lists(ctx, n, offsets, labels, n_names));
    AK_TRY(take_names(&taken, ctx, names, n_names));
    const int64_t total = offsets[n] - offsets[0];
    AK_TRY(AK_NEW(ctx, total, &numbers));
    AK_TRY(AK_NEW(ctx, n + 1, &starts));
    if (total > 0)
        memcpy(numbers, labels + offsets[0], (size_t)total * sizeof *labels);
    for (int64_t i = 0; i <= n; ++i)
        starts[i] = offsets[i] - offsets[0];
    drop_labels(rows);  // those there were stay until now
    rows->labels = numbers;
    rows->label_offsets = starts;
    rows->label_names = taken.texts;
    rows->n_label_names = taken.n;
    numbers = NULL;
    starts = NULL;
    taken.texts = NULL;
    taken.n = 0;
done:
    akin_free(numbers);
    akin_free(starts);
    ak_names_free(&taken);
    return st;
}

akin_status akin_rows_set_labels(akin_ctx *ctx, akin_rows *rows,
                                 const int32_t *labels,
                                 const char *const *names, int64_t n_names)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *offsets = NULL, at = 0;
    int32_t *kept = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, rows->n + 1, &offsets));
    AK_TRY(AK_SCRATCH(ctx, rows->n, &kept));
    for (int64_t i = 0; i < rows->n; ++i) {
        if (labels[i] != -1)
            kept[at++] = labels[i];
        offsets[i + 1] = at;
    }
    AK_TRY(akin_rows_set_label_lists(ctx, rows, offsets, kept, names, n_names));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static int64_t copy_row(akin_rows *to, int64_t at, const akin_rows *from,
                        int64_t i)
{
    const int32_t *labels;
    const int64_t count = akin_rows_labels(&labels, from, i);
    if (to != NULL && count > 0)
        memcpy(to->labels + at, labels, (size_t)count * sizeof *labels);
    return at + count;
}

akin_status ak_rows_copy_labels(akin_rows *to, akin_ctx *ctx,
                                const akin_rows *from, const int64_t *which)
{
    akin_status st = AKIN_OK;
    int64_t total = 0, at = 0;
    drop_labels(to);
    if (from->label_column != NULL)
        AK_TRY(ak_strdup(ctx, from->label_column, &to->label_column));
    if (from->label_offsets == NULL)
        return AKIN_OK;
    AK_TRY(copy_names(to, ctx, (const char *const *)from->label_names,
                      from->n_label_names));
    for (int64_t i = 0; i < to->n; ++i)
        total = copy_row(NULL, total, from, which ? which[i] : i);
    AK_TRY(AK_NEW(ctx, total, &to->labels));
    AK_TRY(AK_NEW(ctx, to->n + 1, &to->label_offsets));
    for (int64_t i = 0; i < to->n; ++i) {
        at = copy_row(to, at, from, which ? which[i] : i);
        to->label_offsets[i + 1] = at;
    }
done:
    if (st != AKIN_OK)
        drop_labels(to);
    return st;
}

int64_t akin_rows_label_count(const akin_rows *r)
{
    return r->n_label_names;
}

const char *akin_rows_label_name(const akin_rows *r, int64_t k)
{
    return r->label_names[k];
}

int akin_label_number(int64_t *number, const char *label)
{
    char back[32];
    *number = strtoll(label, NULL, 10);
    snprintf(back, sizeof back, "%" PRId64, *number);
    return strcmp(back, label) == 0;
}

const char *akin_rows_label_column(const akin_rows *r)
{
    return r->label_column;
}

int64_t akin_rows_labels(const int32_t **labels, const akin_rows *r, int64_t i)
{
    if (r->label_offsets == NULL) {
        *labels = NULL;
        return 0;
    }
    *labels = r->labels + r->label_offsets[i];
    return r->label_offsets[i + 1] - r->label_offsets[i];
}

bool ak_rows_share_label(const akin_rows *a, int64_t i, const akin_rows *b,
                         int64_t j, const int32_t *map)
{
    const int32_t *la, *lb;
    const int64_t na = akin_rows_labels(&la, a, i);
    const int64_t nb = akin_rows_labels(&lb, b, j);
    for (int64_t k = 0; k < na; ++k) {
        const int32_t wanted = map ? map[la[k]] : la[k];
        for (int64_t l = 0; l < nb && lb[l] <= wanted; ++l)
            if (lb[l] == wanted)
                return true;
    }
    return false;
}

akin_status ak_rows_label_map(akin_ctx *ctx, const akin_rows *a,
                              const akin_rows *b, int32_t **map)
{
    bool shared = a->n_label_names == 0 || b->n_label_names == 0;
    AK_CHECK(ak_label_map(ctx, a->n_label_names, a->label_names,
                          b->n_label_names, b->label_names, map));
    for (int64_t k = 0; k < a->n_label_names; ++k)
        shared = shared || (*map)[k] >= 0;
    if (!shared)
        ak_log(ctx, AKIN_LOG_WARNING,
               "the two sets of rows share no label (the first has \"%s\", the "
               "second \"%s\")",
               a->label_names[0], b->label_names[0]);
    return AKIN_OK;
}

/* ---- names of labels, in files ---- */

#define NAMES_KEY "label_names"

akin_status ak_label_map(akin_ctx *ctx, int64_t n_from, char *const *from,
                         int64_t n_to, char *const *to, int32_t **map)
{
    ak_names names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n_from, map));
    for (int64_t k = 0; k < n_to; ++k) {
        int32_t number;
        AK_TRY(ak_names_add(&names, ctx, to[k], strlen(to[k]), &number));
    }
    for (int64_t k = 0; k < n_from; ++k)
        (*map)[k] = ak_names_find(&names, from[k], strlen(from[k]));
done:
    ak_names_free(&names);
    return st;
}

/* Control codes are no matter here. */
static bool is_utf8(const char *text)
{
    const size_t n = strlen(text);
    size_t at = ak_utf8_span(text, n);
    while (at < n && ((unsigned char)text[at] < ' ' || text[at] == 0x7f))
        at += 1 + ak_utf8_span(text + at + 1, n - at - 1);
    return at == n;
}

akin_status ak_label_names_check(akin_ctx *ctx, int64_t n, char *const *names)
{
    for (int64_t k = 0; k < n; ++k)
        if (strchr(names[k], '\n') != NULL)
            return ak_fail(
                ctx, AKIN_EINVAL,
                "label %" PRId64 " has a line break, and cannot be written", k);
        else if (!is_utf8(names[k]))
            return ak_fail(
                ctx, AKIN_EINVAL,
                "label %" PRId64 " is not UTF-8, and cannot be written", k);
    return AKIN_OK;
}

akin_status ak_label_names_put(ak_tensors *t, akin_ctx *ctx, int64_t n,
                               char *const *names)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t bytes = 1;
    char *text, *end;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < n; ++k)
        bytes += (int64_t)strlen(names[k]) + 1;
    AK_TRY(AK_SCRATCH(ctx, bytes, &text));
    end = text;
    AK_TRY(ak_label_names_check(ctx, n, names));
    for (int64_t k = 0; k < n; ++k) {
        if (k > 0)
            *end++ = '\n';
        end = stpcpy(end, names[k]);
    }
    AK_TRY(ak_tensors_note(t, ctx, NAMES_KEY, text));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_label_names_take(char ***texts, int64_t *n, akin_ctx *ctx,
                                const ak_tensors *t)
{
    const char *p = ak_tensors_get_note(t, NAMES_KEY);
    ak_names names = {0};
    akin_status st = AKIN_OK;
    if (p == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: no note %s", ak_tensors_path(t),
                       NAMES_KEY));
    for (int64_t k = 0; p != NULL; ++k) {
        const char *end = strchrnul(p, '\n');
        int32_t number;
        AK_TRY(ak_names_add_label(&names, ctx, p, (size_t)(end - p), &number));
        if (number != k)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: note %s has a name twice",
                           ak_tensors_path(t), NAMES_KEY));
        p = *end ? end + 1 : NULL;
    }
    *texts = names.texts;
    *n = names.n;
    names.texts = NULL;
    names.n = 0;
done:
    ak_names_free(&names);
    return st;
}
