/* tests/parts.h - learning in parts. */
#ifndef TESTS_PARTS_H
#define TESTS_PARTS_H

#include <akin/learn.h>

#include "support.h"

/* The model after `count` examples, `width` numbers each, in as many parts,
 * each going on from the model of the part before. */
static inline akin_model *learn_in_parts(akin_ctx *ctx, const akin_options *o,
                                         akin_supervision *data,
                                         const int64_t *examples, int64_t count,
                                         int64_t width, int64_t parts)
{
    akin_model *m = NULL;
    for (int64_t p = 0; p < parts; ++p) {
        const int64_t n = count / parts;
        akin_learning *run = NULL;
        assert_int_equal(akin_learning_begin(&run, ctx, o, data, m), AKIN_OK);
        akin_model_free(m);
        m = NULL;
        assert_int_equal(
            akin_learning_observe(ctx, run, examples + width * p * n, n),
            AKIN_OK);
        assert_int_equal(akin_learning_model(&m, ctx, run), AKIN_OK);
        akin_learning_free(run);
    }
    return m;
}

#endif
