#include "collection/faces/face_crew.h"

enum { OPEN, LOOK };

/* ---- parcels ---- */

/* Without lines of a file. */
static akin_status pass_boxes(ak_parcel *p, ak_boxes *b)
{
    int64_t n = b->n;
    AK_CHECK(AK_PARCEL_FIELD(p, &n));
    AK_CHECK(AK_PARCEL_ARRAY(p, &b->boxes, 4 * n));
    if (p->unpacks) {
        AK_CHECK(AK_NEW(p->ctx, n, &b->names));
        b->n = n;
    }
    for (int64_t i = 0; i < n; ++i)
        AK_CHECK(ak_parcel_text(p, &b->names[i]));
    return AKIN_OK;
}

static akin_status pass_set(ak_parcel *p, ak_face_set *f)
{
    AK_CHECK(AK_PARCEL_FIELD(p, &f->n));
    AK_CHECK(AK_PARCEL_FIELD(p, &f->dim));
    AK_CHECK(AK_PARCEL_ARRAY(p, &f->faces, f->n));
    AK_CHECK(AK_PARCEL_ARRAY(p, &f->descriptors, f->n * f->dim));
    return ak_parcel_field(p, f->seconds, sizeof f->seconds);
}

static akin_status pass_tags(ak_parcel *p, ak_tags *t)
{
    AK_CHECK(ak_parcel_text(p, &t->caption.text));
    AK_CHECK(ak_parcel_text(p, &t->caption.names));
    AK_CHECK(AK_PARCEL_FIELD(p, &t->has_regions));
    AK_CHECK(pass_boxes(p, &t->boxes));
    AK_CHECK(AK_PARCEL_FIELD(p, &t->n_unusable));
    return ak_parcel_text(p, &t->remark);
}

/* What is to be looked at; `boxes` are in `given`. */
static akin_status pass_question(ak_parcel *p, ak_face_task *t, ak_boxes *given)
{
    char *path = (char *)t->path;
    bool has_boxes = t->boxes != NULL;
    AK_CHECK(ak_parcel_text(p, &path));
    t->path = path;
    AK_CHECK(AK_PARCEL_FIELD(p, &has_boxes));
    AK_CHECK(pass_boxes(p, given));
    t->boxes = has_boxes ? given : NULL;
    AK_CHECK(AK_PARCEL_FIELD(p, &t->reads_tags));
    AK_CHECK(AK_PARCEL_FIELD(p, &t->uses_regions));
    AK_CHECK(pass_boxes(p, &t->drawn.boxes));
    AK_CHECK(AK_PARCEL_FIELD(p, &t->drawn.width));
    return AK_PARCEL_FIELD(p, &t->drawn.height);
}

/* What was found. Boxes may be others now: regions, or those inside. */
static akin_status pass_answer(void *arg, ak_parcel *p, int64_t i)
{
    ak_face_task *t = (ak_face_task *)arg + i;
    bool regions = t->boxes == &t->tags.boxes, inside = t->boxes == &t->inside;
    AK_CHECK(AK_PARCEL_FIELD(p, &t->status));
    AK_CHECK(ak_parcel_text(p, &t->why));
    AK_CHECK(AK_PARCEL_FIELD(p, &t->width));
    AK_CHECK(AK_PARCEL_FIELD(p, &t->height));
    AK_CHECK(AK_PARCEL_FIELD(p, &t->decode_seconds));
    AK_CHECK(pass_tags(p, &t->tags));
    AK_CHECK(pass_boxes(p, &t->inside));
    AK_CHECK(pass_set(p, &t->faces));
    AK_CHECK(pass_set(p, &t->drawn_faces));
    AK_CHECK(AK_PARCEL_FIELD(p, &regions));
    AK_CHECK(AK_PARCEL_FIELD(p, &inside));
    if (regions || inside)
        t->boxes = regions ? &t->tags.boxes : &t->inside;
    return AKIN_OK;
}

/* ---- duties ---- */

static akin_status do_open(void *state, akin_ctx *ctx, ak_parcel *order)
{
    ak_face_crew *c = state;
    ak_finder_options o;
    AK_CHECK(AK_PARCEL_FIELD(order, &o));
    return ak_face_finder_new(&c->finder, ctx, &o);
}

/* The questions as another rank has them. */
static akin_status read_questions(akin_ctx *ctx, ak_parcel *order, int64_t n,
                                  ak_face_task **tasks, ak_boxes **given)
{
    AK_CHECK(AK_SCRATCH(ctx, n, tasks));
    AK_CHECK(AK_SCRATCH(ctx, n, given));
    for (int64_t i = 0; i < n; ++i)
        AK_CHECK(pass_question(order, *tasks + i, *given + i));
    return AKIN_OK;
}

static void free_questions(ak_face_task *tasks, ak_boxes *given, int64_t n)
{
    for (int64_t i = 0; given != NULL && i < n; ++i) {
        akin_free((char *)tasks[i].path);
        ak_face_task_free(&tasks[i]);
        ak_boxes_free(&given[i]);
    }
}

static akin_status do_look(void *state, akin_ctx *ctx, ak_parcel *order)
{
    const ak_face_crew *c = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_face_task *tasks = c->tasks;
    ak_boxes *given = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_PARCEL_FIELD(order, &n));
    if (akin_ctx_rank(ctx) > 0)
        AK_TRY(read_questions(ctx, order, n, &tasks, &given));
    const ak_rank_range own = ak_comm_own(ctx, n, 1);
    st = ak_face_finder_look(c->finder, ctx, tasks + own.begin,
                             own.end - own.begin);
done:
    st = ak_comm_agree(ctx, st);
    if (st == AKIN_OK)
        st = ak_crew_deliver(ctx, n, pass_answer, tasks);
    free_questions(tasks, given, n);
    ak_scratch_end(ctx, mark);
    return st;
}

static const ak_duty duties[] = {[OPEN] = do_open, [LOOK] = do_look};

akin_status ak_face_crew_run(ak_face_crew *c, akin_ctx *ctx,
                             akin_status (*lead)(void *arg), void *arg)
{
    c->crew = (ak_crew){.duties = duties, .state = c};
    const akin_status st = ak_crew_run(&c->crew, ctx, lead, arg);
    ak_face_finder_free(c->finder);
    return st;
}

/* ---- orders ---- */

akin_status ak_face_crew_open(ak_face_crew *c, akin_ctx *ctx,
                              const ak_finder_options *options)
{
    ak_finder_options o = *options;
    ak_parcel order = {.ctx = ctx};
    akin_status st = AK_PARCEL_FIELD(&order, &o);
    if (st == AKIN_OK)
        st = ak_crew_ask(&c->crew, ctx, OPEN, &order);
    ak_parcel_free(&order);
    return st;
}

akin_status ak_face_crew_look(ak_face_crew *c, akin_ctx *ctx,
                              ak_face_task *tasks, int64_t n)
{
    ak_boxes none = {0};
    ak_parcel order = {.ctx = ctx};
    akin_status st = AKIN_OK;
    AK_TRY(AK_PARCEL_FIELD(&order, &n));
    for (int64_t i = 0; i < n && ak_crew_size(&c->crew) > 1; ++i) {
        ak_face_task question = tasks[i];
        AK_TRY(
            pass_question(&order, &question,
                          tasks[i].boxes ? (ak_boxes *)tasks[i].boxes : &none));
    }
    c->tasks = tasks;
    AK_TRY(ak_crew_ask(&c->crew, ctx, LOOK, &order));
    AK_TRY(ak_face_tasks_check(ctx, tasks, n));
done:
    ak_parcel_free(&order);
    return st;
}

int64_t ak_face_crew_batch(const ak_face_crew *c)
{
    return ak_face_finder_batch(c->finder) * ak_crew_size(&c->crew);
}
