#include "collection/faces/named_photos.h"

#include <string.h>

akin_status ak_named_photos_add(ak_named_photos *p, akin_ctx *ctx,
                                const char *name, size_t n, int32_t *number)
{
    const int64_t before = p->names.n;
    AK_CHECK(ak_grow(ctx, before + 1, &p->room, sizeof *p->named, &p->named));
    AK_CHECK(ak_names_add(&p->names, ctx, name, n, number));
    if (p->names.n > before)
        p->named[before] = AK_NAMED_NONE;
    return AKIN_OK;
}

/* By the whole path, else by its last part; -1: neither. */
static int32_t number_of(const ak_names *names, const char *photo, bool *whole)
{
    const char *slash = strrchr(photo, '/');
    const int32_t at = ak_names_find(names, photo, strlen(photo));
    *whole = at >= 0;
    return at >= 0 || slash == NULL
               ? at
               : ak_names_find(names, slash + 1, strlen(slash + 1));
}

void ak_named_photos_see(ak_named_photos *p, const char *photo)
{
    bool whole;
    const int32_t at = number_of(&p->names, photo, &whole);
    if (at < 0)
        return;
    if (whole)
        p->named[at] = AK_NAMED_EXACTLY;
    else if (p->named[at] != AK_NAMED_EXACTLY)
        p->named[at] = p->named[at] < AK_NAMED_ONE ? AK_NAMED_ONE
                                                   : AK_NAMED_SEVERAL;
}

int32_t ak_named_photos_find(const ak_named_photos *p, const char *photo)
{
    bool whole;
    const int32_t at = number_of(&p->names, photo, &whole);
    return at >= 0 && (whole || p->named[at] <= AK_NAMED_ONE) ? at : -1;
}

/* ---- what is wrong ---- */

/* Photos of other folders may be in the file too. */
static akin_status see_before(ak_named_photos *p, akin_ctx *ctx,
                              const ak_catalog *c)
{
    sqlite3_stmt *q = NULL;
    bool row = true, whole;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&c->sql, ctx, &q, "SELECT CAST(name AS TEXT) FROM photos",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(&c->sql, ctx, q, &row));
        if (!row)
            break;
        const char *name = (const char *)sqlite3_column_text(q, 0);
        const int32_t at = number_of(&p->names, name ? name : "", &whole);
        if (at >= 0 && p->named[at] == AK_NAMED_NONE)
            p->named[at] = AK_NAMED_BEFORE;
    }
done:
    sqlite3_finalize(q);
    return st;
}

static void report(const ak_named_photos *p, akin_ctx *ctx, const char *file,
                   ak_named named, const char *what)
{
    int64_t n = 0, first = 0;
    for (int64_t i = p->names.n - 1; i >= 0; --i)
        if (p->named[i] == named) {
            first = i;
            ++n;
        }
    if (n > 0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%s: \"%.200s\" is %s (%" PRId64 " in all); ignored", file,
               p->names.texts[first], what, n);
}

akin_status ak_named_photos_report(ak_named_photos *p, akin_ctx *ctx,
                                   const ak_catalog *c, const char *file)
{
    if (p->names.n == 0)
        return AKIN_OK;
    AK_CHECK(see_before(p, ctx, c));
    report(p, ctx, file, AK_NAMED_NONE, "not the name of a photo");
    report(p, ctx, file, AK_NAMED_SEVERAL,
           "the name of several photos, which need their paths");
    return AKIN_OK;
}

void ak_named_photos_free(ak_named_photos *p)
{
    ak_names_free(&p->names);
    akin_free(p->named);
    *p = (ak_named_photos){0};
}
