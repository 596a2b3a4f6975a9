#include "text/persons/persons.h"

#include <stdio.h>
#include <string.h>

#include "text/persons/letters.h"
#include "text/persons/people.h"
#include "text/persons/position.h"

typedef struct found {
    char *name;
    char position[AK_POSITION_ROOM];
    akin_position where;
    double probability;
    double presence[AKIN_PRESENCES];
    int64_t first, end;  // its spans
} found;

typedef struct span {
    size_t start, end;
} span;

struct akin_persons {
    found *found;
    int64_t n, room;
    span *spans;
    int64_t n_spans, room_spans;
};

/* ---- names ---- */

/* The words of a name, with one blank where the caption has blanks. */
static akin_status write_name(char **out, akin_ctx *ctx, const ak_people *p,
                              const ak_person *x)
{
    const ak_token *t = p->tokens->token;
    int64_t size = 1, n = 0;
    char *name = NULL;
    if (x->alias != NULL)
        return ak_strdup(ctx, x->alias, out);
    for (int32_t k = 0; k < x->n_name; ++k)
        size += t[x->name[k]].end - t[x->name[k]].begin + 1;
    AK_CHECK(ak_alloc(ctx, size, 1, &name));
    for (int32_t k = 0; k < x->n_name; ++k) {
        const ak_token *w = &t[x->name[k]];
        const bool joined = k > 0 && x->name[k - 1] == x->name[k] - 1 &&
                            !w->spaced;
        if (k > 0 && !joined)
            name[n++] = ' ';
        memcpy(name + n, p->tokens->caption + w->begin, w->end - w->begin);
        n += w->end - w->begin;
    }
    *out = name;
    return AKIN_OK;
}

/* ---- building ---- */

static akin_status add_span(akin_persons *p, akin_ctx *ctx, size_t start,
                            size_t end)
{
    AK_CHECK(ak_grow(ctx, p->n_spans + 1, &p->room_spans, sizeof *p->spans,
                     &p->spans));
    p->spans[p->n_spans++] = (span){start, end};
    return AKIN_OK;
}

/* Room for one more, whose mentions follow. */
static akin_status add_found(akin_persons *p, akin_ctx *ctx)
{
    AK_CHECK(ak_grow(ctx, p->n + 1, &p->room, sizeof *p->found, &p->found));
    p->found[p->n++] = (found){.first = p->n_spans, .end = p->n_spans};
    return AKIN_OK;
}

/* The mentions of each person, one person after the other. */
static akin_status add_spans(akin_persons *out, akin_ctx *ctx,
                             const ak_people *p)
{
    const ak_token *t = p->tokens->token;
    AK_CHECK(AK_NEW(ctx, p->n_mentions, &out->spans));
    out->room_spans = out->n_spans = p->n_mentions;
    for (int64_t m = 0; m < p->n_mentions; ++m)
        ++out->found[p->mentions[m].person].end;
    int64_t first = 0;
    for (int64_t i = 0; i < out->n; ++i) {
        const int64_t count = out->found[i].end;
        out->found[i].first = out->found[i].end = first;
        first += count;
    }
    for (int64_t m = 0; m < p->n_mentions; ++m) {
        const ak_mention *x = &p->mentions[m];
        out->spans[out->found[x->person].end++] =
            (span){t[x->first].begin, t[x->end - 1].end};
    }
    return AKIN_OK;
}

static akin_status fill(akin_persons *out, akin_ctx *ctx, const akin_tagger *g,
                        const ak_people *p)
{
    for (int64_t i = 0; i < p->n_persons; ++i) {
        const ak_person *x = &p->persons[i];
        AK_CHECK(add_found(out, ctx));
        found *f = &out->found[i];
        AK_CHECK(write_name(&f->name, ctx, p, x));
        f->probability = x->alias ? 1.0
                                  : ak_tagger_probability(g, (double)x->margin);
        memcpy(f->presence, x->presence, sizeof f->presence);
        f->where = x->position;
        ak_position_write(f->position, &f->where);
    }
    return add_spans(out, ctx, p);
}

akin_status akin_persons_find(akin_persons **out, akin_ctx *ctx,
                              const akin_tagger *tagger, const char *caption,
                              size_t n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_persons *persons = NULL;
    ak_tokens tokens;
    ak_repeats repeats;
    ak_tagging tagging;
    ak_people people;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tokens_cut(&tokens, ctx, &tagger->lists, caption, n));
    AK_TRY(ak_repeats_find(&repeats, ctx, &tokens));
    AK_TRY(ak_tagger_tag(&tagging, ctx, tagger, &tokens, &repeats));
    AK_TRY(ak_people_find(&people, ctx, tagger, &tokens, &tagging));
    ak_people_place(&people);
    ak_people_see(&people, tagger);
    AK_TRY(AK_NEW(ctx, 1, &persons));
    AK_TRY(fill(persons, ctx, tagger, &people));
    *out = persons;
    persons = NULL;
done:
    akin_persons_free(persons);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- lists of names ---- */

static akin_status add_listed(akin_persons *p, akin_ctx *ctx,
                              const akin_tagger *g, const char *names,
                              size_t start, size_t end)
{
    while (start < end && (names[start] == ' ' || names[start] == '\t'))
        ++start;
    while (end > start && (names[end - 1] == ' ' || names[end - 1] == '\t'))
        --end;
    if (start == end)
        return AKIN_OK;
    AK_CHECK(add_found(p, ctx));
    found *f = &p->found[p->n - 1];
    const char *alias = ak_tagger_alias(g, names + start, end - start);
    if (alias != NULL)
        AK_CHECK(ak_strdup(ctx, alias, &f->name));
    else {
        AK_CHECK(ak_alloc(ctx, (int64_t)(end - start) + 1, 1, &f->name));
        memcpy(f->name, names + start, end - start);
    }
    f->probability = f->presence[AKIN_PICTURED] = 1.0;
    AK_CHECK(add_span(p, ctx, start, end));
    f->end = p->n_spans;
    return AKIN_OK;
}

akin_status ak_persons_listed(akin_persons **out, akin_ctx *ctx,
                              const akin_tagger *tagger, const char *names,
                              size_t n)
{
    akin_persons *p = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &p));
    for (size_t start = 0; start < n;) {
        const char *stop = memchr(names + start, ';', n - start);
        const size_t end = stop != NULL ? (size_t)(stop - names) : n;
        AK_TRY(add_listed(p, ctx, tagger, names, start, end));
        start = end + 1;
    }
    *out = p;
    p = NULL;
done:
    akin_persons_free(p);
    return st;
}

/* ---- getters ---- */

void akin_persons_free(akin_persons *persons)
{
    if (persons == NULL)
        return;
    for (int64_t i = 0; i < persons->n; ++i)
        akin_free(persons->found[i].name);
    akin_free(persons->found);
    akin_free(persons->spans);
    akin_free(persons);
}

int64_t akin_persons_count(const akin_persons *persons)
{
    return persons->n;
}

const char *akin_persons_name(const akin_persons *persons, int64_t i)
{
    return persons->found[i].name;
}

double akin_persons_probability(const akin_persons *persons, int64_t i)
{
    return persons->found[i].probability;
}

double akin_persons_presence_probability(const akin_persons *persons, int64_t i,
                                         akin_presence presence)
{
    return persons->found[i].presence[presence];
}

akin_presence akin_persons_presence(const akin_persons *persons, int64_t i)
{
    const double *p = persons->found[i].presence;
    int best = 0;
    for (int y = 1; y < AKIN_PRESENCES; ++y)
        if (p[y] > p[best])
            best = y;
    return (akin_presence)best;
}

const char *akin_persons_position(akin_position *position,
                                  const akin_persons *persons, int64_t i)
{
    if (position != NULL)
        *position = persons->found[i].where;
    return persons->found[i].position;
}

int64_t akin_persons_mention_count(const akin_persons *persons, int64_t i)
{
    return persons->found[i].end - persons->found[i].first;
}

void akin_persons_mention(size_t *start, size_t *end,
                          const akin_persons *persons, int64_t i, int64_t k)
{
    const span s = persons->spans[persons->found[i].first + k];
    *start = s.start;
    *end = s.end;
}
