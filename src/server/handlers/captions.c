#include "server/handlers/captions.h"

#include <akin/mentions.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"

/* Told of one caption; pages show less. */
enum { NAMES_MOST = 500, MENTIONS_MOST = 2000, BYTES_MOST = 1 << 16 };

/* ---- characters ---- */

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

/* Characters before each of the first bytes; NULL: no memory. */
static int32_t *count_characters(const char *text, size_t n)
{
    int32_t *before = calloc(n + 2, sizeof *before);
    for (size_t k = 0; before != NULL && k <= n; ++k)
        before[k + 1] = before[k] + (k < n && begins_character(text[k]));
    return before;
}

/* The byte at which a character begins, or the end of the text; -1: it has not
 * that many. */
static int64_t byte_of(const char *text, int64_t character)
{
    int64_t at = 0;
    for (;; ++at) {
        if ((text[at] == '\0' || begins_character(text[at])) &&
            character-- == 0)
            return at;
        if (text[at] == '\0')
            return -1;
    }
}

/* ---- names ---- */

static json_t *presence_json(akin_presence presence)
{
    return presence == AKIN_CREDITED ? json_string("credit")
                                     : json_boolean(presence == AKIN_PICTURED);
}

static json_t *mentions_json(const akin_caption_names *names, int64_t i,
                             int64_t count, const int32_t *before, size_t reach,
                             int64_t *left)
{
    json_t *list = json_array();
    for (int64_t k = 0; k<count && * left> 0; ++k) {
        size_t start, end;
        akin_caption_names_mention(&start, &end, names, i, k);
        if (end > reach)
            continue;
        json_array_append_new(
            list, json_pack("[i, i]", (int)before[start], (int)before[end]));
        --*left;
    }
    return list;
}

static json_t *names_json(const akin_caption_names *names,
                          const int32_t *before, size_t reach)
{
    json_t *list = json_array();
    int64_t left = MENTIONS_MOST;
    for (int64_t i = 0; i < akin_caption_names_count(names) && i < NAMES_MOST;
         ++i) {
        akin_caption_name x;
        akin_caption_names_get(&x, names, i);
        json_array_append_new(
            list,
            APP_OBJECT(
                APP_KEY("name", app_json_string(x.name)),
                APP_KEY("in_picture", presence_json(x.presence)),
                APP_KEY("position", *x.position ? x.position : NULL),
                APP_KEY("probability", x.probability),
                APP_KEY("in_picture_probability", x.in_picture),
                APP_KEY("said", (bool)(x.said != 0)),
                APP_KEY("mentions", mentions_json(names, i, x.mentions, before,
                                                  reach, &left))));
    }
    return list;
}

akin_status captions_names(json_t **out, akin_ctx *ctx, const reviewing *x,
                           int64_t photo)
{
    akin_caption_names *names = NULL;
    int32_t *before = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_caption_names_read(&names, ctx, x->c, photo));
    const char *text = akin_caption_names_text(names);
    const size_t n = text ? strnlen(text, BYTES_MOST) : 0;
    before = count_characters(text, n);
    st = before ? AKIN_OK : AKIN_ENOMEM;
    APP_TRY(st);
    *out = names_json(names, before, n);
done:
    akin_caption_names_free(names);
    free(before);
    return st;
}

/* ---- corrections ---- */

/* Characters to bytes, in the caption as it is now. */
static akin_status take_place(akin_ctx *ctx, served *s, const json_t *start,
                              const json_t *end, akin_answer *x)
{
    akin_collection *c = NULL;
    akin_caption_names *names = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(pool_take(&c, ctx, s));
    APP_TRY(akin_caption_names_read(&names, ctx, c, x->photo));
    const char *text = akin_caption_names_text(names);
    if (text != NULL && json_integer_value(start) >= 0 &&
        json_integer_value(end) >= 0) {
        x->start = byte_of(text, json_integer_value(start));
        x->end = byte_of(text, json_integer_value(end));
    }
    if (x->start < 0 || x->end < 0)
        x->start = x->end = 0;  // no place: it is refused
done:
    akin_caption_names_free(names);
    pool_give(s, c);
    return st;
}

bool captions_take(request *r, worker *w, served *s, const json_t *body,
                   akin_answer *x)
{
    const json_t *photo = json_object_get(body, "photo");
    const json_t *start = json_object_get(body, "start");
    const json_t *end = json_object_get(body, "end");
    const bool placed = start != NULL || end != NULL;
    if (!json_is_integer(photo) || json_integer_value(photo) < 0) {
        reply_error(r, 400, "\"photo\": expected the photo_id of a face");
        return false;
    }
    if (placed && !(json_is_integer(start) && json_is_integer(end))) {
        reply_error(r, 400, "\"start\" and \"end\": expected two numbers");
        return false;
    }
    x->photo = json_integer_value(photo);
    const akin_status st = placed ? take_place(w->ctx, s, start, end, x)
                                  : AKIN_OK;
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    return st == AKIN_OK;
}
