/* Candidate names of faces, by captions and what a person has said. */
#include "data/captions/peers.h"

bool ak_confirmed_refuses(const ak_confirmed *c, int64_t face, int32_t name)
{
    int64_t low = 0, high = c->n_refused;
    while (low < high) {
        const int64_t at = (low + high) / 2;
        const int32_t *pair = c->refused + 2 * at;
        if (pair[0] < face || (pair[0] == face && pair[1] < name))
            low = at + 1;
        else
            high = at;
    }
    return low < c->n_refused && c->refused[2 * low] == face &&
           c->refused[2 * low + 1] == name;
}

typedef struct narrowing {
    const ak_bags *from;
    const ak_confirmed *c;
    ak_bags *to;
} narrowing;

static int32_t fixed_of(const narrowing *w, int64_t face)
{
    return w->c->fixed ? w->c->fixed[face] : -1;
}

static void add_face(const ak_bags *to, int64_t face)
{
    to->items[to->item_offsets[to->n_photos + 1]++] = face;
}

static void add_name(const ak_bags *to, int32_t name)
{
    to->names[to->name_offsets[to->n_photos + 1]++] = name;
}

/* The photo is whole; the next one begins. */
static void end_photo(const narrowing *w, int64_t photo)
{
    ak_bags *to = w->to;
    to->photos[to->n_photos++] = w->from->photos[photo];
    to->item_offsets[to->n_photos + 1] = to->item_offsets[to->n_photos];
    to->name_offsets[to->n_photos + 1] = to->name_offsets[to->n_photos];
}

/* Can a face of the photo, not told yet, have this name? */
static bool is_left(const narrowing *w, const int64_t *faces, int64_t n,
                    int32_t name)
{
    bool open = n == 0;
    for (int64_t f = 0; f < n; ++f) {
        const int32_t fixed = fixed_of(w, faces[f]);
        if (fixed == name)
            return false;
        open |= fixed < 0 && !ak_confirmed_refuses(w->c, faces[f], name);
    }
    return open;
}

static void narrow_photo(const narrowing *w, int64_t photo)
{
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(w->from, photo, &faces);
    const int64_t r = ak_bags_names(w->from, photo, &names);
    int64_t told = 0;
    for (int64_t f = 0; f < n; ++f) {
        const int32_t fixed = fixed_of(w, faces[f]);
        if (fixed < 0)
            continue;
        ++told;
        add_face(w->to, faces[f]);
        if (fixed < w->from->n_names)
            add_name(w->to, fixed);
        end_photo(w, photo);
    }
    if (told > 0 && told == n)
        return;
    for (int64_t f = 0; f < n; ++f)
        if (fixed_of(w, faces[f]) < 0)
            add_face(w->to, faces[f]);
    for (int64_t k = 0; k < r; ++k)
        if (is_left(w, faces, n, names[k]))
            add_name(w->to, names[k]);
    end_photo(w, photo);
}

akin_status ak_bags_confirmed(ak_bags *out, akin_ctx *ctx, const ak_bags *bags,
                              const ak_confirmed *c)
{
    const narrowing w = {bags, c, out};
    const int64_t n = bags->item_offsets[bags->n_photos];
    const int64_t n_photos = bags->n_photos + n;
    akin_status st = AKIN_OK;
    *out = (ak_bags){.n_names = bags->n_names, .name_texts = bags->name_texts};
    AK_TRY(AK_SCRATCH(ctx, n_photos, &out->photos));
    AK_TRY(AK_SCRATCH(ctx, n_photos + 2, &out->item_offsets));
    AK_TRY(AK_SCRATCH(ctx, n_photos + 2, &out->name_offsets));
    AK_TRY(AK_SCRATCH(ctx, n, &out->items));
    AK_TRY(
        AK_SCRATCH(ctx, bags->name_offsets[bags->n_photos] + n, &out->names));
    for (int64_t i = 0; i < bags->n_photos; ++i)
        narrow_photo(&w, i);
done:
    return st;
}
