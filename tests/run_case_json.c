/* Cases as JSON: lists to arrays and back. */
#include "run_case.h"

#include <string.h>

akin_status case_get(const json_t **value, akin_ctx *ctx, const json_t *in,
                     const char *key)
{
    *value = json_object_get(in, key);
    if (!*value)
        return ak_fail(ctx, AKIN_EFORMAT, "the case has no '%s'", key);
    return AKIN_OK;
}

double case_param(const json_t *in, const char *key)
{
    return json_number_value(
        json_object_get(json_object_get(in, "params"), key));
}

akin_status case_numbers(double **values, int64_t *n, akin_ctx *ctx,
                         const json_t *list)
{
    *n = (int64_t)json_array_size(list);
    const akin_status st = AK_SCRATCH(ctx, *n, values);
    for (int64_t i = 0; st == AKIN_OK && i < *n; ++i) {
        const json_t *x = json_array_get(list, (size_t)i);
        if (!json_is_number(x))
            return ak_fail(ctx, AKIN_EFORMAT, "a list holds no number");
        (*values)[i] = json_number_value(x);
    }
    return st;
}

akin_status case_integers(int64_t **values, int64_t *n, akin_ctx *ctx,
                          const json_t *list, int64_t width)
{
    *n = (int64_t)json_array_size(list);
    const akin_status st = AK_SCRATCH(ctx, *n * width, values);
    for (int64_t i = 0; st == AKIN_OK && i < *n; ++i) {
        const json_t *row = json_array_get(list, (size_t)i);
        if ((int64_t)json_array_size(row) != width)
            return ak_fail(ctx, AKIN_EFORMAT, "a row has not %" PRId64 " items",
                           width);
        for (int64_t k = 0; k < width; ++k)
            (*values)[i * width + k] =
                json_integer_value(json_array_get(row, (size_t)k));
    }
    return st;
}

akin_status case_matrix(double **A, int64_t *k, akin_ctx *ctx,
                        const json_t *list, int64_t d)
{
    double *row = NULL;
    akin_status st = AKIN_OK;
    *k = (int64_t)json_array_size(json_array_get(list, 0));
    AK_TRY(AK_SCRATCH(ctx, d * *k, A));
    for (int64_t i = 0; i < d; ++i) {
        int64_t n = 0;
        AK_TRY(case_numbers(&row, &n, ctx, json_array_get(list, (size_t)i)));
        if (n != *k)
            AK_TRY(
                ak_fail(ctx, AKIN_EFORMAT, "a list of rows that is no matrix"));
        memcpy(*A + i * n, row, (size_t)n * sizeof *row);
    }
done:
    return st;
}

akin_status case_input(double **A, int64_t *n, int64_t *d, akin_ctx *ctx,
                       const json_t *in, const char *key)
{
    const json_t *inputs, *list;
    akin_status st = AKIN_OK;
    AK_TRY(case_get(&inputs, ctx, in, "inputs"));
    AK_TRY(case_get(&list, ctx, inputs, key));
    *n = (int64_t)json_array_size(list);
    AK_TRY(case_matrix(A, d, ctx, list, *n));
done:
    return st;
}

akin_status case_pairs(int64_t **ij, int64_t *similar, int64_t *count,
                       akin_ctx *ctx, const json_t *in)
{
    const json_t *inputs = json_object_get(in, "inputs");
    int64_t *S, *D, n;
    akin_status st = AKIN_OK;
    AK_TRY(case_integers(&S, similar, ctx, json_object_get(inputs, "S"), 2));
    AK_TRY(case_integers(&D, &n, ctx, json_object_get(inputs, "D"), 2));
    *count = *similar + n;
    AK_TRY(AK_SCRATCH(ctx, 2 * *count, ij));
    for (int64_t k = 0; k < 2 * *count; ++k)
        (*ij)[k] = k < 2 * *similar ? S[k] : D[k - 2 * *similar];
done:
    return st;
}

/* How many entries all vectors have together. */
static int64_t count_entries(const json_t *vectors)
{
    int64_t total = 0;
    for (size_t i = 0; i < json_array_size(vectors); ++i)
        total += (int64_t)json_array_size(
            json_object_get(json_array_get(vectors, i), "i"));
    return total;
}

/* Append one vector at `at`; returns where it ends. */
static int64_t put_vector(const json_t *vector, int64_t at, int32_t *cols,
                          float *vals)
{
    const json_t *i = json_object_get(vector, "i");
    const json_t *v = json_object_get(vector, "v");
    for (size_t k = 0; k < json_array_size(i); ++k, ++at) {
        cols[at] = (int32_t)json_integer_value(json_array_get(i, k));
        vals[at] = (float)json_number_value(json_array_get(v, k));
    }
    return at;
}

akin_status case_sparse_rows(akin_rows **rows, akin_ctx *ctx, const json_t *in)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const json_t *vectors, *dim;
    int64_t *offsets = NULL;
    int32_t *cols = NULL;
    float *vals = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(case_get(&vectors, ctx, in, "vectors"));
    AK_TRY(case_get(&dim, ctx, in, "dim"));
    const int64_t n = (int64_t)json_array_size(vectors);
    const int64_t entries = count_entries(vectors);
    AK_TRY(AK_SCRATCH(ctx, n + 1, &offsets));
    AK_TRY(AK_SCRATCH(ctx, entries, &cols));
    AK_TRY(AK_SCRATCH(ctx, entries, &vals));
    for (int64_t i = 0; i < n; ++i)
        offsets[i + 1] = put_vector(json_array_get(vectors, (size_t)i),
                                    offsets[i], cols, vals);
    AK_TRY(akin_rows_new_sparse(rows, ctx, n, json_integer_value(dim), offsets,
                                cols, vals));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* A list of n numbers, or NULL when one of them is not finite. */
static json_t *list_of(int64_t n, const double *values)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n; ++i)
        if (json_array_append_new(list, json_real(values[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* jansson refuses what is not finite, and so does this. */
static akin_status put(akin_ctx *ctx, json_t *out, const char *key,
                       json_t *value)
{
    if (json_object_set_new(out, key, value) != 0)
        return ak_fail(ctx, AKIN_ENUMERIC, "%s is not finite", key);
    return AKIN_OK;
}

akin_status case_put(akin_ctx *ctx, json_t *out, const char *key, int64_t n,
                     const double *values)
{
    return put(ctx, out, key, list_of(n, values));
}

akin_status case_put_rows(akin_ctx *ctx, json_t *out, const char *key,
                          int64_t n, int64_t d, const double *values)
{
    json_t *rows = json_array();
    for (int64_t i = 0; i < n; ++i)
        if (json_array_append_new(rows, list_of(d, values + i * d)) != 0) {
            json_decref(rows);
            rows = NULL;
            break;
        }
    return put(ctx, out, key, rows);
}

akin_status case_put_number(akin_ctx *ctx, json_t *out, const char *key,
                            double value)
{
    return put(ctx, out, key, json_real(value));
}

void case_put_status(json_t *out, bool unbounded)
{
    json_object_set_new(out, "status",
                        json_string(unbounded ? "unbounded" : "ok"));
}
