#include "collection/faces/person_names.h"

#include <string.h>

#include "data/captions/folded_names.h"
#include "text/persons/letters.h"

const char ak_person_gone[] = "[removed]";

enum {
    MOST_GAP = 4,      // characters between two words of a name
    LEAST_BYTES = 5,   // of a single word to be looked for in any bytes
    MOST_NAME = 1024,  // bytes of a name, as it is looked for
};

/* ---- characters ---- */

typedef enum { IN_WORD, BETWEEN, NOTHING } part_kind;

typedef struct part {
    ak_char c;
    part_kind kind;
    size_t n;  // bytes of `folded`
    char folded[4 * AK_FOLDED_MOST];
} part;

static bool is_word(const ak_char *c)
{
    return ak_char_is_letter(c->kind) || c->kind == AK_CHAR_DIGIT;
}

/* Accents and characters that cannot be seen are nothing. */
static void read_part(part *out, const char *text, size_t n)
{
    out->c = ak_char_read(text, n);
    out->n = 0;
    for (size_t at = 0, used; at < out->c.bytes; at += used)
        out->n += ak_char_fold(text + at, out->c.bytes - at, &used,
                               out->folded + out->n);
    out->kind = out->n == 0 ? NOTHING : is_word(&out->c) ? IN_WORD : BETWEEN;
}

/* ---- keys ---- */

static void keys_free(ak_name_keys *k)
{
    for (int64_t i = 0; i < k->n; ++i)
        akin_free(k->all[i]);
    akin_free(k->all);
    *k = (ak_name_keys){0};
}

void ak_person_names_free(ak_person_names *p)
{
    keys_free(&p->names);
    keys_free(&p->parts);
    keys_free(&p->others);
}

static bool has_key(const ak_name_keys *k, const char *key)
{
    for (int64_t i = 0; i < k->n; ++i)
        if (strcmp(k->all[i], key) == 0)
            return true;
    return false;
}

static akin_status add_key(ak_name_keys *k, akin_ctx *ctx, const char *key)
{
    if (key[0] == '\0' || has_key(k, key))
        return AKIN_OK;
    AK_CHECK(ak_grow(ctx, k->n + 1, &k->room, sizeof *k->all, &k->all));
    AK_CHECK(ak_strdup(ctx, key, &k->all[k->n]));
    ++k->n;
    return AKIN_OK;
}

static akin_status key_of(char **out, akin_ctx *ctx, const char *name)
{
    const size_t n = strlen(name);
    int64_t room = 0;
    size_t to = 0;
    bool gap = false;
    char *key = NULL;
    part x;
    akin_status st = AKIN_OK;
    AK_TRY(ak_grow(ctx, 1, &room, 1, &key));
    for (size_t at = 0; at < n; at += x.c.bytes) {
        read_part(&x, name + at, n - at);
        AK_TRY(ak_grow(ctx, (int64_t)(to + x.n) + 2, &room, 1, &key));
        gap |= x.kind == BETWEEN;
        if (x.kind != IN_WORD)
            continue;
        if (gap && to > 0)
            key[to++] = ' ';
        gap = false;
        memcpy(key + to, x.folded, x.n);
        to += x.n;
    }
    key[to] = '\0';
    *out = key;
    key = NULL;
done:
    akin_free(key);
    return st;
}

/* Jr. and the like stand behind the family name. */
static void cut_suffix(char *key)
{
    static const char *const suffixes[] = {"jr", "sr", "ii", "iii", "iv"};
    char *last = strrchr(key, ' ');
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; ++k)
        if (last != NULL && strcmp(last + 1, suffixes[k]) == 0) {
            *last = '\0';
            return;
        }
}

static bool is_initial(const char *word)
{
    const ak_char c = ak_char_read(word, strlen(word));
    return c.kind != AK_CHAR_UNCASED &&
           (word[c.bytes] == '\0' || word[c.bytes] == ' ');
}

/* The given name, and every end of the name: "Berg" and "van den Berg" of "Jan
 * van den Berg". The key is changed. */
static akin_status add_parts(ak_person_names *p, akin_ctx *ctx, char *key)
{
    cut_suffix(key);
    char *rest = strchr(key, ' ');
    for (char *at = rest; at != NULL; at = strchr(at + 1, ' '))
        if (!is_initial(at + 1))
            AK_CHECK(add_key(&p->parts, ctx, at + 1));
    if (rest == NULL || is_initial(key))
        return AKIN_OK;
    *rest = '\0';
    return add_key(&p->parts, ctx, key);
}

akin_status ak_person_names_add(ak_person_names *p, akin_ctx *ctx,
                                const char *name)
{
    char *key = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(key_of(&key, ctx, name));
    AK_TRY(add_key(&p->names, ctx, key));
    AK_TRY(add_parts(p, ctx, key));
done:
    akin_free(key);
    return st;
}

akin_status ak_person_names_alias(ak_person_names *p, akin_ctx *ctx,
                                  const char *alias)
{
    char *key = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(key_of(&key, ctx, alias));
    AK_TRY(add_key(&p->names, ctx, key));
done:
    akin_free(key);
    return st;
}

/* Has the key the words of another one among its own? */
static bool has_words(const char *key, const char *words)
{
    const size_t n = strlen(words);
    for (const char *at = key; (at = strstr(at, words)) != NULL; ++at)
        if ((at == key || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' '))
            return true;
    return false;
}

akin_status ak_person_names_other(ak_person_names *p, akin_ctx *ctx,
                                  const char *name)
{
    char *key = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(key_of(&key, ctx, name));
    for (int64_t i = 0; i < p->names.n && strlen(key) < MOST_NAME; ++i)
        if (!has_key(&p->names, key) && has_words(key, p->names.all[i]))
            AK_TRY(add_key(&p->others, ctx, key));
done:
    akin_free(key);
    return st;
}

/* ---- one place ---- */

/* Where the key ends that begins at `at`, 0: it does not; `last` is its last
 * character. */
static size_t match(const char *key, const char *text, size_t n, size_t at,
                    ak_char *last)
{
    int gap = 0;
    part x;
    for (; at < n; at += x.c.bytes) {
        read_part(&x, text + at, n - at);
        if (x.kind == NOTHING)
            continue;  // also past the end of the key
        if (*key == '\0')
            break;
        if (x.kind == BETWEEN) {
            if (*key != ' ' || ++gap > MOST_GAP)
                return 0;
            continue;
        }
        if (*key == ' ' && gap == 0)
            return 0;
        key += *key == ' ';
        gap = 0;
        if (strncmp(key, x.folded, x.n) != 0)
            return 0;
        key += x.n;
        *last = x.c;
    }
    return *key == '\0' ? at : 0;
}

static bool begins(const char *text, size_t n, const char *word)
{
    return n >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

/* Does a word end between two characters? Where the columns of a row touch
 * each other, by a capital, or by what follows a name of a caption. */
static bool ends_between(const ak_char *last, const char *rest, size_t n)
{
    if (n == 0)
        return true;
    const ak_char next = ak_char_read(rest, n);
    if (next.kind == AK_CHAR_DIGIT)
        return last->kind != AK_CHAR_DIGIT;
    return !ak_char_is_letter(next.kind) || last->kind == AK_CHAR_UNCASED ||
           (next.kind == AK_CHAR_UPPER && last->kind != AK_CHAR_UPPER) ||
           begins(rest, n, "yes") || begins(rest, n, "credit");
}

static bool begins_between(const ak_char *before, const ak_char *first)
{
    return !ak_char_is_letter(before->kind) || first->kind == AK_CHAR_UNCASED ||
           (first->kind == AK_CHAR_UPPER && before->kind != AK_CHAR_UPPER);
}

typedef struct looker {
    const ak_name_keys *keys, *others;
    const char *text;
    size_t n;
    bool any_case;  // of single words
    bool any_bytes;
} looker;

/* Is [start, end) a part of a name of somebody else? */
static bool is_others(const looker *l, size_t start, size_t end)
{
    ak_char last;
    for (int64_t i = 0; l->others != NULL && i < l->others->n; ++i) {
        const size_t most = 4 * strlen(l->others->all[i]);
        for (size_t at = start > most ? start - most : 0; at <= start; ++at)
            if (match(l->others->all[i], l->text, l->n, at, &last) >= end)
                return true;
    }
    return false;
}

/* The end of a name at `at`; 0: there is none. */
static size_t end_at(const looker *l, size_t at, const ak_char *before)
{
    ak_char last = {0};
    const ak_char first = ak_char_read(l->text + at, l->n - at);
    for (int64_t i = 0; i < l->keys->n; ++i) {
        const char *key = l->keys->all[i];
        const bool single = strchr(key, ' ') == NULL;
        if ((first.code < 0x80 && first.lower != (unsigned char)key[0]) ||
            (single && l->any_bytes && strlen(key) < LEAST_BYTES) ||
            (single && !l->any_case && first.kind == AK_CHAR_LOWER) ||
            !is_word(&first) || !begins_between(before, &first))
            continue;
        const size_t end = match(key, l->text, l->n, at, &last);
        if (end > 0 && ends_between(&last, l->text + end, l->n - end) &&
            !is_others(l, at, end))
            return end;
    }
    return 0;
}

/* The next name from *at on, which becomes the place where to go on. */
static bool find_next(const looker *l, size_t *at, ak_char *before,
                      size_t *start, size_t *end)
{
    while (*at < l->n) {
        const ak_char c = ak_char_read(l->text + *at, l->n - *at);
        *start = *at;
        *end = end_at(l, *at, before);
        *before = c;
        *at += c.bytes;
        if (*end > 0)
            return true;
    }
    return false;
}

/* ---- texts ---- */

static bool is_line(const ak_name_keys *k, const char *text, size_t n)
{
    ak_char last;
    size_t at = 0;
    while (at < n) {
        const ak_char c = ak_char_read(text + at, n - at);
        if (is_word(&c))
            break;
        at += c.bytes;
    }
    for (int64_t i = 0; i < k->n && at < n; ++i) {
        size_t end = match(k->all[i], text, n, at, &last);
        while (end > 0 && end < n) {
            const ak_char c = ak_char_read(text + end, n - end);
            if (is_word(&c))
                break;
            end += c.bytes;
        }
        if (end == n)
            return true;
    }
    return false;
}

static bool has_line(const ak_name_keys *k, const char *text, size_t n)
{
    while (n > 0) {
        const char *stop = memchr(text, '\n', n);
        const size_t m = stop ? (size_t)(stop - text) : n;
        if (is_line(k, text, m))
            return true;
        text += m + (m < n);
        n -= m + (m < n);
    }
    return false;
}

bool ak_person_is(const ak_person_names *p, const char *text, size_t n)
{
    return has_line(&p->names, text, n);
}

bool ak_person_is_part(const ak_person_names *p, const char *text, size_t n)
{
    return has_line(&p->parts, text, n);
}

static bool finds(const looker *l)
{
    ak_char before = {.kind = AK_CHAR_BLANK};
    size_t at = 0, start, end;
    return find_next(l, &at, &before, &start, &end);
}

bool ak_person_in(const ak_person_names *p, const char *text, size_t n)
{
    const looker l = {&p->names, &p->others, text, n, false, false};
    return finds(&l);
}

bool ak_person_in_bytes(const ak_person_names *p, const char *bytes, size_t n)
{
    const looker l = {&p->names, &p->others, bytes, n, false, true};
    return finds(&l);
}

/* ---- captions ---- */

enum { FREE, KEPT, GONE };

typedef struct blanking {
    akin_ctx *ctx;
    const ak_person_names *p;
    const ak_person_caption *caption;
    const char *text;
    size_t n;
    ak_name_keys kept;
    unsigned char *what;  // of each byte
    int32_t *places;      // of each byte that the caption had
} blanking;

static bool has_kept(const blanking *b, size_t start, size_t end)
{
    return memchr(b->what + start, KEPT, end - start) != NULL;
}

static void mark(const blanking *b, size_t start, size_t end, int what)
{
    memset(b->what + start, what, end - start);
}

/* Mark all places of the keys; `spare`: not where a name is kept. */
static void mark_keys(const blanking *b, const ak_name_keys *keys, bool others,
                      bool any_case, bool spare, int what)
{
    const looker l = {
        keys, others ? &b->p->others : NULL, b->text, b->n, any_case, false};
    ak_char before = {.kind = AK_CHAR_BLANK};
    size_t at = 0, start, end;
    while (find_next(&l, &at, &before, &start, &end))
        if (!spare || !has_kept(b, start, end))
            mark(b, start, end, what);
}

static akin_status keys_of(ak_name_keys *out, akin_ctx *ctx,
                           const char *const *texts, int64_t n)
{
    char *key = NULL;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < n; ++i) {
        AK_TRY(key_of(&key, ctx, texts[i]));
        AK_TRY(add_key(out, ctx, key));
        akin_free(key);
        key = NULL;
    }
done:
    akin_free(key);
    return st;
}

/* Is a person of the tagger this one? By the name, or by a mention. */
static bool is_found(const blanking *b, const akin_persons *list, int64_t i)
{
    const char *name = akin_persons_name(list, i);
    bool found = ak_person_is(b->p, name, strlen(name)) ||
                 (b->caption->is_here &&
                  ak_person_is_part(b->p, name, strlen(name)) &&
                  !has_line(&b->kept, name, strlen(name)));
    for (int64_t k = 0; !found && k < akin_persons_mention_count(list, i);
         ++k) {
        size_t start, end;
        akin_persons_mention(&start, &end, list, i, k);
        found = ak_person_is(b->p, b->text + start, end - start);
    }
    return found;
}

static void mark_person(const blanking *b, const akin_persons *list, int64_t i,
                        int what)
{
    for (int64_t k = 0; k < akin_persons_mention_count(list, i); ++k) {
        size_t start, end;
        akin_persons_mention(&start, &end, list, i, k);
        mark(b, start, end, what);
    }
}

static akin_status mark_found(const blanking *b, const akin_tagger *tagger)
{
    akin_persons *list = NULL;
    AK_CHECK(akin_persons_find(&list, b->ctx, tagger, b->text, b->n));
    const int64_t n = akin_persons_count(list);
    for (int64_t i = 0; i < n; ++i)
        if (!is_found(b, list, i))
            mark_person(b, list, i, KEPT);
    for (int64_t i = 0; i < n; ++i)
        if (is_found(b, list, i))
            mark_person(b, list, i, GONE);
    akin_persons_free(list);
    return AKIN_OK;
}

/* The first place of a word that is gone; `outside`: is there another one? */
static bool find_word(const blanking *b, char *word, size_t *start, size_t *end,
                      bool *outside)
{
    const ak_name_keys keys = {&word, 1, 1};
    const looker l = {&keys, NULL, b->text, b->n, true, false};
    ak_char before = {.kind = AK_CHAR_BLANK};
    size_t at = 0, from, to;
    bool found = false;
    *outside = false;
    while (find_next(&l, &at, &before, &from, &to))
        if (b->what[from] != GONE)
            *outside = true;
        else if (!found) {
            found = true;
            *start = from;
            *end = to;
        }
    return found;
}

/* "John and Mary Smith" without Mary still has the name of John. */
static akin_status keep_shared(const blanking *b, const char *name)
{
    size_t start, end;
    bool outside = false;
    char *key = NULL;
    AK_CHECK(ak_strdup(b->ctx, name, &key));
    char *rest = strchr(key, ' ');
    if (rest != NULL) {
        *rest++ = '\0';
        find_word(b, key, &start, &end, &outside);
    }
    while (outside && rest != NULL) {
        bool elsewhere;
        char *word = rest;
        rest = strchr(word, ' ');
        if (rest != NULL)
            *rest++ = '\0';
        if (find_word(b, word, &start, &end, &elsewhere) && !elsewhere)
            mark(b, start, end, KEPT);
    }
    akin_free(key);
    return AKIN_OK;
}

/* Blanks at the ends of what is gone stay. */
static void keep_blanks(const blanking *b)
{
    for (size_t at = 0; at < b->n; ++at)
        if (b->what[at] == GONE && b->text[at] == ' ' &&
            (at == 0 || b->what[at - 1] != GONE))
            b->what[at] = FREE;
    for (size_t at = b->n; at-- > 0;)
        if (b->what[at] == GONE && b->text[at] == ' ' &&
            (at + 1 == b->n || b->what[at + 1] != GONE))
            b->what[at] = FREE;
}

/* What was removed before stays as it is. */
static void keep_gone(const blanking *b)
{
    for (const char *at = b->text; (at = strstr(at, ak_person_gone)) != NULL;
         ++at)
        mark(b, (size_t)(at - b->text),
             (size_t)(at - b->text) + strlen(ak_person_gone), FREE);
}

/* Bytes of the text are now at `to`; -1: gone. */
static void move_places(const blanking *b, const int32_t *to)
{
    for (size_t at = 0; b->caption->text[at] != '\0'; ++at)
        if (b->places[at] >= 0)
            b->places[at] = to[b->places[at]];
}

static akin_status write_rest(const blanking *b, char **out)
{
    const size_t m = strlen(ak_person_gone);
    size_t to = 0, runs = 0;
    char *text = NULL;
    int32_t *moved;
    keep_gone(b);
    keep_blanks(b);
    for (size_t at = 0; at < b->n; ++at)
        runs += b->what[at] == GONE && (at == 0 || b->what[at - 1] != GONE);
    *out = NULL;
    if (runs == 0)
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(b->ctx, (int64_t)b->n + 1, &moved));
    AK_CHECK(ak_alloc(b->ctx, (int64_t)(b->n + runs * m) + 1, 1, &text));
    for (size_t at = 0; at < b->n; ++at) {
        moved[at] = b->what[at] != GONE ? (int32_t)to : -1;
        if (b->what[at] != GONE)
            text[to++] = b->text[at];
        else if (at == 0 || b->what[at - 1] != GONE) {
            memcpy(text + to, ak_person_gone, m);
            to += m;
        }
    }
    move_places(b, moved);
    *out = text;
    return AKIN_OK;
}

static akin_status blank_once(char **out, blanking *b,
                              const akin_tagger *tagger,
                              const ak_name_keys *forms)
{
    const ak_mark scratch = ak_scratch_begin(b->ctx);
    akin_status st = AKIN_OK;
    b->n = strlen(b->text);
    AK_TRY(AK_SCRATCH(b->ctx, (int64_t)b->n + 1, &b->what));
    memset(b->what, FREE, b->n + 1);
    AK_TRY(mark_found(b, tagger));
    mark_keys(b, &b->kept, false, true, false, KEPT);
    mark_keys(b, &b->p->parts, false, false, true, GONE);
    mark_keys(b, forms, false, true, false, GONE);
    mark_keys(b, &b->p->names, true, true, false, GONE);
    for (int64_t i = 0; i < b->kept.n; ++i)
        AK_TRY(keep_shared(b, b->kept.all[i]));
    AK_TRY(write_rest(b, out));
done:
    ak_scratch_end(b->ctx, scratch);
    return st;
}

/* What is left may be read in another way: again until nothing is found. */
akin_status ak_person_blank(char **out, int32_t **places, akin_ctx *ctx,
                            const ak_person_names *p, const akin_tagger *tagger,
                            const ak_person_caption *caption)
{
    blanking b = {.ctx = ctx, .p = p, .caption = caption};
    ak_name_keys forms = {0};
    char *text = NULL, *next = NULL;
    const int64_t n = (int64_t)strlen(caption->text);
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, n + 1, &b.places));
    for (int64_t at = 0; at < n; ++at)
        b.places[at] = (int32_t)at;
    AK_TRY(keys_of(&b.kept, ctx, caption->kept, caption->n_kept));
    AK_TRY(keys_of(&forms, ctx, caption->forms, caption->n_forms));
    do {
        b.text = text ? text : caption->text;
        AK_TRY(blank_once(&next, &b, tagger, &forms));
        if (next != NULL) {
            akin_free(text);
            text = next;
        }
    } while (next != NULL);
    *out = text;
    text = NULL;
    if (places != NULL) {
        *places = b.places;
        b.places = NULL;
    }
done:
    akin_free(text);
    akin_free(b.places);
    keys_free(&b.kept);
    keys_free(&forms);
    return st;
}
