#include "text/persons/labelled.h"

#include <jansson.h>
#include <string.h>

enum { LONGEST = 16 << 20 };  // bytes of a line

static akin_status bad(const ak_source *s, akin_ctx *ctx, const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s", ak_source_name(s),
                   ak_source_line_number(s), what);
}

static akin_status copy_text(char **out, akin_ctx *ctx, const json_t *string,
                             size_t *n)
{
    *n = json_string_length(string);
    AK_CHECK(ak_alloc(ctx, (int64_t)*n + 1, 1, out));
    memcpy(*out, json_string_value(string), *n);
    return AKIN_OK;
}

/* true, false or "credit". */
static bool read_presence(const json_t *value, akin_presence *out)
{
    if (json_is_boolean(value)) {
        *out = json_is_true(value) ? AKIN_PICTURED : AKIN_MENTIONED;
        return true;
    }
    *out = AKIN_CREDITED;
    return json_is_string(value) &&
           strcmp(json_string_value(value), "credit") == 0;
}

static akin_status add_mention(ak_labelled_captions *l, akin_ctx *ctx,
                               const ak_source *s, const json_t *text,
                               akin_presence presence)
{
    ak_labelled_mention *m;
    if (!json_is_string(text) || json_string_length(text) == 0)
        return bad(s, ctx, "\"mentions\" is not a list of texts");
    AK_CHECK(ak_grow(ctx, l->n_mentions + 1, &l->room_mentions,
                     sizeof *l->mentions, &l->mentions));
    m = &l->mentions[l->n_mentions];
    *m = (ak_labelled_mention){.presence = presence};
    AK_CHECK(copy_text(&m->text, ctx, text, &m->n));
    ++l->n_mentions;
    return AKIN_OK;
}

static akin_status add_person(ak_labelled_captions *l, akin_ctx *ctx,
                              const ak_source *s, const json_t *person)
{
    const json_t *mentions = json_object_get(person, "mentions");
    akin_presence presence;
    if (!json_is_array(mentions) || json_array_size(mentions) == 0)
        return bad(s, ctx, "a name has no list \"mentions\"");
    if (!read_presence(json_object_get(person, "in_picture"), &presence))
        return bad(s, ctx,
                   "\"in_picture\" is none of true, false and \"credit\"");
    for (size_t k = 0; k < json_array_size(mentions); ++k)
        AK_CHECK(add_mention(l, ctx, s, json_array_get(mentions, k), presence));
    return AKIN_OK;
}

static akin_status add_caption(ak_labelled_captions *l, akin_ctx *ctx,
                               const ak_source *s, const json_t *line)
{
    const json_t *caption = json_object_get(line, "caption");
    const json_t *names = json_object_get(line, "names");
    if (!json_is_string(caption))
        return bad(s, ctx, "no text \"caption\"");
    if (!json_is_array(names))
        return bad(s, ctx, "no list \"names\"");
    AK_CHECK(
        ak_grow(ctx, l->n + 1, &l->room, sizeof *l->captions, &l->captions));
    ak_labelled_caption *c = &l->captions[l->n];
    *c = (ak_labelled_caption){.first = l->n_mentions,
                               .persons = (int64_t)json_array_size(names)};
    AK_CHECK(copy_text(&c->text, ctx, caption, &c->n));
    ++l->n;
    for (size_t k = 0; k < json_array_size(names); ++k)
        AK_CHECK(add_person(l, ctx, s, json_array_get(names, k)));
    l->captions[l->n - 1].end = l->n_mentions;
    return AKIN_OK;
}

static akin_status read_line(ak_labelled_captions *l, akin_ctx *ctx,
                             const ak_source *s, const char *line, size_t n)
{
    json_error_t error;
    json_t *object;
    akin_status st = AKIN_OK;
    if (n > LONGEST)
        return bad(s, ctx, "line is longer than 16 MiB");
    object = json_loadb(line, n, JSON_REJECT_DUPLICATES, &error);
    if (object == NULL && json_error_code(&error) == json_error_out_of_memory)
        return ak_nomem(ctx, n);
    if (object == NULL)
        return ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": not JSON: %s",
                       ak_source_name(s), ak_source_line_number(s), error.text);
    st = add_caption(l, ctx, s, object);
    json_decref(object);
    return st;
}

akin_status ak_labelled_read(ak_labelled_captions *out, akin_ctx *ctx,
                             ak_source *source)
{
    char *line;
    size_t n;
    for (;;) {
        AK_CHECK(ak_source_line(source, ctx, &line, &n));
        if (line == NULL)
            break;
        if (n > 0)
            AK_CHECK(read_line(out, ctx, source, line, n));
    }
    if (out->n_mentions == 0)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: no labelled names",
                       ak_source_name(source));
    return AKIN_OK;
}

void ak_labelled_free(ak_labelled_captions *l)
{
    for (int64_t i = 0; i < l->n; ++i)
        akin_free(l->captions[i].text);
    for (int64_t i = 0; i < l->n_mentions; ++i)
        akin_free(l->mentions[i].text);
    akin_free(l->captions);
    akin_free(l->mentions);
    *l = (ak_labelled_captions){0};
}
