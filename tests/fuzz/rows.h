/* What must hold of rows that a reader accepted. */
#ifndef AK_TESTS_FUZZ_ROWS_H
#define AK_TESTS_FUZZ_ROWS_H

#include <math.h>

#include "data/io/formats.h"
#include "fuzz.h"

static inline void must(bool holds)
{
    if (!holds)
        abort();
}

static inline void check_row(const akin_rows *r, int64_t i)
{
    const int32_t *cols, *labels;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, r, i);
    for (int64_t k = 0; k < n; ++k) {
        must(isfinite(vals[k]));
        if (cols != NULL)
            must(vals[k] != 0 && cols[k] >= (k ? cols[k - 1] + 1 : 0) &&
                 cols[k] < r->d);
    }
    const int64_t n_labels = akin_rows_labels(&labels, r, i);
    for (int64_t k = 0; k < n_labels; ++k)
        must(labels[k] >= (k ? labels[k - 1] + 1 : 0) &&
             labels[k] < akin_rows_label_count(r));
}

/* Check and free them, or check that there is a message in one line. */
static inline void check_rows(akin_status st, akin_rows **rows)
{
    const akin_rows *r = *rows;
    const char *message = akin_ctx_message(fuzz_ctx());
    if (st != AKIN_OK) {
        must(st != AKIN_EIO && message[0] != '\0');
        for (; *message; ++message)
            must(*message != '\n');
        return;
    }
    must(r->n > 0 && r->d >= 0);
    for (int64_t i = 0; i < r->n; ++i)
        check_row(r, i);
    akin_rows_free(*rows);
}

static inline ak_source *open_bytes(const char *name, ak_source_kind kind,
                                    const uint8_t *data, size_t n)
{
    ak_source *s = NULL;
    const akin_status st =
        ak_source_memory(&s, fuzz_ctx(), name, kind, data, n);
    return st == AKIN_OK ? s : NULL;
}

#endif
