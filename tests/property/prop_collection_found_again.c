/* Faces that detections find, lose and find again, that people name, refuse,
 * draw and undo, in photos that are renamed and scaled, and in collections that
 * are made again. Whatever comes: what was said of a place is said of the face
 * that is there, a face that was refused is not found, one that was drawn is
 * there, and a face has one number. */
#include <akin/review.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "collection/faces/answers.h"
#include "collection/faces/carry.h"
#include "collection/faces/drawn.h"
#include "collection_folder.h"
#include "context.h"

enum { PHOTOS = 2, PLACES = 4, DIM = 3, STEPS = 120, RUNS = 6, SAID = 400 };
enum { IS, IS_NOT, BOX, NO_FACE };

/* Of its size, by which a box is beside its place; two such boxes overlap by
 * 0.56 or more. */
static const double beside = 0.05;

static const char *const kinds[] = {"is", "is-not", "box", "no-face"};

typedef struct said {
    int64_t number;
    int photo, place, kind;
    bool undone;
} said;

typedef struct world {
    ak_rng rng;
    ak_catalog c;
    int64_t photo[PHOTOS], width[PHOTOS], height[PHOTOS];
    int64_t item[PHOTOS][PLACES];  // of each place; -1: not known
    int names[PHOTOS];             // how often it was renamed
    said said[SAID];
    int n;
    int64_t seed, step, made;
} world;

static world w;

/* ---- places ---- */

/* A box at the place, up to `off` of its size beside it. */
static void box_of(int photo, int place, double off, double box[4])
{
    const double W = (double)w.width[photo], H = (double)w.height[photo];
    const double dx = off * (2.0 * ak_rng_unit(&w.rng) - 1.0);
    const double dy = off * (2.0 * ak_rng_unit(&w.rng) - 1.0);
    const double scale = 1.0 + off * (2.0 * ak_rng_unit(&w.rng) - 1.0);
    box[0] = W * (0.1 + 0.45 * (place % 2) + 0.3 * dx);
    box[1] = H * (0.1 + 0.45 * (place / 2) + 0.3 * dy);
    box[2] = 0.3 * W * scale;
    box[3] = 0.3 * H * scale;
}

static int place_of(int photo, const double box[4])
{
    const double x = (box[0] + box[2] / 2.0) / (double)w.width[photo];
    const double y = (box[1] + box[3] / 2.0) / (double)w.height[photo];
    return (x > 0.475) + 2 * (y > 0.475);
}

static void make_face(ak_face *f, float *row, const double box[4], double score)
{
    *f = (ak_face){.score = score};
    memcpy(f->box, box, sizeof f->box);
    for (int k = 0; k < DIM; ++k)
        row[k] = (float)ak_rng_normal(&w.rng);
}

static void good(akin_status st, const char *what)
{
    if (st != AKIN_OK)
        fail_msg("seed %d, step %d: %s: %s", (int)w.seed, (int)w.step, what,
                 akin_ctx_message(ctx));
}

/* ---- photos ---- */

typedef struct photo_texts {
    char name[64], path[128];
    unsigned char hash[AK_HASH_SIZE];
} photo_texts;

static ak_catalog_photo photo_of(int photo, photo_texts *t)
{
    snprintf(t->name, sizeof t->name, "%d_%d.jpg", photo, w.names[photo]);
    snprintf(t->path, sizeof t->path, "/nowhere/%s", t->name);
    memset(t->hash, 1 + photo, sizeof t->hash);
    return (ak_catalog_photo){.id = w.photo[photo],
                              .name = t->name,
                              .path = t->path,
                              .folder = 1,
                              .hash = {t->hash, sizeof t->hash},
                              .width = w.width[photo],
                              .height = w.height[photo]};
}

/* As a run does for each photo: those that were drawn are looked at too. */
static akin_status put_photo(int photo, const ak_face_set *found,
                             const ak_face_set *drawn)
{
    photo_texts t;
    ak_face_changes changes = {0};
    ak_catalog_photo p = photo_of(photo, &t);
    AK_CHECK(ak_photo_put(&w.c, ctx, &p));
    w.photo[photo] = p.id;
    return ak_photo_put_faces(&w.c, ctx, &p, found, NULL, drawn, &changes);
}

static void detect(int photo)
{
    ak_face faces[PLACES], at[PLACES];
    float rows[PLACES * DIM], at_rows[PLACES * DIM];
    ak_face_set found = {.dim = DIM, .faces = faces, .descriptors = rows};
    ak_face_set drawn = {.dim = DIM, .faces = at, .descriptors = at_rows};
    photo_texts t;
    const ak_catalog_photo p = photo_of(photo, &t);
    ak_drawn d = {0};
    double box[4];
    good(ak_drawn_read(&d, ctx, &w.c, &p), "drawn");
    assert_true(d.boxes.n <= PLACES);
    for (int64_t i = 0; i < d.boxes.n; ++i) {
        const double x = (double)p.width / (double)d.width;
        const double y = (double)p.height / (double)d.height;
        for (int k = 0; k < 4; ++k)
            box[k] = d.boxes.boxes[4 * i + k] * (k % 2 == 0 ? x : y);
        make_face(&at[drawn.n], at_rows + drawn.n * DIM, box, 0.0);
        ++drawn.n;
    }
    ak_boxes_free(&d.boxes);
    for (int place = 0; place < PLACES; ++place)
        if (ak_rng_unit(&w.rng) < 0.6) {
            box_of(photo, place, beside, box);
            make_face(&faces[found.n], rows + found.n * DIM, box, 1.0);
            ++found.n;
        }
    good(ak_sql_begin(&w.c.sql, ctx), "begin");
    good(ak_sql_end(&w.c.sql, ctx, put_photo(photo, &found, &drawn)), "detect");
}

/* ---- what people say ---- */

static int64_t number_at(int photo, int place, const char *question)
{
    sqlite3_stmt *q = NULL;
    int64_t found = -1;
    bool row = true;
    good(ak_sql_ask(&w.c.sql, ctx, &q, question, "i", w.photo[photo]), "ask");
    for (;;) {
        double box[4];
        good(ak_sql_next(&w.c.sql, ctx, q, &row), "next");
        if (!row)
            break;
        for (int k = 0; k < 4; ++k)
            box[k] = sqlite3_column_double(q, k + 1);
        if (place_of(photo, box) != place)
            continue;
        if (found >= 0)
            fail_msg("seed %d, step %d: two faces at place %d.%d", (int)w.seed,
                     (int)w.step, photo, place);
        found = sqlite3_column_int64(q, 0);
    }
    sqlite3_finalize(q);
    return found;
}

static int64_t item_at(int photo, int place)
{
    return number_at(photo, place,
                     "SELECT item, x, y, width, height FROM faces WHERE photo "
                     "= ?");
}

static void remember(int64_t number, int photo, int place, int kind)
{
    assert_true(w.n < SAID);
    w.said[w.n++] = (said){number, photo, place, kind, false};
}

static void name_text(char text[16], int photo, int place, int kind)
{
    snprintf(text, 16, "%s%d%d", kind == IS ? "P" : "X", photo, place);
}

static void say(int photo, int place, int kind)
{
    akin_answers *a = NULL;
    akin_answer x = AKIN_ANSWER_INIT;
    char name[16];
    int64_t number;
    x.kind = kinds[kind];
    x.face = item_at(photo, place);
    name_text(name, photo, place, kind);
    x.name = kind == NO_FACE ? NULL : name;
    if (x.face < 0)
        return;
    good(akin_answers_open(&a, ctx, w.c.folder), "open");
    good(akin_answers_add(&number, ctx, a, &x), "add");
    akin_answers_close(a);
    remember(number, photo, place, kind);
}

static void draw(int photo, int place)
{
    akin_drawing o = AKIN_DRAWING_INIT;
    photo_texts t;
    const ak_catalog_photo p = photo_of(photo, &t);
    ak_face face;
    float row[DIM];
    const ak_face_set set = {1, DIM, &face, row, {0}};
    int64_t item, number;
    double box[4];
    box_of(photo, place, beside, box);
    make_face(&face, row, box, 0.0);
    o.photo_id = p.id;
    o.face = ak_rng_unit(&w.rng) < 0.5 ? item_at(photo, place) : -1;
    good(ak_sql_begin(&w.c.sql, ctx), "begin");
    good(ak_sql_end(&w.c.sql, ctx,
                    ak_drawing_put(&item, &number, ctx, &w.c, &p, &o, &set)),
         "draw");
    remember(number, photo, place, BOX);
}

static void undo(int which)
{
    akin_answers *a = NULL;
    good(akin_answers_open(&a, ctx, w.c.folder), "open");
    good(akin_answers_undo(ctx, a, w.said[which].number), "undo");
    akin_answers_close(a);
    w.said[which].undone = true;
}

/* ---- collections ---- */

static void open_new(const ak_carried *carried)
{
    const ak_space space = {0, DIM, AK_FORM_DENSE, "vectors"};
    char name[32];
    snprintf(name, sizeof name, "c%d_%d", (int)w.seed, (int)w.made++);
    w.c = (ak_catalog){.lock = -1};
    good(ak_catalog_open(&w.c, ctx, text_path(name), AK_CATALOG_WRITE), "new");
    good(ak_sql_run(&w.c.sql, ctx, "PRAGMA synchronous=OFF"), "quick");
    good(ak_sql_begin(&w.c.sql, ctx), "begin");
    good(ak_catalog_set(&w.c, ctx, "kind", "faces"), "kind");
    good(ak_space_put(&w.c, ctx, &space), "space");
    if (carried != NULL)
        good(ak_carry_put(carried, ctx, &w.c), "carry");
    good(ak_sql_end(&w.c.sql, ctx, AKIN_OK), "end");
    close(w.c.lock);  // others change the index
    w.c.lock = -1;
    for (int i = 0; i < PHOTOS; ++i) {
        w.photo[i] = -1;
        for (int k = 0; k < PLACES; ++k)
            w.item[i][k] = -1;
    }
}

/* Made again, as with `force`; a photo may have moved meanwhile. */
static void make_again(void)
{
    ak_carried carried = {0};
    char folder[PATH_MAX];
    strcpy(folder, w.c.folder);
    ak_catalog_close(&w.c);
    good(ak_carry_begin(&carried, ctx, folder, true), "old");
    assert_true(carried.is_open);
    open_new(&carried);
    ak_carry_end(&carried);
    good(ak_catalog_erase(ctx, folder), "erase");
    w.names[ak_rng_below(&w.rng, PHOTOS)] += 1;
    for (int i = 0; i < PHOTOS; ++i)
        detect(i);
}

/* ---- what must hold ---- */

/* The last thing that was said of the place itself; -1: nothing. */
static int last_of(int photo, int place)
{
    for (int i = w.n - 1; i >= 0; --i) {
        const said *x = &w.said[i];
        if (x->photo == photo && x->place == place && !x->undone &&
            x->kind >= BOX)
            return x->kind;
    }
    return -1;
}

static bool was_said(int photo, int place, int kind)
{
    for (int i = 0; i < w.n; ++i)
        if (w.said[i].photo == photo && w.said[i].place == place &&
            w.said[i].kind == kind && !w.said[i].undone)
            return true;
    return false;
}

static bool is_told(const ak_told_list *l, int64_t item, int photo, int place,
                    int kind)
{
    char name[16];
    name_text(name, photo, place, kind);
    for (int64_t i = 0; i < l->n; ++i) {
        const ak_told *x = &l->all[i];
        if (x->item == item &&
            x->kind == (kind == IS ? AK_TOLD_IS : AK_TOLD_IS_NOT) &&
            strcmp(ak_told_name(l, x), name) == 0)
            return true;
    }
    return false;
}

static void check_place(const ak_told_list *l, int photo, int place,
                        int64_t *told)
{
    const int64_t item = item_at(photo, place);
    const int last = last_of(photo, place);
    if (last == BOX && item < 0)
        fail_msg("seed %d, step %d: a drawn face is gone", (int)w.seed,
                 (int)w.step);
    if (last == NO_FACE && item >= 0)
        fail_msg("seed %d, step %d: a refused face is back", (int)w.seed,
                 (int)w.step);
    if (item < 0)
        return;
    if (w.item[photo][place] >= 0 && w.item[photo][place] != item)
        fail_msg("seed %d, step %d: another number", (int)w.seed, (int)w.step);
    w.item[photo][place] = item;
    for (int kind = IS; kind <= IS_NOT; ++kind) {
        const bool wanted = was_said(photo, place, kind);
        *told += wanted;
        if (is_told(l, item, photo, place, kind) != wanted)
            fail_msg("seed %d, step %d: %s of place %d.%d", (int)w.seed,
                     (int)w.step, kinds[kind], photo, place);
    }
}

static void check_all(void)
{
    ak_told_list l = {0};
    int64_t told = 0;
    good(ak_told_read(&l, ctx, &w.c), "told");
    for (int photo = 0; photo < PHOTOS; ++photo)
        for (int place = 0; place < PLACES; ++place)
            check_place(&l, photo, place, &told);
    assert_int_equal(l.n, told);
    ak_told_free(&l);
}

/* ---- the runs ---- */

static void step(void)
{
    const int photo = (int)ak_rng_below(&w.rng, PHOTOS);
    const int place = (int)ak_rng_below(&w.rng, PLACES);
    const double what = ak_rng_unit(&w.rng);
    if (what < 0.35)
        detect(photo);
    else if (what < 0.55)
        say(photo, place, what < 0.45 ? IS : IS_NOT);
    else if (what < 0.62)
        say(photo, place, NO_FACE);
    else if (what < 0.72)
        draw(photo, place);
    else if (what < 0.86 && w.n > 0)
        undo((int)ak_rng_below(&w.rng, w.n));
    else if (what < 0.91)
        ++w.names[photo];  // and looked at, in the next detection
    else if (what < 0.95) {
        w.width[photo] = 200 + ak_rng_below(&w.rng, 1000);
        w.height[photo] = 200 + ak_rng_below(&w.rng, 1000);
        detect(photo);
    } else
        make_again();
}

static void faces_keep_what_was_said(void **state)
{
    akin_collection *c = NULL;
    (void)state;
    for (int64_t seed = 1; seed <= RUNS; ++seed) {
        w = (world){.rng = ak_rng_new((uint64_t)seed, AK_STREAM_SYNTH),
                    .seed = seed,
                    .width = {400, 900},
                    .height = {300, 600}};
        open_new(NULL);
        for (int i = 0; i < PHOTOS; ++i)
            detect(i);
        for (w.step = 0; w.step < STEPS; ++w.step) {
            step();
            check_all();
        }
        good(akin_collection_open(&c, ctx, w.c.folder), "open");
        good(akin_collection_check(ctx, c), "check");
        akin_collection_close(c);
        ak_catalog_close(&w.c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(faces_keep_what_was_said),
    };
    return cmocka_run_group_tests(tests, collection_begin, collection_end);
}
