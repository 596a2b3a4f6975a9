/* Any bytes as what is said of faces, or, behind an 'a', as affinities, or,
 * behind a 'w', as weights of names: names are then still such as captions
 * allow, and what a person said is kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "naming/naming.h"

enum { FACES = 6, NAMES = 3 };

static const float values[2 * FACES] = {1.0F, 0.0F, 0.9F, 0.1F, 0.0F, 1.0F,
                                        0.1F, 0.9F, 0.5F, 0.5F, 0.6F, 0.4F};
static const char captions[] = "photo,faces,names\n"
                               "p0,0;2,Ann;Bob\n"
                               "p1,1,Ann\n"
                               "p2,3;4,Bob;Eve\n";

/* No name twice in a photo, none that is neither in the caption nor said. */
static void check(const akin_naming *s, const int32_t *names,
                  const akin_face_names *said)
{
    for (int f = 0; f < FACES; ++f) {
        if (names[f] < -2 || names[f] >= NAMES ||
            (names[f] == -2) != (s->peers.photo[f] < 0))
            abort();
        for (int g = 0; g < f; ++g)
            if (names[f] >= 0 && names[f] == names[g] &&
                s->peers.photo[f] == s->peers.photo[g])
                abort();
    }
    for (int64_t k = 0; said != NULL && k < said->list.n; ++k) {
        const ak_face_line *x = &said->list.lines[k];
        if ((names[x->face] == said->names[k]) == x->is_not)
            abort();
    }
}

/* Names of an earlier run have one line for a face. */
static void check_earlier(akin_ctx *ctx, const akin_naming *s,
                          const akin_face_names *said)
{
    bool seen[FACES] = {false};
    if (ak_names_check_earlier(ctx, &said->list, s->peers.bags, FACES) !=
        AKIN_OK)
        return;
    for (int64_t k = 0; k < said->list.n; ++k) {
        const int64_t face = said->list.lines[k].face;
        if (seen[face] || akin_face_names_says(said, k, said->names[k]) == 0)
            abort();
        seen[face] = true;
    }
}

static void fuse(akin_ctx *ctx, akin_naming *s, const char *text, size_t n)
{
    ak_source *source = NULL;
    if (ak_source_memory(&source, ctx, "fuzz.txt", AK_SOURCE_TEXT, text, n) ==
        AKIN_OK)
        ak_naming_fuse_lines(s, ctx, source, 0.5);
    ak_source_close(source);
    for (int64_t k = 0; k < s->peers.start[FACES]; ++k)
        if (!isfinite(s->affinity.values[k]))
            abort();
}

static void weigh(akin_ctx *ctx, akin_naming *s, const char *text, size_t n)
{
    ak_source *source = NULL;
    if (ak_source_memory(&source, ctx, "fuzz.csv", AK_SOURCE_TEXT, text, n) ==
        AKIN_OK)
        ak_naming_prior_lines(ctx, s, source);
    ak_source_close(source);
}

static void use(akin_ctx *ctx, akin_naming *s, const char *text, size_t n)
{
    int32_t names[FACES];
    akin_face_names *said = NULL;
    akin_names_options o = AKIN_NAMES_DEFAULTS;
    akin_naming_measure m;
    if (n > 0 && text[0] == 'a')
        fuse(ctx, s, text + 1, n - 1);
    else if (n > 0 && text[0] == 'w')
        weigh(ctx, s, text + 1, n - 1);
    else if (akin_face_names_parse(&said, ctx, "fuzz", text, s->data) !=
             AKIN_OK)
        return;
    if (said != NULL)
        check_earlier(ctx, s, said);
    o.confirmed = said;
    o.named_count = 3;
    if (akin_naming_names(names, NULL, ctx, s, &o, NULL) == AKIN_OK)
        check(s, names, said);
    o.confirmed = NULL;
    if (said != NULL &&
        akin_naming_names(names, NULL, ctx, s, &o, NULL) == AKIN_OK &&
        akin_naming_compare(&m, ctx, s, names, said) == AKIN_OK &&
        !(m.accuracy >= 0.0 && m.accuracy <= 1.0))
        abort();
    akin_face_names_free(said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    akin_ctx *ctx = fuzz_ctx();
    const akin_kernel_options o = AKIN_KERNEL_DEFAULTS;
    akin_rows *rows = NULL;
    akin_supervision *known = NULL;
    akin_naming *s = NULL;
    char *text = malloc(n + 1);
    if (text != NULL &&
        akin_rows_new_dense(&rows, ctx, FACES, 2, values) == AKIN_OK &&
        akin_supervision_new(&known, ctx, rows, NULL, NULL) == AKIN_OK &&
        akin_supervision_captions(ctx, known, "captions", captions) ==
            AKIN_OK &&
        akin_naming_learn(&s, ctx, &o.head, known, NULL) == AKIN_OK) {
        if (n > 0)
            memcpy(text, data, n);
        text[n] = '\0';
        use(ctx, s, text, n);
    }
    free(text);
    akin_naming_free(s);
    akin_supervision_free(known);
    akin_rows_free(rows);
    return 0;
}
