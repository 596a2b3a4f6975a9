#include "text/persons/position.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const row_names[] = {
    "",       "front",   "middle",     "back",       "rear",
    "top",    "bottom",  "foreground", "background", "standing",
    "seated", "sitting", "kneeling",   "crouching",  NULL};
static const char *const side_names[] = {"", "left", "right", "center", NULL};
static const char *const ranks[] = {
    "",        "first",  "second", "third", "fourth",   "fifth",   "sixth",
    "seventh", "eighth", "ninth",  "tenth", "eleventh", "twelfth", NULL};

static void write_rank(char *text, size_t size, int64_t rank)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    const int64_t last = rank % 100 / 10 == 1 ? 0 : rank % 10;
    if (rank < (int64_t)(sizeof ranks / sizeof ranks[0]) - 1)
        snprintf(text, size, "%s", ranks[rank]);
    else
        snprintf(text, size, "%" PRId64 "%s", rank,
                 endings[last < 4 ? last : 0]);
}

void ak_position_write(char text[AK_POSITION_ROOM], const akin_position *p)
{
    char row[24] = "", rank[24] = "", side[40] = "";
    write_rank(rank, sizeof rank, p->rank);
    if (p->numbered > 0)
        write_rank(row, sizeof row, p->numbered);
    else
        snprintf(row, sizeof row, "%s", row_names[p->row]);
    if (p->rank > 0 && p->side != AKIN_SIDE_NONE)
        snprintf(side, sizeof side, "%s from %s", rank, side_names[p->side]);
    else if (p->rank > 0)
        snprintf(side, sizeof side, "%s", rank);
    else
        snprintf(side, sizeof side, "%s%s", p->far ? "far " : "",
                 side_names[p->side]);
    /* "front left", but "front row, left" and "standing, left". */
    const bool close = p->rank == 0 && !p->in_row && p->numbered == 0 &&
                       p->row < AKIN_ROW_STANDING;
    snprintf(text, AK_POSITION_ROOM, "%s%s%s%s", row, p->in_row ? " row" : "",
             row[0] == '\0' || side[0] == '\0' ? ""
             : close                           ? " "
                                               : ", ",
             side);
}

/* ---- back from text ---- */

/* The place of a word of n bytes in a list; 0: it is not there. */
static int find(const char *const *list, const char *word, size_t n)
{
    for (int k = 1; list[k] != NULL; ++k)
        if (strlen(list[k]) == n && memcmp(list[k], word, n) == 0)
            return k;
    return 0;
}

/* "second", "13th"; 0: no rank. */
static int64_t read_rank(const char *word, size_t n)
{
    char *end;
    const int64_t rank = find(ranks, word, n);
    if (rank > 0 || n < 3 || n > 9 || word[0] < '1' || word[0] > '9')
        return rank;
    const long long number = strtoll(word, &end, 10);
    return end == word + n - 2 ? number : 0;
}

static bool is_word(const char *word, size_t n, const char *wanted)
{
    return strlen(wanted) == n && memcmp(word, wanted, n) == 0;
}

static bool take_word(akin_position *p, const char *word, size_t n)
{
    const int row = find(row_names, word, n);
    const int side = find(side_names, word, n);
    const int64_t rank = read_rank(word, n);
    if (row > 0) {
        p->row = (akin_picture_row)row;
    } else if (side > 0) {
        p->side = (akin_picture_side)side;
    } else if (rank > 0) {
        p->rank = rank;
    } else if (is_word(word, n, "far")) {
        p->far = 1;
    } else if (is_word(word, n, "row")) {
        p->in_row = 1;
        p->numbered = p->rank;
        p->rank = 0;
    } else {
        return is_word(word, n, "from");
    }
    return true;
}

bool ak_position_read(akin_position *out, const char *text)
{
    static const char between[] = " ,";
    akin_position p = {0};
    for (text += strspn(text, between); *text != '\0';) {
        const size_t n = strcspn(text, between);
        if (!take_word(&p, text, n))
            return false;
        text += n;
        text += strspn(text, between);
    }
    *out = p;
    return true;
}
