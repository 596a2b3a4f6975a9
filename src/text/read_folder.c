/* Documents of a folder, one file each. */
#include <math.h>

#include "data/io/source.h"
#include "text/folder.h"
#include "text/reading.h"
#include "text/window.h"

static akin_status feed_source(ak_reading *r, ak_source *s)
{
    size_t got = 0;
    akin_status st = AKIN_OK;
    do {
        AK_TRY(ak_source_read(s, r->ctx, r->piece, AK_TEXT_PIECE, &got));
        AK_TRY(ak_bag_feed(&r->bag, r->piece, got));
    } while (got == AK_TEXT_PIECE && r->bag.words.n_zero == 0);
done:
    return st;
}

/* Is it the document's trouble alone? */
static bool is_local(akin_status st)
{
    return st == AKIN_ENOENT || st == AKIN_EIO || st == AKIN_EFORMAT;
}

static akin_status read_document(ak_reading *r, const char *path,
                                 const char *label)
{
    ak_source *s = NULL;
    akin_status st;
    ak_bag_open(&r->bag);
    ak_ctx_quiet_begin(r->ctx);
    st = ak_source_open(&s, r->ctx, path, AK_SOURCE_TEXT);
    if (st == AKIN_OK)
        st = feed_source(r, s);
    ak_source_close(s);
    ak_ctx_quiet_end(r->ctx);
    if (st == AKIN_OK)
        return ak_reading_close(r, path, label, '\0');
    if (!is_local(st))
        return st;
    ak_bag_undo(&r->bag);
    return ak_trouble_tell(&r->trouble, r->ctx, AK_LEFT_OUT_UNREADABLE, "%s",
                           akin_ctx_message(r->ctx));
}

akin_status ak_reading_folder(ak_reading *r)
{
    ak_folder f = {0};
    ak_window w = {.r = r};
    int64_t loose = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_folder_list(&f, r->ctx, r->path, &r->trouble));
    for (int64_t i = 0; i < f.n; ++i) {
        const ak_document *d = &f.documents[i];
        AK_TRY(ak_ctx_tick(r->ctx, "documents", i, f.n, NAN));
        const char *label = d->label < 0 ? NULL : f.classes[d->label];
        bool taken = false;
        AK_TRY(ak_window_take(&w, d->path, label, &taken));
        if (!taken || ak_window_is_full(&w))
            AK_TRY(ak_window_count(&w));
        if (!taken)
            AK_TRY(read_document(r, d->path, label));
        loose += d->label < 0;
    }
    AK_TRY(ak_window_count(&w));
    if (loose > 0)
        ak_log(r->ctx, AKIN_LOG_INFO,
               "%s: documents in no sub-folder have no class: %" PRId64,
               r->path, loose);
done:
    ak_window_free(&w);
    ak_folder_free(&f);
    return st;
}
