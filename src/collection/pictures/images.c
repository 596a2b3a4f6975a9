/* Collections of pictures: made, continued, added to.
 *
 * A run lists the pictures of its folders, learns the codebook from a sample of
 * them, describes all of them in batches, and indexes them. Each batch is one
 * transaction, so a killed run keeps whole pictures, each once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "collection/derive.h"
#include "collection/dismissed.h"
#include "collection/labels.h"
#include "collection/pictures/picture_crew.h"
#include "collection/pictures/walk.h"
#include "collection/replace.h"
#include "vision/moments.h"

/* A picture that is still to be described. */
typedef struct pending_picture {
    const char *path;
    int64_t id;  // of a picture that changed, or is back; -1: a new one
    bool is_back;
    ak_stamp stamp;
    unsigned char hash[AK_HASH_SIZE];
    bool hashed;
    const char *folder_label;  // NULL: none
    int64_t first;             // of its descriptors in the sample; -1: none
    ak_features features;      // filled only for pictures of the sample
} pending_picture;

typedef struct images_run {
    akin_ctx *ctx;
    ak_catalog catalog;
    akin_images_options o;
    akin_items_info info;
    ak_picture_labels labels;
    ak_picture_crew *crew;
    bool restarts;  // ignores what the collection holds
    bool claimed;   // a later run can resume

    /* The current folder. */
    ak_picture_walk walk;
    pending_picture *pending;
    int64_t n_pending;

    int64_t sample_room;  // of the crew's sample
} images_run;

/* ---- list: pictures that are new or changed ---- */

/* Labels given after the picture was described. */
static akin_status relabel(const images_run *r, const char *path, int64_t id)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const char *name = ak_picture_walk_name(&r->walk, path);
    char *labels;
    akin_status st = AKIN_OK;
    if (r->labels.given &&
        ak_names_find(&r->labels.files, name, strlen(name)) >= 0) {
        AK_TRY(ak_picture_labels_of(&r->labels, r->ctx, name, NULL, &labels));
        AK_TRY(ak_item_labels(&r->catalog, r->ctx, id, labels));
    }
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* An unreadable file has no hash; it is reported when it is described. */
static void hash_picture(const images_run *r, pending_picture *t)
{
    t->hashed = ak_hash_file(r->ctx, t->path, t->hash) == AKIN_OK;
}

static ak_blob hash_of(const pending_picture *t)
{
    return (ak_blob){t->hashed ? t->hash : NULL, AK_HASH_SIZE};
}

/* An older akin described it without a stamp or a hash: it counts as
 * unchanged. */
static akin_status note_stamp(const images_run *r, pending_picture *t)
{
    hash_picture(r, t);
    return ak_sql_do(&r->catalog.sql, r->ctx,
                     "UPDATE items SET size = ?, modified = ?, hash = ? WHERE "
                     "id = ?",
                     "iibi", t->stamp.size, t->stamp.modified, hash_of(t),
                     t->id);
}

/* The item gets its new place, and the labels of it. */
static akin_status move_picture(images_run *r, const pending_picture *t,
                                int64_t id)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const char *name = ak_picture_walk_name(&r->walk, t->path);
    char *labels;
    akin_status st = AKIN_OK;
    AK_TRY(ak_item_move(&r->catalog, r->ctx, id,
                        (ak_blob){t->path, strlen(t->path)},
                        (ak_blob){name, strlen(name)}, r->walk.folder));
    AK_TRY(ak_picture_labels_of(&r->labels, r->ctx, name, t->folder_label,
                                &labels));
    if (labels[0] != '\0')
        AK_TRY(ak_item_labels(&r->catalog, r->ctx, id, labels));
    AK_TRY(ak_sql_do(&r->catalog.sql, r->ctx,
                     "UPDATE items SET modified = ? WHERE id = ?", "ii",
                     t->stamp.modified, id));
    ++r->info.moved;
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* A path that is not known: a picture that was moved, one that somebody
 * removed, or a new one. */
static akin_status list_new(images_run *r, pending_picture *t)
{
    ak_dismissed out = {.item = -1};
    int64_t moved = -1;
    hash_picture(r, t);
    if (t->hashed && !r->restarts)
        AK_CHECK(
            ak_dismissed_file(&r->catalog, r->ctx, hash_of(t), t->path, &out));
    if (t->hashed && !r->restarts && !out.is_here)
        AK_CHECK(ak_gone_take(&r->catalog, r->ctx, hash_of(t), &moved));
    if (moved >= 0)
        return move_picture(r, t, moved);
    if (out.id != 0 && !r->o.restore) {
        ++r->info.dismissed;
        return ak_dismissed_move(&r->catalog, r->ctx, &out, t->path,
                                 r->walk.folder);
    }
    if (out.id != 0)
        AK_CHECK(ak_dismissed_forget(&r->catalog, r->ctx, &out));
    t->id = out.item;
    t->is_back = out.item >= 0;
    r->pending[r->n_pending++] = *t;
    return AKIN_OK;
}

static akin_status list_picture(void *arg, const ak_document *d)
{
    images_run *r = arg;
    pending_picture t = {
        .path = d->path,
        .stamp = ak_stamp_of(d->path),
        .folder_label = d->label < 0 ? NULL : r->walk.files.classes[d->label],
        .first = -1};
    ak_known k = {.id = -1};
    if (!r->restarts)
        AK_CHECK(ak_known_by_path(&r->catalog, r->ctx, d->path, &k));
    t.id = k.id;
    if (k.id < 0)
        return list_new(r, &t);
    AK_CHECK(relabel(r, d->path, k.id));
    if (k.stamp.modified == 0 ||
        (k.stamp.modified == t.stamp.modified && k.stamp.size == t.stamp.size))
        return k.hashed ? AKIN_OK : note_stamp(r, &t);
    hash_picture(r, &t);
    r->pending[r->n_pending++] = t;
    return AKIN_OK;
}

static akin_status list_files(images_run *r)
{
    AK_CHECK(AK_NEW(r->ctx, r->walk.files.n, &r->pending));
    return ak_picture_walk_each(&r->walk, r, list_picture);
}

/* Count the pictures of the folder whose files are gone; or remove those of all
 * folders. */
static akin_status look_for_gone(images_run *r)
{
    const bool prune = r->o.prune != 0;
    int64_t n;
    AK_CHECK(ak_gone_end(&r->catalog, r->ctx, prune ? 0 : r->walk.folder, prune,
                         &n));
    r->info.gone += prune ? 0 : n;
    r->info.pruned += prune ? n : 0;
    return AKIN_OK;
}

static akin_status list_folder(images_run *r)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_picture_walk_list(&r->walk, r->ctx));
    if (r->restarts)
        return list_files(r);
    AK_TRY(ak_gone_begin(&r->catalog, r->ctx));
    AK_TRY(ak_sql_begin(&r->catalog.sql, r->ctx));
    st = ak_left_out_forget(&r->catalog, r->ctx, r->walk.root);
    if (st == AKIN_OK)
        st = list_files(r);
    if (st == AKIN_OK)
        st = look_for_gone(r);
    st = ak_sql_end(&r->catalog.sql, r->ctx, st);
done:
    return st;
}

static void end_folder(images_run *r)
{
    for (int64_t i = 0; i < r->n_pending; ++i)
        ak_features_free(&r->pending[i].features);
    akin_free(r->pending);
    akin_free(r->crew->sample);
    ak_picture_walk_end(&r->walk);
    r->pending = NULL;
    r->crew->sample = NULL;
    r->n_pending = r->crew->n_sample = r->sample_room = 0;
}

/* ---- codebook: learned from pictures drawn at random ---- */

enum {
    SAMPLE_BATCH = 64
};  // pictures at a time, however many threads there are

/* Move the descriptors of a picture into the sample; words stay. */
static akin_status add_to_sample(images_run *r, pending_picture *t)
{
    ak_features *s = &t->features;
    ak_picture_crew *c = r->crew;
    t->first = c->n_sample;
    if (s->n > 0 && s->descriptors != NULL) {
        AK_CHECK(ak_grow(r->ctx, c->n_sample + s->n, &r->sample_room,
                         AK_SIFT_DIM, &c->sample));
        memcpy(c->sample + c->n_sample * AK_SIFT_DIM, s->descriptors,
               (size_t)(s->n * AK_SIFT_DIM));
    }
    c->n_sample += s->n;
    akin_free(s->descriptors);
    s->descriptors = NULL;
    return AKIN_OK;
}

/* Extract features of the pictures order[0..n). */
static akin_status extract_sample(images_run *r, const int64_t *order,
                                  int64_t n)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const char **paths;
    ak_features *features = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, n, &paths));
    AK_TRY(AK_SCRATCH(r->ctx, n, &features));
    for (int64_t i = 0; i < n; ++i)
        paths[i] = r->pending[order[i]].path;
    AK_TRY(ak_picture_crew_extract(r->crew, r->ctx, paths, n, features));
    for (int64_t i = 0; i < n; ++i) {
        pending_picture *t = &r->pending[order[i]];
        t->features = features[i];
        features[i] = (ak_features){0};
        AK_TRY(add_to_sample(r, t));
    }
done:
    for (int64_t i = 0; features != NULL && i < n; ++i)
        ak_features_free(&features[i]);
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status draw_sample(images_run *r, int64_t *pictures)
{
    const int64_t wanted = r->crew->codebook ? 1
                           : r->o.sample     ? r->o.sample
                                         : ak_visual_words_sample(r->o.words);
    ak_rng rng = ak_rng_new(akin_ctx_seed(r->ctx), AK_STREAM_PICTURES);
    const ak_mark mark = ak_scratch_begin(r->ctx);
    int64_t *order, at = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, r->n_pending, &order));
    for (int64_t i = 0; i < r->n_pending; ++i)
        order[i] = i;
    ak_rng_shuffle(&rng, r->n_pending, order);
    while (at < r->n_pending && r->crew->n_sample < wanted) {
        const int64_t n = ak_min_i64(SAMPLE_BATCH, r->n_pending - at);
        AK_TRY(ak_ctx_tick(r->ctx, "pictures for the codebook", at,
                           r->n_pending, NAN));
        AK_TRY(extract_sample(r, order + at, n));
        at += n;
    }
    *pictures = at;
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status quantize_sample(images_run *r)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    ak_quantize_task *tasks;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, r->n_pending, &tasks));
    for (int64_t i = 0; i < r->n_pending; ++i)
        if (r->pending[i].first >= 0)
            tasks[n++] = (ak_quantize_task){
                &r->pending[i].features,
                r->crew->sample + r->pending[i].first * AK_SIFT_DIM};
    AK_TRY(ak_picture_crew_quantize(r->crew, r->ctx, tasks, n));
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* With a given codebook a blank picture is enough. */
static bool has_pictures(const images_run *r)
{
    bool any = r->crew->n_sample > 0;
    for (int64_t i = 0; r->crew->codebook != NULL && i < r->n_pending; ++i)
        any = any ||
              (r->pending[i].first >= 0 && r->pending[i].features.why == NULL);
    return any;
}

static akin_status require_pictures(const images_run *r)
{
    if (has_pictures(r))
        return AKIN_OK;
    for (int64_t i = 0; i < r->n_pending; ++i)
        if (r->pending[i].features.why != NULL)
            ak_log(r->ctx, AKIN_LOG_WARNING, "%s; skipped",
                   r->pending[i].features.why);
    return ak_fail(r->ctx, AKIN_EINVAL, "%s: no readable picture with features",
                   r->walk.root);
}

static akin_status learn_codebook(images_run *r)
{
    ak_visual_words_origin *origin = &r->crew->origin;
    *origin = (ak_visual_words_origin){.side = r->o.side,
                                       .first_octave = r->o.first_octave,
                                       .batch = r->o.batch};
    AK_CHECK(draw_sample(r, &origin->pictures));
    AK_CHECK(require_pictures(r));
    if (r->crew->codebook != NULL)
        return AKIN_OK;  // the sample has its words
    AK_CHECK(ak_picture_crew_learn(
        r->crew, r->ctx,
        r->o.words ? r->o.words : ak_visual_words_auto(r->crew->n_sample)));
    return quantize_sample(r);
}

static akin_status save_codebook(images_run *r)
{
    return ak_visual_words_save(r->crew->codebook, r->ctx, &r->catalog,
                                r->o.codebook ? NULL : &r->crew->origin);
}

/* ---- settings: those of a new run, or of an earlier one ---- */

enum { VALUE = 32, SIDE_LEAST = 32, SIDE_MOST = 16384 };

static akin_status check_options(akin_ctx *ctx, const akin_images_options *o)
{
    if (o->side < SIDE_LEAST || o->side > SIDE_MOST)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`side` %" PRId64 " is out of range (%d to %d)", o->side,
                       SIDE_LEAST, SIDE_MOST);
    if (o->first_octave < -1 || o->first_octave > 2)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`first_octave` %" PRId64 " is out of range (-1 to 2)",
                       o->first_octave);
    if (o->words < 0 || o->sample < 0 || o->batch < 0 || o->words > INT32_MAX)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`words`, `sample` or `batch` is out of range");
    if (strcmp(o->colours, "none") != 0 && strcmp(o->colours, "luv") != 0 &&
        strcmp(o->colours, "hsv") != 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`colours` %s is unknown (expected none, luv or hsv)",
                       o->colours);
    return AKIN_OK;
}

/* Write a setting, or compare it with the stored one. */
static akin_status check_or_set(const images_run *r, const char *key,
                                const char *value, bool started)
{
    char old[VALUE];
    if (!started)
        return ak_catalog_set(&r->catalog, r->ctx, key, value);
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, key, old, sizeof old));
    if (old[0] == '\0')
        strcpy(old, "0");  // older than this setting
    if (strcmp(old, value) != 0)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s was started with %s %s, not %s (repeat the command "
                       "to resume; `force` restarts)",
                       r->catalog.folder, key, old, value);
    return AKIN_OK;
}

static akin_status check_or_set_number(const images_run *r, const char *key,
                                       int64_t value, bool started)
{
    char text[VALUE];
    snprintf(text, sizeof text, "%" PRId64, value);
    return check_or_set(r, key, text, started);
}

static akin_status check_or_set_all(const images_run *r, bool started)
{
    const akin_images_options *o = &r->o;
    AK_CHECK(check_or_set_number(r, "side", o->side, started));
    AK_CHECK(check_or_set_number(r, "first-octave", o->first_octave, started));
    AK_CHECK(check_or_set_number(r, "words", o->words, started));
    AK_CHECK(check_or_set_number(r, "sample", o->sample, started));
    AK_CHECK(check_or_set_number(r, "batch", o->batch, started));
    AK_CHECK(check_or_set_number(r, "seed", (int64_t)akin_ctx_seed(r->ctx),
                                 started));
    AK_CHECK(check_or_set(r, "codebook", o->codebook ? "given" : "learned",
                          started));
    return check_or_set(r, "colours", o->colours, started);
}

static akin_status add_folder(const images_run *r)
{
    const ak_blob key = {r->walk.root, strlen(r->walk.root)};
    return ak_sql_do(&r->catalog.sql, r->ctx,
                     "INSERT INTO folders(path, done) VALUES(?, 0) ON "
                     "CONFLICT(path) DO UPDATE SET done = 0",
                     "b", key);
}

static akin_status put_spaces(const images_run *r)
{
    const ak_space words = {0, r->crew->codebook->k, AK_FORM_WORDS, "words"};
    const ak_space colours = {1, AK_MOMENTS_DIM, AK_FORM_DENSE, "colours"};
    AK_CHECK(ak_catalog_set(&r->catalog, r->ctx, "kind", "images"));
    AK_CHECK(ak_space_put(&r->catalog, r->ctx, &words));
    return strcmp(r->o.colours, "none") == 0
               ? AKIN_OK
               : ak_space_put(&r->catalog, r->ctx, &colours);
}

static akin_status write_settings(images_run *r, bool started)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_begin(&r->catalog.sql, r->ctx));
    st = check_or_set_all(r, started);
    if (st == AKIN_OK)
        st = put_spaces(r);
    if (st == AKIN_OK)
        st = add_folder(r);
    st = ak_sql_end(&r->catalog.sql, r->ctx, st);
done:
    return st;
}

/* Are the settings binding? Without a codebook nothing has been described. */
static akin_status has_settings(const images_run *r, bool *started)
{
    char side[VALUE], path[PATH_MAX];
    int64_t n;
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, "side", side, sizeof side));
    AK_CHECK(ak_catalog_file(&r->catalog, r->ctx, ak_file_codebook, path));
    AK_CHECK(ak_items_count(&r->catalog, r->ctx, &n));
    *started = side[0] != '\0' && (n > 0 || access(path, F_OK) == 0);
    return AKIN_OK;
}

/* The extractor and the codebook of an earlier run. */
static akin_status load_earlier(images_run *r)
{
    char path[PATH_MAX];
    ak_extract_options sight;
    AK_CHECK(ak_catalog_file(&r->catalog, r->ctx, ak_file_codebook, path));
    if (access(path, F_OK) != 0)
        return ak_fail(r->ctx, AKIN_EFORMAT,
                       "%s is missing, but pictures were described with it "
                       "(`force` restarts)",
                       path);
    AK_CHECK(ak_visual_words_load(&r->crew->codebook, r->ctx, path));
    AK_CHECK(ak_catalog_sight(&r->catalog, r->ctx, &sight));
    AK_CHECK(ak_picture_crew_open(r->crew, r->ctx, &sight));
    return ak_picture_crew_share_words(r->crew, r->ctx);
}

static akin_status resume_run(images_run *r)
{
    int64_t pending;
    AK_CHECK(ak_sql_number(&r->catalog.sql, r->ctx,
                           "SELECT COUNT(*) FROM folders WHERE done = 0",
                           &pending));
    if (pending == 0)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: a collection exists (`add` extends it, `force` "
                       "replaces it)",
                       r->catalog.folder);
    AK_CHECK(load_earlier(r));
    return write_settings(r, true);
}

/* Everything that can fail comes before anything is cleared. */
static akin_status restart(images_run *r)
{
    const ak_extract_options sight =
        ak_extract_options_of(r->o.side, r->o.first_octave, r->o.colours);
    r->restarts = true;
    AK_CHECK(ak_picture_crew_open(r->crew, r->ctx, &sight));
    if (r->o.codebook != NULL) {
        AK_CHECK(
            ak_visual_words_load(&r->crew->codebook, r->ctx, r->o.codebook));
        AK_CHECK(ak_picture_crew_share_words(r->crew, r->ctx));
    }
    AK_CHECK(list_folder(r));
    AK_CHECK(learn_codebook(r));
    AK_CHECK(ak_catalog_clear(&r->catalog, r->ctx));
    r->claimed = true;
    AK_CHECK(write_settings(r, false));
    return save_codebook(r);
}

static akin_status start_or_resume(images_run *r)
{
    bool started = false;
    AK_CHECK(ak_catalog_check_kind(&r->catalog, r->ctx, "images"));
    AK_CHECK(has_settings(r, &started));
    return started ? resume_run(r) : restart(r);
}

/* Nothing is added, only files that are gone are looked for. */
static akin_status prune(images_run *r)
{
    AK_CHECK(ak_gone_begin(&r->catalog, r->ctx));
    AK_CHECK(ak_sql_begin(&r->catalog.sql, r->ctx));
    return ak_sql_end(&r->catalog.sql, r->ctx, look_for_gone(r));
}

/* Documents can be added to pictures, but not the other way round. */
static akin_status need_pictures(const images_run *r)
{
    char kind[VALUE];
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, "kind", kind, sizeof kind));
    if (strcmp(kind, "documents") == 0)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s has documents; for both, make a collection of the "
                       "pictures first, and add the documents to it",
                       r->catalog.folder);
    return ak_catalog_check_kind(&r->catalog, r->ctx, "images");
}

static akin_status load_settings(images_run *r)
{
    char side[VALUE], words[VALUE], sample[VALUE];
    bool started;
    AK_CHECK(need_pictures(r));
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, "side", side, VALUE));
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, "words", words, VALUE));
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, "sample", sample, VALUE));
    AK_CHECK(has_settings(r, &started));
    if (!started)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s is incomplete; rerun the command that started it",
                       r->catalog.folder);
    r->o.side = strtoll(side, NULL, 10);
    r->o.words = strtoll(words, NULL, 10);
    r->o.sample = strtoll(sample, NULL, 10);
    r->o.codebook = NULL;
    AK_CHECK(load_earlier(r));
    return r->walk.root[0] != '\0' ? add_folder(r) : prune(r);
}

/* ---- describe: pictures into the catalogue ---- */

/* The features as the catalogue stores them. */
static akin_status put_features(const images_run *r, int64_t id,
                                const ak_features *s)
{
    const size_t n = (size_t)s->n;
    const ak_blob words = {n ? (const void *)s->words : "",
                           n * sizeof *s->words};
    const ak_blob frames = {n ? (const void *)s->frames : "",
                            n * sizeof *s->frames};
    const ak_blob colours = {s->colours, AK_MOMENTS_DIM * sizeof *s->colours};
    const ak_blob none = {NULL, 0};
    AK_CHECK(ak_item_features(&r->catalog, r->ctx, id, 0, words, frames));
    return s->colours
               ? ak_item_features(&r->catalog, r->ctx, id, 1, colours, none)
               : AKIN_OK;
}

static ak_catalog_item item_of(const images_run *r, const pending_picture *t,
                               const ak_features *s)
{
    const char *name = ak_picture_walk_name(&r->walk, t->path);
    return (ak_catalog_item){.id = t->id,
                             .name = {name, strlen(name)},
                             .path = {t->path, strlen(t->path)},
                             .folder = r->walk.folder,
                             .size = t->stamp.size,
                             .modified = t->stamp.modified,
                             .hash = hash_of(t),
                             .width = s->width,
                             .height = s->height,
                             .n = s->n};
}

/* When the file was changed last; a camera knows better. */
static akin_status put_date(const images_run *r, int64_t id, ak_stamp stamp)
{
    const time_t seconds = (time_t)(stamp.modified / 1000000000);
    char text[32];
    struct tm t;
    if (stamp.modified == 0 || gmtime_r(&seconds, &t) == NULL ||
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &t) == 0)
        return AKIN_OK;
    return ak_item_field(&r->catalog, r->ctx, id, "date", text);
}

/* Fields of the picture: what its file tells, and nothing of an earlier
 * file. */
static akin_status put_fields(const images_run *r, int64_t id,
                              const pending_picture *t, const ak_features *s)
{
    static const char *const names[] = {"date",      "camera", "latitude",
                                        "longitude", "width",  "height"};
    const ak_mark mark = ak_scratch_begin(r->ctx);
    char *text, *line;
    akin_status st = AKIN_OK;
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
        AK_TRY(ak_item_field(&r->catalog, r->ctx, id, names[k], ""));
    AK_TRY(put_date(r, id, t->stamp));
    AK_TRY(AK_SCRATCH(r->ctx, (int64_t)strlen(s->facts) + 1, &text));
    strcpy(text, s->facts);
    while ((line = strsep(&text, "\n")) != NULL) {
        const char *name = strsep(&line, " ");
        for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
            if (line != NULL && strcmp(name, names[k]) == 0)
                AK_TRY(ak_item_field(&r->catalog, r->ctx, id, name, line));
    }
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status insert(images_run *r, const pending_picture *t,
                          const ak_features *s)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    ak_catalog_item item = item_of(r, t, s);
    char *labels;
    akin_status st = AKIN_OK;
    AK_TRY(ak_picture_labels_of(&r->labels, r->ctx,
                                ak_picture_walk_name(&r->walk, t->path),
                                t->folder_label, &labels));
    item.labels = labels;
    AK_TRY(ak_item_insert(&r->catalog, r->ctx, &item));
    AK_TRY(put_features(r, item.id, s));
    if (t->is_back)
        AK_TRY(ak_item_judged_again(&r->catalog, r->ctx, item.id));
    AK_TRY(put_fields(r, item.id, t, s));
    ++r->info.added;
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* Number, name and labels stay. */
static akin_status update(images_run *r, const pending_picture *t,
                          const ak_features *s)
{
    const ak_catalog_item item = item_of(r, t, s);
    ++r->info.changed;
    AK_CHECK(ak_item_update(&r->catalog, r->ctx, &item));
    AK_CHECK(put_fields(r, t->id, t, s));
    return put_features(r, t->id, s);
}

static akin_status record(images_run *r, const pending_picture *t,
                          const ak_features *s)
{
    if (s->why != NULL)
        return ak_picture_walk_skip(&r->walk, r->ctx, t->path, s->why);
    if (r->crew->codebook == NULL)
        return AKIN_OK;  // only blank pictures so far
    return t->id < 0 || t->is_back ? insert(r, t, s) : update(r, t, s);
}

/* Extract those of batch[0..n) that were not in the sample. */
static akin_status extract_batch(images_run *r, const pending_picture *batch,
                                 int64_t n, ak_features *features)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const char **paths;
    int64_t count = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, n, &paths));
    for (int64_t i = 0; i < n; ++i)
        if (batch[i].first < 0)
            paths[count++] = batch[i].path;
    AK_TRY(ak_picture_crew_extract(r->crew, r->ctx, paths, count, features));
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status describe_batch(void *arg, int64_t first, int64_t n)
{
    images_run *r = arg;
    const pending_picture *batch = r->pending + first;
    const ak_mark mark = ak_scratch_begin(r->ctx);
    ak_features *features = NULL;
    int64_t next = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, n, &features));
    AK_TRY(extract_batch(r, batch, n, features));
    AK_TRY(ak_sql_begin(&r->catalog.sql, r->ctx));
    for (int64_t i = 0; i < n && st == AKIN_OK; ++i)
        st =
            record(r, &batch[i],
                   batch[i].first < 0 ? &features[next++] : &batch[i].features);
    st = ak_sql_end(&r->catalog.sql, r->ctx, st);
done:
    for (int64_t i = 0; features != NULL && i < n; ++i)
        ak_features_free(&features[i]);
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* ---- the run ---- */

static akin_status run_folder(images_run *r)
{
    akin_status st = AKIN_OK;
    if (!r->restarts)  // a restart has listed it
        AK_TRY(list_folder(r));
    AK_TRY(ak_picture_walk_parts(&r->walk, r->ctx, r->n_pending,
                                 ak_picture_crew_batch(r->crew), r,
                                 describe_batch));
done:
    end_folder(r);
    r->restarts = false;
    return st;
}

/* Colour moments as a file of rows, for those who learn from them. */
static akin_status write_colours(const images_run *r)
{
    char path[PATH_MAX];
    ak_space space;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_file(&r->catalog, r->ctx, ak_file_colours, path));
    AK_TRY(ak_space_find(&r->catalog, r->ctx, "colours", &space));
    if (space.id < 0)
        return AKIN_OK;
    AK_TRY(ak_derive_rows(&rows, NULL, r->ctx, &r->catalog, &space, true));
    AK_TRY(akin_rows_write(r->ctx, rows, path));
done:
    akin_rows_free(rows);
    return st;
}

/* Also the folders of an interrupted run. */
static akin_status run_folders(images_run *r)
{
    bool found = true;
    int64_t n;
    while (found) {
        AK_CHECK(ak_picture_walk_next(&r->walk, r->ctx, &found));
        if (found)
            AK_CHECK(run_folder(r));
    }
    AK_CHECK(ak_items_count(&r->catalog, r->ctx, &n));
    if (n == 0 && r->info.dismissed == 0)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: no readable picture with features", r->walk.root);
    AK_CHECK(write_colours(r));
    return ak_picture_walk_finish(&r->walk, r->ctx);
}

static akin_status finish(images_run *r, akin_status st, akin_items_info *info)
{
    const akin_items_info run = r->info;
    if (st == AKIN_OK && info != NULL) {
        st = ak_catalog_counts(&r->catalog, r->ctx, info);
        info->added = run.added;
        info->left_out = r->walk.unreadable;
        info->other_files = r->walk.others;
        info->changed = run.changed;
        info->gone = run.gone;
        info->moved = run.moved;
        info->pruned = run.pruned;
        info->dismissed = run.dismissed;
    }
    end_folder(r);
    ak_picture_labels_free(&r->labels);
    if (st != AKIN_OK && !r->claimed)
        ak_catalog_undo(&r->catalog);
    ak_catalog_close(&r->catalog);
    return st;
}

static akin_status read_labels(images_run *r)
{
    if (r->o.labels == NULL)
        return AKIN_OK;
    return ak_picture_labels_read(&r->labels, r->ctx, r->o.labels,
                                  r->o.label_column);
}

/* What was asked for, and the ranks that share it. */
typedef struct images_call {
    akin_ctx *ctx;
    const char *path, *folder;
    const akin_images_options *options;
    akin_items_info *info;
    ak_picture_crew crew;
} images_call;

static akin_status run(images_call *x, const char *path, bool adds)
{
    images_run r = {.ctx = x->ctx, .o = AKIN_IMAGES_DEFAULTS, .crew = &x->crew};
    akin_status st = AKIN_OK;
    r.catalog.lock = -1;
    r.walk.catalog = &r.catalog;
    r.walk.noun = "pictures";
    ak_options_take(&r.o, sizeof r.o, x->options);
    AK_TRY(check_options(r.ctx, &r.o));
    if (adds && !ak_catalog_is(path))
        AK_TRY(ak_fail(r.ctx, AKIN_ENOENT, "%s: not a collection", path));
    AK_TRY(read_labels(&r));
    AK_TRY(ak_picture_walk_resolve(&r.walk, r.ctx, x->folder));
    AK_TRY(ak_catalog_open(&r.catalog, r.ctx, path, AK_CATALOG_WRITE));
    AK_TRY(ak_picture_walk_check(&r.walk, r.ctx));
    AK_TRY(adds ? load_settings(&r) : start_or_resume(&r));
    AK_TRY(run_folders(&r));
done:
    return finish(&r, st, x->info);
}

static akin_status make(void *arg)
{
    images_call *x = arg;
    ak_replacement r;
    akin_status st = ak_replace_begin(&r, x->ctx, x->path,
                                      x->options != NULL && x->options->force);
    if (st == AKIN_OK)
        st = run(x, r.path, false);
    return ak_replace_end(&r, x->ctx, st);
}

static akin_status add(void *arg)
{
    images_call *x = arg;
    return run(x, x->path, true);
}

akin_status akin_images_make(akin_ctx *ctx, const char *path,
                             const char *folder,
                             const akin_images_options *options,
                             akin_items_info *info)
{
    images_call x = {ctx, path, folder, options, info, .crew = {.n_sample = 0}};
    return ak_picture_crew_run(&x.crew, ctx, make, &x);
}

akin_status akin_images_add(akin_ctx *ctx, const char *path, const char *folder,
                            const akin_images_options *options,
                            akin_items_info *info)
{
    images_call x = {ctx, path, folder, options, info, .crew = {.n_sample = 0}};
    return ak_picture_crew_run(&x.crew, ctx, add, &x);
}
