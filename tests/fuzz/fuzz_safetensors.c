/* Any bytes as a safetensors file: accepted whole or refused. */
#include "fuzz.h"
#include "tensors/tensors.h"

static volatile unsigned touched;

static void touch(const ak_tensor *x)
{
    size_t n = ak_dtype_size(x->dtype);
    for (int64_t i = 0; i < x->n_dims; ++i)
        n *= (size_t)x->shape[i];
    const unsigned char *bytes = x->data;
    for (size_t i = 0; i < n; ++i)
        touched += bytes[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    ak_tensors *t = NULL;
    if (ak_tensors_parse(&t, ctx, "fuzz", data, n) != AKIN_OK)
        return 0;
    for (int64_t i = 0; i < ak_tensors_count(t); ++i)
        touch(ak_tensors_at(t, i));
    for (int64_t i = 0; i < ak_tensors_note_count(t); ++i) {
        const char *key, *value;
        int64_t whole;
        double real;
        ak_tensors_note_at(t, i, &key, &value);
        touched += (unsigned)ak_tensors_need_i64(t, ctx, key, &whole);
        touched += (unsigned)ak_tensors_need_f64(t, ctx, key, &real);
    }
    ak_tensors_free(t);
    return 0;
}
