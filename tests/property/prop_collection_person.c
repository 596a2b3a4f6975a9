/* A person leaves a collection that is made at random: names in any case, with
 * or without accents, merged, as aliases, in corrections and by parts in
 * captions; faces are also lost, refused or drawn. Afterwards no file has a
 * name of the person or one of the vectors, all others are still there, and
 * mentions are where the captions have them. The same holds when the collection
 * is made again. Names are folded here by a table of their own. */
#include <akin/events.h>
#include <akin/faces.h>
#include <akin/persons.h>
#include <dirent.h>

#include "collection_folder.h"
#include "context.h"

#include "base/file.h"
#include "base/rng.h"
#include "collection/faces/captions/corrections.h"
#include "collection/faces/captions/tagging.h"
#include "collection/faces/photos.h"

enum { ROUNDS = 14, PERSONS = 7, PHOTOS = 10, MOST = 3 * PHOTOS, DIM = 16 };

/* The first three share a family name, the last one has another name too. */
static const char *const persons[PERSONS] = {
    "clara svensson",   "jonas svensson",   "mira svensson", "jose nunez",
    "anais de la tour", "ulrike obermoser", "bea ferreira"};
static const char other_name[] = "beatriz quintela";
static const char *const aliases[PERSONS] = {
    "Zibbi Ott", "Zobbo Ott", "Zubbu Utt", "Kexxo Imm",
    "Kixxi Amm", "Wollo Ess", "Willi Oss"};

typedef struct scene {
    ak_rng rng;
    float rows[MOST * DIM];
    int who[MOST];           // the person of each face
    const char *name[MOST];  // for the removal
    int photo_of[MOST];
    int64_t n;
    bool corrects;  // captions are texts, and corrected
} scene;

/* ---- names, written in some way ---- */

static const struct {
    char letter;
    const char *written;
} accents[] = {{'a', "á"}, {'e', "é"}, {'e', "e\xcc\x81"}, {'o', "ö"},
               {'u', "ü"}, {'n', "ñ"}, {'i', "ï"}};
static const struct {
    char letter;
    const char *written;
} capitals[] = {{'a', "Á"}, {'e', "É"}, {'e', "E\xcc\x81"}, {'o', "Ö"},
                {'u', "Ü"}, {'n', "Ñ"}, {'i', "Ï"}};

enum { ACCENTS = sizeof accents / sizeof *accents };

static size_t write_letter(char *to, char c, bool capital, const int accent)
{
    if (accent >= 0 && accents[accent].letter == c) {
        const char *text = capital ? capitals[accent].written
                                   : accents[accent].written;
        memcpy(to, text, strlen(text));
        return strlen(text);
    }
    *to = (char)(capital && c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return 1;
}

/* styles: 0 as names are, 1 capitals, 2 small letters */
static void write_name(char *to, ak_rng *rng, const char *name, int styles)
{
    const int style = (int)ak_rng_below(rng, styles);
    const int accent = (int)ak_rng_below(rng, 2 * ACCENTS) - ACCENTS;
    bool first = true;
    for (; *name != '\0'; ++name) {
        if (*name == ' ' && ak_rng_below(rng, 8) == 0) {
            memcpy(to, "\xc2\xa0", 2);  // no-break space
            to += 2;
        } else
            to += write_letter(to, *name, style == 1 || (style == 0 && first),
                               accent);
        first = *name == ' ';
    }
    *to = '\0';
}

/* ---- a collection ---- */

static void make_rows(scene *s)
{
    for (int p = 0; p < PHOTOS; ++p) {
        const int64_t count = 1 + ak_rng_below(&s->rng, 3);
        const int first = (int)ak_rng_below(&s->rng, PERSONS);
        for (int k = 0; k < count; ++k, ++s->n) {
            s->who[s->n] = (first + k) % PERSONS;
            s->photo_of[s->n] = p;
            for (int i = 0; i < DIM; ++i)
                s->rows[s->n * DIM + i] = (float)ak_rng_unit(&s->rng);
        }
    }
}

static void write_captions(scene *s)
{
    char *text = NULL, name[256];
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    fprintf(to, "photo,faces,names\n");
    for (int p = 0; p < PHOTOS; ++p) {
        const char *between = "";
        fprintf(to, "p%d,", p);
        for (int64_t i = 0; i < s->n; ++i)
            if (s->photo_of[i] == p) {
                fprintf(to, "%s%d", between, (int)i);
                between = ";";
            }
        between = ",";
        for (int64_t i = 0; i < s->n; ++i)
            if (s->photo_of[i] == p) {
                write_name(name, &s->rng, persons[s->who[i]], 3);
                fprintf(to, "%s%s", between, name);
                between = ";";
            }
        fprintf(to, "\n");
    }
    fclose(to);
    text_put("captions.csv", text, size);
    free(text);
}

static void import(const scene *s)
{
    akin_faces_options o = AKIN_FACES_DEFAULTS;
    akin_rows *rows = NULL;
    o.captions = text_path("captions.csv");
    o.force = 1;
    assert_int_equal(akin_rows_new_dense(&rows, ctx, s->n, DIM, s->rows),
                     AKIN_OK);
    if (akin_faces_import(ctx, collection, rows, &o, NULL) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    akin_rows_free(rows);
}

static int64_t photo_id(const ak_catalog *c, int p)
{
    char name[16];
    int64_t id;
    snprintf(name, sizeof name, "p%d", p);
    assert_int_equal(ak_photo_by_name(c, ctx, name, &id), AKIN_OK);
    return id;
}

/* A correction as by the server, perhaps undone. */
static void correct(scene *s, const ak_catalog *c, int64_t photo,
                    const char *text, const char *kind, const char *name,
                    const char *other)
{
    akin_answer x = AKIN_ANSWER_INIT;
    const char *at = strstr(text, name);
    x.kind = kind;
    x.name = name;
    x.other = other;
    x.photo = photo;
    if (at != NULL && ak_rng_below(&s->rng, 2)) {
        x.start = at - text;
        x.end = x.start + (int64_t)strlen(name);
    }
    assert_int_equal(
        ak_sql_do(&c->sql, ctx,
                  "INSERT INTO answers(kind, name, other, user) VALUES(?, ?, "
                  "?, '')",
                  "ttt", kind, name, other),
        AKIN_OK);
    const int64_t number = sqlite3_last_insert_rowid(c->sql.db);
    assert_int_equal(ak_correction_put(c, ctx, number, &x), AKIN_OK);
    if (ak_rng_below(&s->rng, 3) > 0)
        return;
    assert_int_equal(ak_sql_do(&c->sql, ctx,
                               "UPDATE answers SET undone = 1 WHERE number = ?",
                               "i", number),
                     AKIN_OK);
    assert_int_equal(ak_correction_changed(c, ctx, number), AKIN_OK);
}

/* Names are what they are, in full, or of somebody who is not mentioned. */
static void correct_photo(scene *s, const ak_catalog *c, int p,
                          const char *text)
{
    static const char *const kinds[] = {"person", "in-picture",
                                        "not-in-picture"};
    const int64_t photo = photo_id(c, p);
    char name[256], part[256];
    for (int64_t i = 0; i < s->n; ++i) {
        const char *person = persons[s->who[i]];
        if (s->photo_of[i] != p)
            continue;
        write_name(name, &s->rng, person, 2);
        write_name(part, &s->rng, strrchr(person, ' ') + 1, 2);
        if (ak_rng_below(&s->rng, 2))
            correct(s, c, photo, text, "means", part, name);
        correct(s, c, photo, text, kinds[ak_rng_below(&s->rng, 3)], name, NULL);
    }
    write_name(name, &s->rng, persons[ak_rng_below(&s->rng, PERSONS)], 3);
    correct(s, c, photo, text, "person", name, NULL);
}

static void put_captions(scene *s, const ak_catalog *c)
{
    char name[256], part[256];
    akin_tagger *tagger = NULL;
    assert_int_equal(akin_tagger_default(&tagger, ctx), AKIN_OK);
    for (int p = 0; p < PHOTOS; ++p) {
        char text[4096] = "At the opening: ", names[4096] = "";
        const bool given = ak_rng_below(&s->rng, 2) == 0;
        for (int64_t i = 0; i < s->n; ++i) {
            if (s->photo_of[i] != p)
                continue;
            if (ak_rng_below(&s->rng, 3) == 0)
                snprintf(text + strlen(text), 64, "%s sang. ",
                         aliases[s->who[i]]);
            write_name(name, &s->rng, persons[s->who[i]], given ? 3 : 2);
            write_name(part, &s->rng, strrchr(persons[s->who[i]], ' ') + 1, 2);
            snprintf(text + strlen(text), 600, "%s spoke. %s's team won. ",
                     name, part);
            snprintf(names + strlen(names), 512, "%s%s", names[0] ? "\n" : "",
                     name);
        }
        const ak_caption caption = {text, given ? names : NULL};
        assert_int_equal(
            ak_photo_put_caption(c, ctx, photo_id(c, p), &caption, tagger),
            AKIN_OK);
        correct_photo(s, c, p, text);
    }
    akin_tagger_free(tagger);
}

/* Stored as by the server, but in one transaction: it takes a tenth of the
 * time. */
static void answer(const ak_catalog *c, const char *kind, int64_t face,
                   const char *name, const char *other, int64_t undone)
{
    assert_int_equal(
        ak_sql_do(&c->sql, ctx,
                  "INSERT INTO answers(item, kind, name, other, user, undone) "
                  "VALUES(nullif(?, -1), ?, ?, ?, '', ?)",
                  "ittti", face, kind, name, other, undone),
        AKIN_OK);
}

/* A face that was there before: its label or an answer has the name, and what
 * it was is kept for who undoes the answer. */
static void lose(scene *s, const ak_catalog *c, int64_t i, const char *name)
{
    const ak_blob row = {s->rows + i * DIM, DIM * sizeof *s->rows};
    const bool told = ak_rng_below(&s->rng, 2) == 0;
    const int64_t item = 1000 + i;
    assert_int_equal(
        ak_sql_do(&c->sql, ctx,
                  "INSERT INTO lost(item, photo, number, labels, refused) "
                  "VALUES(?, ?, ?, ?, ?)",
                  "iiiti", item, photo_id(c, s->photo_of[i]), 50 + i,
                  told ? "" : name, (int64_t)ak_rng_below(&s->rng, 2)),
        AKIN_OK);
    if (told)
        answer(c, "is", item, name, NULL, 0);
    assert_int_equal(
        ak_sql_do(&c->sql, ctx,
                  "INSERT INTO answers(item, kind, user, before) VALUES(?, "
                  "'no-face', '', ?)",
                  "ib", item, row),
        AKIN_OK);
    assert_int_equal(
        ak_sql_do(&c->sql, ctx,
                  "INSERT INTO answers(item, kind, user, undone, before) "
                  "VALUES(?, 'box', '', 1, ?)",
                  "ib", i, row),
        AKIN_OK);
}

/* Some faces are named by answers, the others by a list. */
static void say(scene *s, const ak_catalog *c)
{
    static char written[MOST][256];
    char one[256], two[256];
    write_name(one, &s->rng, persons[PERSONS - 1], 3);
    write_name(two, &s->rng, other_name, 3);
    answer(c, "merge", -1, one, two, 0);
    for (int64_t i = 0; i < s->n; ++i) {
        const bool last = s->who[i] == PERSONS - 1;
        const char *name =
            last && ak_rng_below(&s->rng, 2) ? other_name : persons[s->who[i]];
        write_name(written[i], &s->rng, name, 3);
        s->name[i] = ak_rng_below(&s->rng, 2) ? written[i] : "";
        if (s->name[i][0] == '\0')
            answer(c, "is", i, written[i], NULL, 0);
        if (ak_rng_below(&s->rng, 3) == 0)
            lose(s, c, i, written[i]);
        write_name(one, &s->rng, persons[ak_rng_below(&s->rng, PERSONS)], 3);
        if (ak_rng_below(&s->rng, 3) == 0)
            answer(c, "is-not", i, one, NULL, 1);
    }
}

/* Files with what is learned of the faces and of the captions. */
static void put_files(const scene *s)
{
    static const char *const files[] = {"names", "tagger"};
    char name[64];
    for (int k = 0; k < 2; ++k) {
        snprintf(name, sizeof name, "%.20s/%s.safetensors",
                 strrchr(collection, '/') + 1, files[k]);
        text_put(name, (const char *)s->rows,
                 (size_t)s->n * DIM * sizeof *s->rows);
    }
}

static void fill(scene *s)
{
    ak_catalog c = {.lock = -1};
    assert_int_equal(ak_catalog_open(&c, ctx, collection, AK_CATALOG_WRITE),
                     AKIN_OK);
    assert_int_equal(ak_sql_begin(&c.sql, ctx), AKIN_OK);
    for (int k = 0; k < PERSONS; ++k)
        assert_int_equal(ak_sql_do(&c.sql, ctx,
                                   "INSERT INTO aliases VALUES(?, ?)", "tt",
                                   aliases[k], persons[k]),
                         AKIN_OK);
    if (s->corrects)
        put_captions(s, &c);
    say(s, &c);
    put_files(s);
    assert_int_equal(ak_sql_end(&c.sql, ctx, AKIN_OK), AKIN_OK);
    ak_catalog_close(&c);
}

/* Somebody called like the person judges a face of theirs. */
static void click(const scene *s, int victim)
{
    akin_event x = AKIN_EVENT_INIT;
    akin_events *e = NULL;
    akin_rows *row = NULL;
    int64_t number, item = 0;
    const int64_t good[] = {0};
    while (item < s->n - 1 && s->who[item] != victim)
        ++item;
    assert_int_equal(
        akin_rows_new_dense(&row, ctx, 1, DIM, s->rows + item * DIM), AKIN_OK);
    assert_int_equal(akin_events_open(&e, ctx, collection), AKIN_OK);
    x.query = "face";
    x.row = row;
    x.good = good;
    x.n_good = 1;
    x.user = persons[victim];
    if (akin_events_add(&number, ctx, e, &x) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    akin_events_close(e);
    akin_rows_free(row);
}

/* ---- what is left ---- */

/* In small letters, without accents; blanks of any kind are one. */
static size_t fold(char *text, size_t n)
{
    size_t to = 0;
    for (size_t at = 0; at < n;) {
        size_t used = 1;
        char c = text[at];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        for (int k = 0; k < ACCENTS; ++k) {
            const char *both[] = {accents[k].written, capitals[k].written};
            for (int j = 0; j < 2; ++j)
                if (n - at >= strlen(both[j]) &&
                    memcmp(text + at, both[j], strlen(both[j])) == 0) {
                    c = accents[k].letter;
                    used = strlen(both[j]);
                }
        }
        if (n - at >= 2 && memcmp(text + at, "\xc2\xa0", 2) == 0) {
            c = ' ';
            used = 2;
        }
        text[to++] = c;
        at += used;
    }
    return to;
}

typedef struct left {
    const scene *s;
    int victim;
    bool family;  // nobody else has the family name
} left;

static void look_into(const left *l, const char *path)
{
    char *bytes = NULL;
    size_t n = 0;
    assert_int_equal(ak_file_read(ctx, path, &bytes, &n), AKIN_OK);
    for (int64_t i = 0; i < l->s->n; ++i)
        if (l->s->who[i] == l->victim &&
            memmem(bytes, n, l->s->rows + i * DIM, DIM * sizeof(float)) != NULL)
            fail_msg("%s has the vector of face %d", path, (int)i);
    n = fold(bytes, n);
    const char *family = strrchr(persons[l->victim], ' ') + 1;
    char alias[32];
    snprintf(alias, sizeof alias, "%s", aliases[l->victim]);
    alias[fold(alias, strlen(alias))] = '\0';
    const char *texts[] = {persons[l->victim],
                           l->victim == PERSONS - 1 ? other_name : NULL,
                           l->family ? family : NULL, alias};
    for (int k = 0; k < 4; ++k) {
        const char *at = texts[k] ? memmem(bytes, n, texts[k], strlen(texts[k]))
                                  : NULL;
        if (at != NULL)
            fail_msg("%s has %s: %.60s", path, texts[k], at);
    }
    akin_free(bytes);
}

static void look_below(const left *l, const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        char path[512];
        struct stat at;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &at) != 0)
            continue;
        if (S_ISDIR(at.st_mode))
            look_below(l, path);
        else
            look_into(l, path);
    }
    closedir(dir);
}

/* How many names of captions are this person's. */
static int64_t count_names(const char *person)
{
    ak_catalog c = {.lock = -1};
    sqlite3_stmt *q = NULL;
    bool row = true;
    int64_t n = 0;
    assert_int_equal(ak_catalog_open(&c, ctx, collection, AK_CATALOG_READ),
                     AKIN_OK);
    assert_int_equal(
        ak_sql_ask(&c.sql, ctx, &q, "SELECT name FROM caption_names", ""),
        AKIN_OK);
    for (;;) {
        char name[512];
        assert_int_equal(ak_sql_next(&c.sql, ctx, q, &row), AKIN_OK);
        if (!row)
            break;
        snprintf(name, sizeof name, "%s",
                 (const char *)sqlite3_column_text(q, 0));
        name[fold(name, strlen(name))] = '\0';
        n += strcmp(name, person) == 0;
    }
    sqlite3_finalize(q);
    ak_catalog_close(&c);
    return n;
}

/* Mentions are parts of captions that have the family or the given name, or the
 * alias; corrections are about what the caption has at their place. */
static void check_places(void)
{
    ak_catalog c = {.lock = -1};
    int64_t n = -1;
    assert_int_equal(ak_catalog_open(&c, ctx, collection, AK_CATALOG_READ),
                     AKIN_OK);
    for (int64_t photo = 0; photo < PHOTOS; ++photo)
        for (int table = 0; table < 2; ++table) {
            akin_caption_names names = {0};
            char *text = NULL;
            bool found;
            assert_int_equal(ak_caption_load(&text, ctx, &c, photo, &found),
                             AKIN_OK);
            assert_int_equal(ak_caption_names_load(
                                 &names, ctx, &c, (ak_names_table)table, photo),
                             AKIN_OK);
            for (int64_t i = 0; i < names.n; ++i)
                for (int64_t k = 0; k < names.all[i].n_spans; ++k) {
                    const ak_caption_span at = names.all[i].spans[k];
                    char name[512], mention[512];
                    assert_non_null(text);
                    assert_true(ak_span_is_whole(text, at.start, at.end));
                    snprintf(name, sizeof name, "%s", names.all[i].name);
                    snprintf(mention, sizeof mention, "%.*s", at.end - at.start,
                             text + at.start);
                    name[fold(name, strlen(name))] = '\0';
                    mention[fold(mention, strlen(mention))] = '\0';
                    const char *family = strrchr(name, ' ');
                    if (strstr(mention, family ? family + 1 : name) == NULL &&
                        strstr(name, mention) == NULL)
                        fail_msg("%s is \"%s\" in %s", name, mention, text);
                }
            ak_caption_names_clear(&names);
            akin_free(text);
        }
    assert_int_equal(
        ak_sql_number(&c.sql, ctx,
                      "SELECT COUNT(*) FROM caption_answers a JOIN photos p ON "
                      "p.id = photo WHERE first IS NOT NULL AND "
                      "CAST(substr(CAST(caption AS BLOB), first + 1, last - "
                      "first) AS TEXT) <> mention",
                      &n),
        AKIN_OK);
    assert_int_equal(n, 0);
    ak_catalog_close(&c);
}

static void check_left(const scene *s, int victim, int64_t removed,
                       const int64_t before[PERSONS])
{
    const left l = {s, victim, victim > 2};
    int64_t own = 0, files = 0;
    akin_collection *c = NULL;
    for (int64_t i = 0; i < s->n; ++i)
        own += s->who[i] == victim;
    assert_int_equal(removed, own);
    look_below(&l, collection);
    assert_int_equal(
        akin_faces_mentions(&files, ctx, collection, persons[victim]), AKIN_OK);
    assert_int_equal(files, 0);
    /* What a corrected family name means may go with a relative. */
    for (int k = 0; k < PERSONS; ++k)
        if (k == victim || !s->corrects || victim > 2 || k > 2)
            assert_int_equal(count_names(persons[k]),
                             k == victim ? 0 : before[k]);
    check_places();
    assert_int_equal(akin_collection_open(&c, ctx, collection), AKIN_OK);
    assert_int_equal(akin_collection_count(c), s->n - own);
    akin_collection_close(c);
}

static void a_person_leaves(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        scene s = {.rng = ak_rng_new(seed, AK_STREAM_SYNTH),
                   .corrects = seed % 3 > 0};
        int64_t before[PERSONS], removed = 0, own = 0;
        char name[256], folder[16];
        /* One that replaces another has its answers. */
        snprintf(folder, sizeof folder, "c%d", (int)seed);
        snprintf(collection, sizeof collection, "%s", text_path(folder));
        make_rows(&s);
        write_captions(&s);
        import(&s);
        fill(&s);
        const int victim = (int)(seed % PERSONS);
        const bool merged = victim == PERSONS - 1 && ak_rng_below(&s.rng, 2);
        for (int64_t i = 0; i < s.n; ++i)
            own += s.who[i] == victim;
        if (own > 0)
            click(&s, victim);
        for (int k = 0; k < PERSONS; ++k)
            before[k] = count_names(persons[k]);
        write_name(name, &s.rng, merged ? other_name : persons[victim], 3);
        if (akin_faces_remove_person(&removed, ctx, collection, name, s.name) !=
                AKIN_OK &&
            own > 0)
            fail_msg("seed %d: %s", (int)seed, akin_ctx_message(ctx));
        if (own == 0)
            continue;
        check_left(&s, victim, removed, before);
        if (s.corrects)
            continue;  // the file has other captions
        import(&s);
        check_left(&s, victim, removed, before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(a_person_leaves),
    };
    return cmocka_run_group_tests(tests, collection_begin, collection_end);
}
