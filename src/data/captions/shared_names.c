#include "data/captions/shared_names.h"

#include <stdlib.h>
#include <string.h>

/* ---- captions narrowed by confirmed names ---- */

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

/* Close the photo and begin the next one. */
static void end_photo(const narrowing *w, int64_t photo)
{
    ak_bags *to = w->to;
    to->photos[to->n_photos++] = w->from->photos[photo];
    to->item_offsets[to->n_photos + 1] = to->item_offsets[to->n_photos];
    to->name_offsets[to->n_photos + 1] = to->name_offsets[to->n_photos];
}

/* Can a face of the photo without a confirmed name have this name? */
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
    int64_t named = 0;
    for (int64_t f = 0; f < n; ++f) {
        const int32_t fixed = fixed_of(w, faces[f]);
        if (fixed < 0)
            continue;
        ++named;
        add_face(w->to, faces[f]);
        if (fixed < w->from->n_names)
            add_name(w->to, fixed);
        end_photo(w, photo);
    }
    if (named > 0 && named == n)
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
    *out = (ak_bags){.n_names = bags->n_names, .name_texts = bags->name_texts};
    AK_CHECK(AK_SCRATCH(ctx, n_photos, &out->photos));
    AK_CHECK(AK_SCRATCH(ctx, n_photos + 2, &out->item_offsets));
    AK_CHECK(AK_SCRATCH(ctx, n_photos + 2, &out->name_offsets));
    AK_CHECK(AK_SCRATCH(ctx, n, &out->items));
    AK_CHECK(
        AK_SCRATCH(ctx, bags->name_offsets[bags->n_photos] + n, &out->names));
    for (int64_t i = 0; i < bags->n_photos; ++i)
        narrow_photo(&w, i);
    return AKIN_OK;
}

/* ---- peers ---- */

/* A photo by its names, for sorting. */
typedef struct caption {
    const int32_t *names;
    int64_t n;
    int64_t photo;
} caption;

static int compare_names(const caption *a, const caption *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (int64_t k = 0; k < a->n; ++k)
        if (a->names[k] != b->names[k])
            return a->names[k] < b->names[k] ? -1 : 1;
    return 0;
}

static int by_names(const void *left, const void *right)
{
    const caption *a = left, *b = right;
    const int order = compare_names(a, b);
    return order ? order : (a->photo > b->photo) - (a->photo < b->photo);
}

static int by_number(const void *left, const void *right)
{
    const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

int64_t ak_shared_names_at(const int32_t *members, int64_t n, int64_t i)
{
    int64_t low = 0;
    while (n > 1) {
        const int64_t half = n / 2;
        if (members[low + half] <= i)
            low += half;
        n -= half;
    }
    return low;
}

bool ak_shared_names_has(const ak_shared_names *p, int64_t j, int64_t name)
{
    const int32_t *names;
    const int64_t r =
        p->photo[j] >= 0 ? ak_bags_names(p->bags, p->photo[j], &names) : 0;
    for (int64_t k = 0; k < r; ++k)
        if (names[k] == name)
            return !ak_confirmed_refuses(&p->said, j, (int32_t)name);
    return false;
}

/* photo and group of every face; `first` has one photo of each group. */
static akin_status make_groups(ak_shared_names *p, akin_ctx *ctx,
                               int32_t **first)
{
    const ak_bags *b = p->bags;
    caption *captions;
    AK_CHECK(AK_SCRATCH(ctx, p->n, &p->photo));
    AK_CHECK(AK_SCRATCH(ctx, p->n, &p->group));
    AK_CHECK(AK_SCRATCH(ctx, b->n_photos, &captions));
    AK_CHECK(AK_SCRATCH(ctx, b->n_photos, first));
    for (int64_t j = 0; j < p->n; ++j)
        p->photo[j] = p->group[j] = -1;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        captions[i].photo = i;
        captions[i].n = ak_bags_names(b, i, &captions[i].names);
    }
    if (b->n_photos > 0)
        qsort(captions, (size_t)b->n_photos, sizeof *captions, by_names);
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces, photo = captions[i].photo;
        const int64_t n = ak_bags_faces(b, photo, &faces);
        if (captions[i].n > 0 &&
            (i == 0 || compare_names(&captions[i - 1], &captions[i]) != 0))
            (*first)[p->n_groups++] = (int32_t)photo;
        for (int64_t k = 0; k < n; ++k) {
            p->photo[faces[k]] = (int32_t)photo;
            if (captions[i].n > 0)
                p->group[faces[k]] = (int32_t)(p->n_groups - 1);
        }
    }
    return AKIN_OK;
}

/* Faces by key (-1: none), increasing within a key; offsets: n_keys + 1. */
static void sort_faces(int64_t n, const int32_t *keys, int64_t n_keys,
                       int64_t *offsets, int32_t *faces)
{
    for (int64_t j = 0; j < n; ++j)
        if (keys[j] >= 0)
            ++offsets[keys[j] + 1];
    for (int64_t k = 0; k < n_keys; ++k)
        offsets[k + 1] += offsets[k];
    for (int64_t j = 0; j < n; ++j)
        if (keys[j] >= 0)
            faces[offsets[keys[j]]++] = (int32_t)j;
    for (int64_t k = n_keys; k > 0; --k)
        offsets[k] = offsets[k - 1];
    offsets[0] = 0;
}

/* The photos that each name is in. */
typedef struct places {
    int64_t *offsets;
    int32_t *photos;
} places;

static akin_status find_places(places *out, akin_ctx *ctx, const ak_bags *b)
{
    const int64_t total = b->name_offsets[b->n_photos];
    AK_CHECK(AK_SCRATCH(ctx, b->n_names + 1, &out->offsets));
    AK_CHECK(AK_SCRATCH(ctx, total, &out->photos));
    sort_faces(total, b->names, b->n_names, out->offsets, out->photos);
    int64_t photo = 0;  // positions among all names become photos
    int32_t *photo_of;
    AK_CHECK(AK_SCRATCH(ctx, total, &photo_of));
    for (int64_t k = 0; k < total; ++k) {
        while (k >= b->name_offsets[photo + 1])
            ++photo;
        photo_of[k] = (int32_t)photo;
    }
    for (int64_t k = 0; k < total; ++k)
        out->photos[k] = photo_of[out->photos[k]];
    return AKIN_OK;
}

/* Faces of all photos that share a name with `photo`, each once, increasing;
 * `stamp` marks the photos that were taken. */
static int64_t collect(const ak_bags *b, const places *where, int32_t photo,
                       int32_t mark, int32_t *stamp, int32_t *out)
{
    const int32_t *names;
    const int64_t n_names = ak_bags_names(b, photo, &names);
    int64_t n = 0;
    for (int64_t k = 0; k < n_names; ++k)
        for (int64_t at = where->offsets[names[k]];
             at < where->offsets[names[k] + 1]; ++at) {
            const int64_t *faces, other = where->photos[at];
            if (stamp[other] == mark)
                continue;
            stamp[other] = mark;
            const int64_t n_faces = ak_bags_faces(b, other, &faces);
            for (int64_t f = 0; f < n_faces; ++f)
                out[n++] = (int32_t)faces[f];
        }
    if (n > 0)
        qsort(out, (size_t)n, sizeof *out, by_number);
    return n;
}

static akin_status find_members(ak_shared_names *p, akin_ctx *ctx,
                                const int32_t *first)
{
    places where;
    int32_t *stamp, *row;
    int64_t total = 0;
    AK_CHECK(find_places(&where, ctx, p->bags));
    AK_CHECK(AK_SCRATCH(ctx, p->bags->n_photos, &stamp));
    AK_CHECK(AK_SCRATCH(ctx, p->n, &row));
    AK_CHECK(AK_SCRATCH(ctx, p->n_groups + 1, &p->member_offsets));
    for (int pass = 0; pass < 2; ++pass) {
        total = 0;
        for (int32_t g = 0; g < p->n_groups; ++g) {
            const int32_t mark = 2 * g + pass + 1;
            total += collect(p->bags, &where, first[g], mark, stamp,
                             pass ? p->members + total : row);
            p->member_offsets[g + 1] = total;
        }
        if (pass == 0)
            AK_CHECK(AK_SCRATCH(ctx, total, &p->members));
    }
    return AKIN_OK;
}

akin_status ak_shared_names_find(ak_shared_names *out, akin_ctx *ctx,
                                 const ak_bags *bags, int64_t n)
{
    ak_shared_names p = {.n = n, .n_names = bags->n_names, .bags = bags};
    int32_t *first;
    AK_CHECK(make_groups(&p, ctx, &first));
    AK_CHECK(AK_SCRATCH(ctx, p.n_groups + 1, &p.face_offsets));
    AK_CHECK(AK_SCRATCH(ctx, n, &p.faces));
    sort_faces(n, p.group, p.n_groups, p.face_offsets, p.faces);
    AK_CHECK(find_members(&p, ctx, first));
    AK_CHECK(AK_SCRATCH(ctx, n + 1, &p.start));
    for (int64_t j = 0; j < n; ++j) {
        const int32_t *members;
        p.start[j + 1] = p.start[j] + ak_shared_names_get(&p, j, &members);
    }
    *out = p;
    return AKIN_OK;
}
