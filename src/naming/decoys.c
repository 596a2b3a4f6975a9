#include "naming/decoys.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum { DECOYS_MOST = 8000 };

/* The faces of each name: those of all photos whose captions have it. */
typedef struct name_faces {
    int64_t *first;  // n_names + 1
    int32_t *faces;
} name_faces;

static akin_status list_faces(name_faces *out, akin_ctx *ctx, const ak_bags *b)
{
    int64_t *at;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, b->n_names + 1, &out->first));
    AK_TRY(AK_SCRATCH(ctx, b->n_names + 1, &at));
    for (int pass = 0; pass < 2; ++pass) {
        for (int64_t i = 0; i < b->n_photos; ++i) {
            const int64_t *faces;
            const int32_t *names;
            const int64_t n = ak_bags_faces(b, i, &faces);
            const int64_t r = ak_bags_names(b, i, &names);
            for (int64_t q = 0; q < r; ++q) {
                if (pass == 0)
                    out->first[names[q] + 1] += n;
                for (int64_t f = 0; pass > 0 && f < n; ++f)
                    out->faces[at[names[q]]++] = (int32_t)faces[f];
            }
        }
        if (pass > 0)
            break;
        for (int64_t q = 0; q < b->n_names; ++q)
            out->first[q + 1] += out->first[q];
        memcpy(at, out->first, (size_t)b->n_names * sizeof *at);
        AK_TRY(AK_SCRATCH(ctx, out->first[b->n_names], &out->faces));
    }
done:
    return st;
}

/* Photos with faces and names, each with another one of them; in the order of
 * their first rows, whatever that of the captions is. */
typedef struct partners {
    int64_t n;
    int64_t *photos, *others;
} partners;

static akin_status find_partners(partners *out, akin_ctx *ctx,
                                 const ak_shared_names *peers)
{
    const ak_bags *b = peers->bags;
    bool *seen;
    ak_rng rng = ak_rng_new(0, AK_STREAM_SHUFFLE);
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, b->n_photos, &out->photos));
    AK_TRY(AK_SCRATCH(ctx, b->n_photos, &out->others));
    AK_TRY(AK_SCRATCH(ctx, b->n_photos, &seen));
    for (int64_t f = 0; f < peers->n; ++f) {
        const int32_t i = peers->photo[f];
        if (i < 0 || seen[i] || b->name_offsets[i + 1] == b->name_offsets[i])
            continue;
        seen[i] = true;
        out->photos[out->n++] = i;
    }
    memcpy(out->others, out->photos, (size_t)out->n * sizeof *out->others);
    ak_rng_shuffle(&rng, out->n, out->others);
done:
    return st;
}

static bool has_name(const ak_bags *b, int64_t photo, int32_t name)
{
    const int32_t *names;
    const int64_t r = ak_bags_names(b, photo, &names);
    for (int64_t q = 0; q < r; ++q)
        if (names[q] == name)
            return true;
    return false;
}

typedef struct choice {
    const ak_shared_names *peers;
    const ak_bags *b;
    name_faces by_name;
    int64_t n_voters, n_members, n_groups;  // so far
    ak_decoys *out;
    bool counted;  // there is room: fill it
} choice;

static int rising(const void *left, const void *right)
{
    const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* The decoys of a photo: the faces of the photo by the names of the other. */
static void add_photo(choice *s, int64_t photo, int64_t other)
{
    const ak_bags *b = s->b;
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(b, photo, &faces);
    const int64_t r = ak_bags_names(b, other, &names);
    int64_t members = 0;
    ak_decoys *out = s->out;
    int32_t *all = s->counted ? out->peers.members + s->n_members : NULL;
    for (int64_t q = 0; q < r; ++q) {
        if (has_name(b, photo, names[q]))
            continue;
        const int64_t first = s->n_voters;
        for (int64_t k = s->by_name.first[names[q]];
             k < s->by_name.first[names[q] + 1]; ++k) {
            const int32_t g = s->by_name.faces[k];
            if (s->peers->photo[g] == photo || s->peers->photo[g] == other)
                continue;
            if (s->counted)
                all[members] = out->voters[s->n_voters] = g;
            ++members;
            ++s->n_voters;
        }
        for (int64_t f = 0; f < n; ++f, ++out->n)
            if (s->counted)
                out->list[out->n] = (ak_decoy){
                    (int32_t)faces[f],          names[q], other,
                    b->name_offsets[other] + q, first,    s->n_voters};
    }
    if (members == 0)
        return;
    if (s->counted) {
        int64_t kept = 0;
        qsort(all, (size_t)members, sizeof *all, rising);
        for (int64_t k = 0; k < members; ++k)
            if (k == 0 || all[k] != all[k - 1])
                all[kept++] = all[k];
        members = kept;
        for (int64_t f = 0; f < n; ++f)
            out->peers.group[faces[f]] = (int32_t)s->n_groups;
        out->peers.member_offsets[s->n_groups + 1] = s->n_members + members;
    }
    s->n_members += members;
    ++s->n_groups;
}

static void add_photos(choice *s, const partners *p, int64_t step)
{
    s->n_voters = s->n_members = s->n_groups = s->out->n = 0;
    for (int64_t k = 0; k < p->n; k += step)
        if (p->photos[k] != p->others[k])
            add_photo(s, p->photos[k], p->others[k]);
}

/* Room for what was counted. */
static akin_status take_room(choice *s, akin_ctx *ctx)
{
    ak_shared_names *p = &s->out->peers;
    akin_status st = AKIN_OK;
    *p = (ak_shared_names){.n = s->peers->n,
                           .n_names = s->peers->n_names,
                           .bags = s->b,
                           .photo = s->peers->photo,
                           .n_groups = s->n_groups};
    AK_TRY(AK_SCRATCH(ctx, s->out->n, &s->out->list));
    AK_TRY(AK_SCRATCH(ctx, s->n_voters, &s->out->voters));
    AK_TRY(AK_SCRATCH(ctx, s->n_voters, &s->out->places));
    AK_TRY(AK_SCRATCH(ctx, s->n_members, &p->members));
    AK_TRY(AK_SCRATCH(ctx, s->n_groups + 1, &p->member_offsets));
    AK_TRY(AK_SCRATCH(ctx, p->n, &p->group));
    AK_TRY(AK_SCRATCH(ctx, p->n + 1, &p->start));
    for (int64_t f = 0; f < p->n; ++f)
        p->group[f] = -1;
    s->counted = true;
done:
    return st;
}

static void find_places(ak_decoys *s, const ak_decoy *d)
{
    const int32_t *members;
    const int64_t n = ak_shared_names_get(&s->peers, d->face, &members);
    for (int64_t v = d->first; v < d->end; ++v)
        s->places[v] = (int32_t)ak_shared_names_at(members, n, s->voters[v]);
}

akin_status ak_decoys_choose(ak_decoys *out, akin_ctx *ctx,
                             const ak_shared_names *peers)
{
    choice s = {.peers = peers, .b = peers->bags, .out = out};
    partners pairs = {0};
    akin_status st = AKIN_OK;
    *out = (ak_decoys){0};
    AK_TRY(list_faces(&s.by_name, ctx, s.b));
    AK_TRY(find_partners(&pairs, ctx, peers));
    add_photos(&s, &pairs, 1);
    const int64_t step = 1 + out->n / DECOYS_MOST;
    add_photos(&s, &pairs, step);
    AK_TRY(take_room(&s, ctx));
    add_photos(&s, &pairs, step);
    for (int64_t k = 0; k < out->n; ++k)
        find_places(out, &out->list[k]);
    for (int64_t f = 0; f < peers->n; ++f) {
        const int32_t *members;
        out->peers.start[f + 1] = out->peers.start[f] +
                                  ak_shared_names_get(&out->peers, f, &members);
    }
done:
    return st;
}
