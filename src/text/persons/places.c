/* Where a caption says that persons are. A place is a phrase such as "left",
 * "far left", "second from right", "front row, center" or "seated". It is of
 *   1. the persons of a list that it heads: "back row from left: A, B, C";
 *      or ends: "A, B and C (from left)"; or stands in: "A, from left, B, C";
 *   2. the person that follows: "left: A", "at right is A", "in front, A";
 *   3. the person before it: "A (L)", "A on the right", "A, president of B,
 *      second from left". */
#include "text/persons/people.h"

enum { NEAR = 8, FAR_AWAY = 24, MOST_LISTED = 256, MOST_RANK = 99 };

static ak_cue cue(const ak_people *p, int64_t i)
{
    return ak_tokens_at(p->tokens, i)->cue;
}

static bool is_cue(const ak_people *p, int64_t i, ak_cue_kind kind)
{
    return cue(p, i).kind == kind;
}

static bool is_mark(const ak_people *p, int64_t i, char mark)
{
    return ak_token_is(p->tokens, i, mark);
}

static bool says_any(const ak_people *p, int64_t i, const char *const *words,
                     size_t n)
{
    for (size_t k = 0; k < n; ++k)
        if (ak_token_says(p->tokens, i, words[k]))
            return true;
    return false;
}

#define SAYS_ANY(p, i, words) \
    says_any(p, i, words, sizeof(words) / sizeof((words)[0]))

/* A hyphen or dash that stands alone. */
static bool is_dash(const ak_people *p, int64_t i)
{
    const ak_token *x = ak_tokens_at(p->tokens, i);
    const char *text = p->tokens->caption + x->begin;
    return x->shape == AK_SHAPE_MARK &&
           (text[0] == '-' ||
            (x->end - x->begin == 3 && (unsigned char)text[0] == 0xe2 &&
             (unsigned char)text[1] == 0x80 &&
             ((unsigned char)text[2] == 0x93 ||
              (unsigned char)text[2] == 0x94)));
}

static bool is_outside(const ak_people *p, int64_t i)
{
    return i < 0 || i >= p->tokens->n;
}

/* Does a sentence or a part of one begin at token i? */
static bool begins_part(const ak_people *p, int64_t i)
{
    return i == 0 || ak_tokens_at(p->tokens, i)->sentence ||
           is_mark(p, i - 1, ';') || is_mark(p, i - 1, '(');
}

/* ---- places ---- */

/* "second", "2nd", "2."; 0: none. */
static int64_t rank_at(const ak_people *p, int64_t i)
{
    const ak_token *x = ak_tokens_at(p->tokens, i);
    if (x->cue.kind == AK_CUE_RANK)
        return x->cue.value;
    int64_t number = 0;
    if (x->shape != AK_SHAPE_NUMBER)
        return 0;
    for (uint32_t k = 0; k < x->n_low; ++k) {
        const char c = p->tokens->low[x->low + k];
        number = c >= '0' && c <= '9' && number <= MOST_RANK
                     ? 10 * number + c - '0'
                     : MOST_RANK + 1;
    }
    return number <= MOST_RANK ? number : 0;
}

/* "from the left", after a rank: returns the token behind it, or i. */
static int64_t read_from(const ak_people *p, int64_t i, akin_picture_side *side)
{
    int64_t k = i;
    while (k < i + 5 &&
           (is_cue(p, k, AK_CUE_FROM) || is_cue(p, k, AK_CUE_ARTICLE) ||
            is_cue(p, k, AK_CUE_AT) || ak_token_says(p->tokens, k, "partir") ||
            (k > i && is_mark(p, k, '.'))))
        ++k;
    const bool letter = is_cue(p, k, AK_CUE_LETTER);
    if (!is_cue(p, k, AK_CUE_SIDE) && !is_cue(p, k, AK_CUE_ORDER) &&
        !(letter && (k == i || k == i + 1)))
        return i;
    *side = (akin_picture_side)cue(p, k).value;
    return k + 1;
}

/* A side, perhaps with a rank: "left", "second from right", "far left". */
static int64_t read_side(const ak_people *p, int64_t i, akin_position *place)
{
    /* "à g." */
    const bool letter = is_cue(p, i, AK_CUE_LETTER) &&
                        ak_token_says(p->tokens, i - 1, "à");
    if (is_cue(p, i, AK_CUE_SIDE) || letter) {
        place->side = (akin_picture_side)cue(p, i).value;
        return i + 1;
    }
    if (is_cue(p, i, AK_CUE_FAR) && is_cue(p, i + 1, AK_CUE_SIDE)) {
        place->far = 1;
        place->side = (akin_picture_side)cue(p, i + 1).value;
        return i + 2;
    }
    if (rank_at(p, i) > 0) {
        const int64_t end = read_from(p, i + 1, &place->side);
        if (end > i + 1) {
            place->rank = rank_at(p, i);
            return end;
        }
    }
    return i;
}

/* "premier plan", "segundo plano" */
static akin_picture_row read_plane(const ak_people *p, int64_t i)
{
    static const char *const planes[] = {"plan", "plano"};
    const int64_t rank = rank_at(p, i);
    if (!SAYS_ANY(p, i + 1, planes) || rank < 1 || rank > 2)
        return AKIN_ROW_NONE;
    return rank == 1 ? AKIN_ROW_FOREGROUND : AKIN_ROW_BACKGROUND;
}

/* "front", "back row", "second row", "row 2", "de pie"; returns the token
 * behind it. */
static int64_t read_row(const ak_people *p, int64_t i, akin_position *place)
{
    static const char *const bodies[] = {"pie", "rodillas", "cuclillas"};
    if (is_cue(p, i, AK_CUE_FROM) && SAYS_ANY(p, i + 1, bodies))
        ++i;
    if (read_plane(p, i) != AKIN_ROW_NONE) {
        place->row = read_plane(p, i);
        return i + 2;
    }
    const bool before = is_cue(p, i, AK_CUE_ROW);
    const bool in_row = before || is_cue(p, i + 1, AK_CUE_ROW);
    const int64_t word = i + before;
    if (is_cue(p, word, AK_CUE_PLACE))
        place->row = (akin_picture_row)cue(p, word).value;
    else if (in_row && rank_at(p, word) > 0)
        place->numbered = rank_at(p, word);
    else
        return i;
    place->in_row = in_row;
    return i + 1 + in_row;
}

/* Behind "in the". */
static int64_t skip_at(const ak_people *p, int64_t i)
{
    int64_t k = i;
    while (k < i + 3 &&
           (is_cue(p, k, AK_CUE_AT) || is_cue(p, k, AK_CUE_ARTICLE)))
        ++k;
    return k;
}

/* The row behind a side: "left foreground", "third from left in the second
 * row"; returns the token behind it, or k. */
static int64_t read_row_behind(const ak_people *p, int64_t k,
                               akin_position *place)
{
    akin_position row = {0};
    const int64_t begin = skip_at(p, k + is_mark(p, k, ','));
    const int64_t end = read_row(p, begin, &row);
    const bool close = begin == k && place->rank == 0;
    if (end == begin || (!close && !row.in_row))
        return k;
    place->row = row.row;
    place->numbered = row.numbered;
    place->in_row = row.in_row;
    return end;
}

/* A place that begins at token i; returns the token behind it, or i. */
static int64_t read_place(const ak_people *p, int64_t i, akin_position *place)
{
    *place = (akin_position){0};
    const int64_t begin = skip_at(p, i);
    int64_t k = read_side(p, begin, place);
    if (k > begin)
        return read_row_behind(p, k, place);
    k = read_row(p, begin, place);
    if (k == begin)
        return i;
    const int64_t next = k + is_mark(p, k, ',');
    const int64_t end = read_side(p, next, place);
    return end > next ? end : k;
}

/* ---- persons get places ---- */

static void put(ak_people *p, int64_t mention, akin_position place)
{
    ak_person *x = &p->persons[p->mentions[mention].person];
    if (x->placed)
        return;
    x->placed = true;
    x->position = place;
}

/* The first mention at token i or later, within `most` tokens and before the
 * sentence ends; -1: none. */
static int64_t next_mention(const ak_people *p, int64_t i, int64_t most)
{
    for (int64_t k = i; k < i + most && !is_outside(p, k); ++k) {
        if (k > i && ak_tokens_at(p->tokens, k)->sentence)
            return -1;
        if (p->mention_at[k] != 0)
            return p->mention_at[k] - 1;
    }
    return -1;
}

/* ---- lists ---- */

typedef struct list {
    akin_position place;
    bool ordered;  // "from left"
    bool opens;    // a colon or a verb follows: it heads a list
    int64_t at;    // the token behind its head
} list;

/* "to right" behind "left", "to R" behind "L"; returns the token behind it, or
 * i. */
static int64_t read_to(const ak_people *p, int64_t i)
{
    static const char *const words[] = {"to", "a",   "à",  "nach",
                                        "n",  "bis", "zu", "vers"};
    if (!SAYS_ANY(p, i, words) && !is_dash(p, i) && !is_mark(p, i, '/'))
        return i;
    const int64_t k = i + 1 + is_cue(p, i + 1, AK_CUE_ARTICLE);
    return is_cue(p, k, AK_CUE_SIDE) || is_cue(p, k, AK_CUE_LETTER) ? k + 1 : i;
}

/* "from left", "left to right", "L-R", "v. l."; returns the token behind it, or
 * i. */
static int64_t read_order(const ak_people *p, int64_t i,
                          akin_picture_side *side)
{
    bool from = false;
    int64_t k = i;
    while (k < i + 5 &&
           (is_cue(p, k, AK_CUE_FROM) || is_cue(p, k, AK_CUE_ARTICLE) ||
            ak_token_says(p->tokens, k, "partir") ||
            ak_token_says(p->tokens, k + 1, "partir")))
        from |= is_cue(p, k++, AK_CUE_FROM);
    const bool letter = is_cue(p, k, AK_CUE_LETTER);
    const akin_picture_side first = (akin_picture_side)cue(p, k).value;
    if (is_cue(p, k, AK_CUE_ORDER)) {
        *side = first;
        return k + 1;
    }
    if ((!letter && !is_cue(p, k, AK_CUE_SIDE)) || first == AKIN_SIDE_CENTER)
        return i;
    const int64_t end = read_to(p, k + 1);
    const bool alone = letter ? k > i && ak_token_says(p->tokens, k - 1, "v")
                              : from;
    if (end == k + 1 && !alone)
        return i;
    *side = first;
    return end;
}

/* Words before the head of a list: "Pictured, from left, are ...". */
static int64_t skip_pictured(const ak_people *p, int64_t i)
{
    static const char *const words[] = {"pictured", "shown", "seen",
                                        "are",      "here",  "abgebildet",
                                        "imagen",   "photo"};
    int64_t k = i;
    for (bool more = true; more && k < i + 4;) {
        more = is_cue(p, k, AK_CUE_BE) || SAYS_ANY(p, k, words);
        k += more;
        if (more && (is_mark(p, k, ',') || is_mark(p, k, '(')))
            ++k;
    }
    return k;
}

/* The head of a list that begins at token i; false: none does. */
static bool read_head(const ak_people *p, int64_t i, list *out)
{
    akin_picture_side side = AKIN_SIDE_NONE;
    *out = (list){0};
    int64_t k = skip_pictured(p, i);
    const int64_t begin = skip_at(p, k), row = read_row(p, begin, &out->place);
    if (row > begin)
        k = row + (is_mark(p, row, ',') || is_mark(p, row, '('));
    const int64_t end = read_order(p, k, &side);
    out->ordered = end > k;
    if (!out->ordered && row == begin)
        return false;
    k = out->ordered ? end : row;
    out->place.side = side;
    if (is_mark(p, k, ')'))
        ++k;
    out->at = k + 1;
    out->opens = is_mark(p, k, ':') || is_cue(p, k, AK_CUE_BE) ||
                 (is_dash(p, k) && (out->ordered || out->place.in_row));
    if (out->opens || (out->ordered && is_mark(p, k, ',')))
        return true;
    out->at = k;
    return out->ordered;
}

/* Persons without a name that a list counts, between tokens. */
static int64_t count_others(const ak_people *p, int64_t from, int64_t to)
{
    int64_t n = 0;
    for (int64_t i = from; i < to; ++i)
        n += is_cue(p, i, AK_CUE_SOMEONE) &&
             (i == from || is_mark(p, i - 1, ',') ||
              is_cue(p, i - 1, AK_CUE_AND));
    return n;
}

/* Is mention m + 1 the next of the list after m? `*last`: m came after "and".
 */
static bool goes_on(const ak_people *p, int64_t m, bool *last)
{
    if (m + 1 >= p->n_mentions)
        return false;
    const int64_t from = p->mentions[m].end, to = p->mentions[m + 1].first;
    bool comma = false, and = false, part = false;
    int64_t words = 0;
    if (to < from)  // of "Mr. and Mrs."
        return true;
    if (to - from > FAR_AWAY)
        return false;
    for (int64_t i = from; i <= to; ++i) {
        if (ak_tokens_at(p->tokens, i)->sentence)
            return false;
        if (i == to)
            break;
        akin_position next;
        akin_picture_side side;
        part |= is_mark(p, i, ';');
        if (part && (read_row(p, i + 1, &next) > i + 1 ||
                     read_order(p, i + 1, &side) > i + 1))
            return false;  // the head of another list
        comma |= is_mark(p, i, ',') || is_mark(p, i, ';') || is_mark(p, i, ')');
        and |= is_cue(p, i, AK_CUE_AND);
        words += ak_tokens_at(p->tokens, i)->shape != AK_SHAPE_MARK;
    }
    const bool joined = and&&words == 1;
    if ((!comma && !and) || (*last && !joined && (!comma || words > 2)))
        return false;
    *last = and&&words <= 4;
    return true;
}

/* Does a place in the sentence say that someone is in the middle? Then others
 * who stand "from left" have him among them. */
static bool has_center(const ak_people *p, int64_t i)
{
    for (int64_t k = i; k > i - FAR_AWAY && k > 0; --k) {
        if (is_cue(p, k, AK_CUE_SIDE) && cue(p, k).value == AKIN_SIDE_CENTER)
            return true;
        if (ak_tokens_at(p->tokens, k)->sentence)
            return false;
    }
    return false;
}

/* Are the persons of a row counted? Not those "in front". */
static bool is_counted(const list *l)
{
    return l->ordered || l->place.in_row || l->place.numbered > 0 ||
           l->place.row >= AKIN_ROW_STANDING;
}

/* The persons of the list that begins with a mention, up to mention `most`. */
static void place_list(ak_people *p, list *l, int64_t first, int64_t most)
{
    const int64_t before = count_others(p, l->at, p->mentions[first].first);
    int64_t count = before;
    bool last = false;
    /* How many are listed, and then each of them. */
    for (int64_t k = first;; ++k) {
        ++count;
        if (k >= most || count >= MOST_LISTED || !goes_on(p, k, &last))
            break;
        count += count_others(p, p->mentions[k].end, p->mentions[k + 1].first);
    }
    l->place.listed = count;
    const bool ranked = is_counted(l) && (l->ordered || count > 1);
    last = false;
    count = before;
    for (int64_t m = first;; ++m) {
        akin_position place = l->place;
        place.rank = ranked ? ++count : 0;
        if (!ranked)
            place.side = AKIN_SIDE_NONE;
        put(p, m, place);
        if (m >= most || m - first >= MOST_LISTED || !goes_on(p, m, &last))
            return;
        count += count_others(p, p->mentions[m].end, p->mentions[m + 1].first);
    }
}

/* Words that stand between the names of a list: titles, roles, ages. */
static bool is_between_names(const ak_people *p, int64_t i)
{
    const ak_token *x = ak_tokens_at(p->tokens, i);
    const uint32_t kinds = AK_WORD_TITLE | AK_WORD_ROLE | AK_WORD_KIN |
                           AK_WORD_NATIONALITY;
    return (x->kinds & kinds) != 0 || x->shape == AK_SHAPE_NUMBER ||
           ak_token_is_name(x) || is_mark(p, i, ',') ||
           is_cue(p, i, AK_CUE_AND) || is_cue(p, i, AK_CUE_ARTICLE) ||
           is_cue(p, i, AK_CUE_POSSESSIVE);
}

/* The first mention of the list that ends with mention m; `*closed`: an "and"
 * comes before the last. */
static int64_t find_first(const ak_people *p, int64_t m, bool *closed)
{
    int64_t k = m;
    *closed = false;
    for (; k > 0 && m - k < MOST_LISTED; --k) {
        bool linked = false;
        for (int64_t i = p->mentions[k - 1].end; i < p->mentions[k].first;
             ++i) {
            if (!is_between_names(p, i) || ak_tokens_at(p->tokens, i)->sentence)
                return k;
            *closed |= k == m && is_cue(p, i, AK_CUE_AND);
            linked |= is_mark(p, i, ',') || is_cue(p, i, AK_CUE_AND);
        }
        if (!linked)
            return k;
    }
    return k;
}

/* Does a name follow at token i as the next of a list? */
static bool name_follows(const ak_people *p, int64_t i)
{
    const int64_t end = i + NEAR;
    for (; i < end && !is_outside(p, i); ++i) {
        if (p->mention_at[i] != 0)
            return true;
        if (!is_between_names(p, i))
            return false;
    }
    return false;
}

/* An order behind a name, at token i: "A, B and C (from left)", "A, from left,
 * B and C". */
static bool place_behind(ak_people *p, list *l, int64_t i)
{
    if (l->opens || l->place.row != AKIN_ROW_NONE || i < 2 ||
        (!is_mark(p, i - 1, ',') && !is_mark(p, i - 1, '(')) ||
        p->mention_at[i - 2] == 0)
        return false;
    bool closed;
    const int64_t m = p->mention_at[i - 2] - 1;
    const int64_t first = find_first(p, m, &closed);
    const bool more = !closed && name_follows(p, l->at);
    if (first == m && !more)
        return false;
    place_list(p, l, first, more ? INT64_MAX : m);
    return true;
}

static bool begins_list(const ak_people *p, int64_t i)
{
    const bool order = is_cue(p, i, AK_CUE_FROM) || is_cue(p, i, AK_CUE_SIDE) ||
                       is_cue(p, i, AK_CUE_ORDER);
    return begins_part(p, i) || is_mark(p, i - 1, ',') ||
           is_mark(p, i - 1, ':') || is_cue(p, i - 1, AK_CUE_BE) ||
           (order && rank_at(p, i - 1) == 0);
}

static void place_lists(ak_people *p)
{
    akin_picture_side order = AKIN_SIDE_NONE;
    for (int64_t i = 0; i < p->tokens->n; ++i) {
        list l;
        if (p->mention_at[i] != 0 || !begins_list(p, i) || !read_head(p, i, &l))
            continue;
        if (l.ordered)
            order = l.place.side;
        else
            l.place.side = is_counted(&l) ? order : AKIN_SIDE_NONE;
        if (l.ordered && l.place.row == AKIN_ROW_NONE && has_center(p, i - 1))
            continue;
        const int64_t m = next_mention(p, l.at, NEAR);
        if (place_behind(p, &l, i) || m < 0)
            continue;
        place_list(p, &l, m, INT64_MAX);
        i = l.at - 1;
    }
}

/* ---- places before a name ---- */

/* A place among the tokens [from, to), the first; false: none. */
static bool find_place(const ak_people *p, int64_t from, int64_t to,
                       akin_position *place)
{
    for (int64_t i = from; i < to; ++i) {
        const bool begins = i == from || is_cue(p, i, AK_CUE_AT) ||
                            is_cue(p, i, AK_CUE_RANK);
        if (begins && read_place(p, i, place) > i &&
            !(i == from && place->row >= AKIN_ROW_STANDING &&
              place->side == AKIN_SIDE_NONE && i + 1 < to))
            return true;
    }
    return false;
}

/* The mention and those that "and" and commas join to it. */
static void put_all(ak_people *p, int64_t m, akin_position place, bool several)
{
    bool last = false;
    put(p, m, place);
    for (int64_t k = m; several && k < m + NEAR && goes_on(p, k, &last); ++k)
        put(p, k + 1, place);
}

/* "At right is A", "the girl at right is A": the verb is token i. */
static void place_after_verb(ak_people *p, int64_t i)
{
    int64_t from = i;
    akin_position place;
    while (from > 0 && from > i - FAR_AWAY && !begins_part(p, from)) {
        --from;
        if (p->mention_at[from] != 0)
            return;
    }
    const int64_t m = next_mention(p, i, NEAR);
    if (m >= 0 && find_place(p, from, i, &place))
        put_all(p, m, place,
                ak_token_says(p->tokens, i, "are") ||
                    ak_token_says(p->tokens, i, "were"));
}

/* Behind "in the picture", which may follow a side. */
static int64_t skip_picture(const ak_people *p, int64_t i)
{
    static const char *const words[] = {"bild",  "foto",   "photo",
                                        "image", "imagen", "picture"};
    const int64_t k = skip_at(p, i);
    return k > i && SAYS_ANY(p, k, words) ? k + 1 : i;
}

/* Do only titles and the like stand between tokens? */
static bool is_direct(const ak_people *p, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; ++i)
        if (!is_between_names(p, i) || is_mark(p, i, ',') ||
            is_cue(p, i, AK_CUE_AND))
            return false;
    return true;
}

/* "Left: A. Right: B.", "at left A, at right B", "links A, rechts B". */
static void place_headed(ak_people *p)
{
    static const char *const sides[] = {"links", "rechts"};
    for (int64_t i = 0; i < p->tokens->n; ++i) {
        akin_position place;
        if (p->mention_at[i] != 0 ||
            !(begins_part(p, i) || is_mark(p, i - 1, ',') ||
              is_cue(p, i - 1, AK_CUE_AND)))
            continue;
        int64_t end = read_place(p, i, &place);
        if (end == i || place.side == AKIN_SIDE_NONE)
            continue;
        end = skip_picture(p, end);
        const int64_t m = next_mention(p, end, 5);
        const bool headed = is_mark(p, end, ':') || is_dash(p, end);
        const bool direct = is_cue(p, i, AK_CUE_AT) || SAYS_ANY(p, i, sides);
        if (m >= 0 &&
            (headed || (direct && is_direct(p, end, p->mentions[m].first))))
            put(p, m, place);
    }
}

static void place_following(ak_people *p)
{
    for (int64_t i = 0; i < p->tokens->n; ++i) {
        akin_position place;
        if (is_cue(p, i, AK_CUE_BE)) {
            place_after_verb(p, i);
            continue;
        }
        if (!begins_part(p, i) || p->mention_at[i] != 0)
            continue;
        const int64_t end = read_place(p, i, &place);
        const int64_t m =
            end > i && is_mark(p, end, ',') ? next_mention(p, end, 5) : -1;
        if (m >= 0)
            put(p, m, place);
    }
}

/* ---- places after a name ---- */

/* A place between commas, in parentheses, or after "is". */
static bool is_delimited(const ak_people *p, int64_t begin, int64_t end)
{
    const bool opened = is_mark(p, begin - 1, ',') ||
                        is_mark(p, begin - 1, '(') ||
                        is_cue(p, begin - 1, AK_CUE_BE);
    return opened && (is_outside(p, end) || is_mark(p, end, ',') ||
                      is_mark(p, end, ')') || is_mark(p, end, ';') ||
                      is_mark(p, end, '.') ||
                      (is_mark(p, end, ':') && next_mention(p, end, 2) < 0) ||
                      is_cue(p, end, AK_CUE_AND));
}

/* "A on the right", "A at far left, B": a place right behind a name. */
static bool is_behind(const ak_people *p, int64_t begin, int64_t end,
                      const akin_position *place)
{
    static const char *const words[] = {"with",  "as",    "during",
                                        "while", "after", "before",
                                        "mit",   "avec",  "con"};
    const bool opened = is_cue(p, begin, AK_CUE_AT) ||
                        is_cue(p, begin, AK_CUE_FAR);
    const bool ended = is_outside(p, end) || is_cue(p, end, AK_CUE_AND) ||
                       is_cue(p, end, AK_CUE_AT) || SAYS_ANY(p, end, words) ||
                       (ak_tokens_at(p->tokens, end)->shape == AK_SHAPE_MARK &&
                        !is_cue(p, end, AK_CUE_POSSESSIVE));
    const bool placed = place->side != AKIN_SIDE_NONE || place->in_row ||
                        place->row == AKIN_ROW_MIDDLE ||
                        place->row == AKIN_ROW_BACKGROUND ||
                        place->row == AKIN_ROW_FOREGROUND;
    return opened && ended && placed;
}

/* "(L)", "(2nd L)" */
static bool read_letter(const ak_people *p, int64_t i, akin_position *place)
{
    const bool enclosed = (is_mark(p, i - 1, '(') && is_mark(p, i + 1, ')')) ||
                          (is_mark(p, i - 1, '[') && is_mark(p, i + 1, ']'));
    if (!enclosed || !is_cue(p, i, AK_CUE_LETTER))
        return false;
    *place = (akin_position){.side = (akin_picture_side)cue(p, i).value};
    return true;
}

static void place_before(ak_people *p, int64_t m)
{
    const int64_t from = p->mentions[m].end;
    for (int64_t i = from; i < from + FAR_AWAY && !is_outside(p, i); ++i) {
        akin_position place;
        if (p->mention_at[i] != 0 || ak_tokens_at(p->tokens, i)->sentence)
            return;
        if (read_letter(p, i, &place)) {
            put(p, m, place);
            return;
        }
        const int64_t end = read_place(p, i, &place);
        if (end > i && (is_delimited(p, i, end) ||
                        (i == from && is_behind(p, i, end, &place)))) {
            put(p, m, place);
            return;
        }
    }
}

void ak_people_place(ak_people *p)
{
    if (p->n_mentions == 0)
        return;
    place_lists(p);
    place_headed(p);
    for (int64_t m = 0; m < p->n_mentions; ++m)
        place_before(p, m);
    place_following(p);
}
