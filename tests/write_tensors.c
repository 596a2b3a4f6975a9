/* A file of one tensor of each type, for read_safetensors.py. */
#include <stdio.h>

#include "tensors/tensors.h"

static const unsigned char u8[] = {1, 2, 255};
static const int32_t i32[] = {1, -2, 3, -4};
static const int64_t i64[] = {-((int64_t)1 << 62)};
static const float f32[] = {0.5F};
static const double f64[] = {0.1, -0.0, 1e-300, 1e300};
static const ak_tensor all[] = {
    {"u8", AK_DTYPE_U8, 1, {3}, u8},
    {"i32", AK_DTYPE_I32, 2, {2, 2}, i32},
    {"i64", AK_DTYPE_I64, 1, {1}, i64},
    {"f32", AK_DTYPE_F32, 0, {0}, f32},
    {"f64", AK_DTYPE_F64, 4, {2, 1, 1, 2}, f64},
    {"none", AK_DTYPE_F32, 2, {0, 7}, f32},
};

int main(int argc, char **argv)
{
    akin_ctx *ctx = NULL;
    ak_tensors *t = NULL;
    akin_status st = AKIN_EINVAL;
    if (argc != 2 || akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 2;
    AK_TRY(ak_tensors_new(&t, ctx));
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        AK_TRY(ak_tensors_put(t, ctx, all[i]));
    AK_TRY(ak_tensors_note(t, ctx, "text", "a \"quoted\" \xc3\xbc\n"));
    AK_TRY(ak_tensors_write(t, ctx, argv[1]));
done:
    if (st != AKIN_OK)
        fprintf(stderr, "%s\n", akin_ctx_message(ctx));
    ak_tensors_free(t);
    akin_ctx_free(ctx);
    return akin_status_exit(st);
}
