/* Examples as they arrive. */
#include "data/supervision/lines.h"

enum { AT_ONCE = 1 << 16 };  // examples handed out by one call, at most

struct akin_stream {
    ak_lines lines;
    int64_t *numbers;
    int64_t room;  // examples that fit into numbers
};

akin_status akin_stream_open(akin_stream **out, akin_ctx *ctx,
                             akin_knowledge what, const char *path,
                             int64_t n_left, int64_t n_right)
{
    const int64_t n_other = n_right ? n_right : n_left;
    const ak_line_form plain = {2, {n_left, n_other}, false, "i j"};
    const ak_line_form form =
        what == AKIN_NOTHING ? plain : ak_line_form_of(what, n_left, n_other);
    akin_stream *s = NULL;
    akin_status st = AKIN_OK;

    if (form.n == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "a stream is of pairs, triplets or quadruplets"));
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->lines.form = form;
    s->lines.more = what == AKIN_NOTHING;
    AK_TRY(ak_source_open(&s->lines.source, ctx, path, AK_SOURCE_TEXT));
    *out = s;
    s = NULL;
done:
    akin_stream_close(s);
    return st;
}

akin_status akin_stream_next(const int64_t **numbers, int64_t *count,
                             akin_ctx *ctx, akin_stream *s, int64_t most)
{
    const int64_t n = ak_min_i64(most, AT_ONCE);
    akin_status st = AKIN_OK;

    *count = 0;
    if (n > s->room) {
        AK_TRY(ak_resize(ctx, n * s->lines.form.n, sizeof *s->numbers,
                         &s->numbers));
        s->room = n;
    }
    /* Progress is the caller's to report, in examples rather than bytes. */
    ak_ctx_quiet_begin(ctx);
    st = ak_lines_next(&s->lines, ctx, true, n, s->numbers, count);
    ak_ctx_quiet_end(ctx);
    *numbers = s->numbers;
done:
    return st;
}

void akin_stream_close(akin_stream *s)
{
    if (s == NULL)
        return;
    ak_source_close(s->lines.source);
    akin_free(s->numbers);
    akin_free(s);
}
