/* Collections of faces: made, continued, added to.
 *
 * A run lists the photos of its folder, looks for faces in those that are new
 * or changed, in batches, and indexes the faces. Each batch is one transaction,
 * so a killed run keeps whole photos, each once. */
#include <akin/faces.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"
#include "collection/faces/captions/tagging.h"
#include "collection/faces/carry.h"
#include "collection/faces/face_crew.h"
#include "collection/faces/photos.h"
#include "collection/pictures/extensions.h"
#include "collection/pictures/walk.h"
#include "collection/replace.h"
#include "collection/terms.h"

enum { VALUE = 32, MOST_SIDE = 8192, SECONDS = 120 };

/* A photo that is still to be looked at. */
typedef struct pending_photo {
    ak_catalog_photo photo;
    const char *below;  // its path below the folder, as captions name it
    unsigned char hash[AK_HASH_SIZE];
} pending_photo;

typedef struct faces_run {
    akin_ctx *ctx;
    ak_catalog catalog;
    akin_faces_options o;
    akin_faces_info info;
    ak_caption_file captions;
    akin_tagger *tagger;
    ak_box_file boxes;
    ak_face_crew *crew;
    int64_t n_latin1;           // texts beside photos that are not UTF-8
    char latin1[PATH_MAX];      // the first of them
    bool claimed;               // a later run can resume
    const ak_carried *carried;  // from what it replaces; NULL: it adds

    ak_picture_walk walk;
    pending_photo *pending;
    int64_t n_pending;
} faces_run;

/* ---- options ---- */

static bool is_word(const char *word, const char *one, const char *other)
{
    return word != NULL && (strcmp(word, one) == 0 || strcmp(word, other) == 0);
}

static akin_status check_options(akin_ctx *ctx, const akin_faces_options *o)
{
    if (!is_word(o->detector, "hog", "mmod"))
        return ak_fail(ctx, AKIN_EINVAL,
                       "detector is %s (expected hog or mmod)",
                       o->detector ? o->detector : "not given");
    if (!is_word(o->descriptor, "resnet", "patches"))
        return ak_fail(ctx, AKIN_EINVAL,
                       "descriptor is %s (expected resnet or patches)",
                       o->descriptor ? o->descriptor : "not given");
    if (o->side < 64 || o->side > MOST_SIDE)
        return ak_fail(ctx, AKIN_EINVAL,
                       "side is %" PRId64 " (expected 64 to %d)", o->side,
                       MOST_SIDE);
    if (o->upsample < -1 || o->upsample > 3)
        return ak_fail(ctx, AKIN_EINVAL,
                       "upsample is %" PRId64 " (expected 0 to 3, or -1)",
                       o->upsample);
    return AKIN_OK;
}

static ak_finder_options finder_options(const akin_faces_options *o)
{
    const bool mmod = strcmp(o->detector, "mmod") == 0;
    const bool resnet = strcmp(o->descriptor, "resnet") == 0;
    return (ak_finder_options){
        {.detector = mmod ? AK_DETECTOR_MMOD : AK_DETECTOR_HOG,
         .descriptor = resnet ? AK_FACE_RESNET : AK_FACE_PATCHES,
         .upsample = o->upsample < 0 ? !mmod : o->upsample,
         .seconds = SECONDS},
        o->side};
}

/* ---- settings ---- */

static akin_status set_all(const faces_run *r)
{
    const ak_catalog *c = &r->catalog;
    AK_CHECK(ak_catalog_set(c, r->ctx, "kind", "faces"));
    AK_CHECK(ak_catalog_set(c, r->ctx, "detector", r->o.detector));
    AK_CHECK(ak_catalog_set(c, r->ctx, "descriptor", r->o.descriptor));
    AK_CHECK(ak_catalog_set_number(c, r->ctx, "upsample", r->o.upsample));
    return ak_catalog_set_number(c, r->ctx, "side", r->o.side);
}

static akin_status put_space(const faces_run *r)
{
    ak_space space = {
        .form = AK_FORM_DENSE,
        .dim = ak_face_dim(finder_options(&r->o).face.descriptor)};
    strcpy(space.name, ak_space_vectors);
    return ak_space_put(&r->catalog, r->ctx, &space);
}

/* The folder that is to be looked at; one that was done is so again. */
static akin_status add_folder(faces_run *r)
{
    return ak_sql_do(&r->catalog.sql, r->ctx,
                     "INSERT INTO folders(path, done) VALUES(?, 0) ON "
                     "CONFLICT(path) DO UPDATE SET done = 0",
                     "b", (ak_blob){r->walk.root, strlen(r->walk.root)});
}

static akin_status start(faces_run *r)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_catalog_clear(&r->catalog, r->ctx));
    r->claimed = true;
    AK_TRY(ak_sql_begin(&r->catalog.sql, r->ctx));
    st = set_all(r);
    if (st == AKIN_OK)
        st = put_space(r);
    if (st == AKIN_OK)
        st = add_folder(r);
    if (st == AKIN_OK)
        st = ak_carry_captions(r->carried, r->ctx, &r->catalog);
    if (st == AKIN_OK)
        st = ak_carry_put(r->carried, r->ctx, &r->catalog);
    st = ak_sql_end(&r->catalog.sql, r->ctx, st);
done:
    return st;
}

/* A setting that the run was started with, to be kept. */
static akin_status check_word(const faces_run *r, const char *key,
                              const char *have)
{
    char value[VALUE];
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, key, value, sizeof value));
    if (strcmp(value, have) == 0)
        return AKIN_OK;
    return ak_fail(r->ctx, AKIN_EINVAL,
                   "%s was started with `%s` %s, not %s (`force` restarts)",
                   r->catalog.folder, key, value, have);
}

static akin_status check_settings(const faces_run *r)
{
    char upsample[VALUE], side[VALUE];
    snprintf(upsample, sizeof upsample, "%" PRId64, r->o.upsample);
    snprintf(side, sizeof side, "%" PRId64, r->o.side);
    AK_CHECK(check_word(r, "detector", r->o.detector));
    AK_CHECK(check_word(r, "descriptor", r->o.descriptor));
    AK_CHECK(check_word(r, "upsample", upsample));
    return check_word(r, "side", side);
}

static akin_status start_or_resume(faces_run *r)
{
    char kind[VALUE];
    int64_t pending;
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, "kind", kind, sizeof kind));
    if (kind[0] == '\0')
        return start(r);
    AK_CHECK(ak_catalog_check_kind(&r->catalog, r->ctx, "faces"));
    AK_CHECK(ak_sql_number(&r->catalog.sql, r->ctx,
                           "SELECT COUNT(*) FROM folders WHERE done = 0",
                           &pending));
    if (pending == 0)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s: a collection exists (`add` extends it, `force` "
                       "replaces it)",
                       r->catalog.folder);
    AK_CHECK(check_settings(r));
    return add_folder(r);
}

/* An interrupted run over another folder, which is still there, had captions
 * and boxes of its own. */
static akin_status check_finished(const faces_run *r)
{
    const ak_blob root = {r->walk.root, strlen(r->walk.root)};
    char path[PATH_MAX];
    sqlite3_stmt *q = NULL;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&r->catalog.sql, r->ctx, &q,
                      "SELECT path FROM folders WHERE done = 0 AND path != ?",
                      "b", root));
    for (;;) {
        AK_TRY(ak_sql_next(&r->catalog.sql, r->ctx, q, &row));
        if (!row)
            break;
        if (!ak_path_is_gone(q, 0) && ak_path_take(q, 0, path))
            AK_TRY(ak_fail(r->ctx, AKIN_EINVAL,
                           "%s is unfinished: the run over %s was interrupted "
                           "(repeat its command first)",
                           r->catalog.folder, path));
    }
done:
    sqlite3_finalize(q);
    return st;
}

/* Settings are those of the collection; texts are from scratch. */
static akin_status load_settings(faces_run *r)
{
    char *detector, *descriptor;
    AK_CHECK(ak_catalog_check_kind(&r->catalog, r->ctx, "faces"));
    AK_CHECK(AK_SCRATCH(r->ctx, VALUE, &detector));
    AK_CHECK(AK_SCRATCH(r->ctx, VALUE, &descriptor));
    AK_CHECK(ak_catalog_get(&r->catalog, r->ctx, "detector", detector, VALUE));
    AK_CHECK(
        ak_catalog_get(&r->catalog, r->ctx, "descriptor", descriptor, VALUE));
    if (descriptor[0] == '\0')
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "%s has faces whose vectors were given; no pictures can "
                       "be added to it",
                       r->catalog.folder);
    r->o.detector = detector;
    r->o.descriptor = descriptor;
    AK_CHECK(
        ak_catalog_get_number(&r->catalog, r->ctx, "upsample", &r->o.upsample));
    AK_CHECK(ak_catalog_get_number(&r->catalog, r->ctx, "side", &r->o.side));
    AK_CHECK(check_options(r->ctx, &r->o));
    AK_CHECK(check_finished(r));
    return add_folder(r);
}

/* ---- captions ---- */

/* The text beside a photo: PHOTO.jpg.txt, else PHOTO.txt; false: none. */
static bool find_text(const char *photo, char out[PATH_MAX])
{
    const size_t n = strlen(photo);
    const size_t stems[2] = {n, (size_t)(strrchr(photo, '.') - photo)};
    for (int k = 0; k < 2; ++k) {
        const int length =
            snprintf(out, PATH_MAX, "%.*s.txt", (int)stems[k], photo);
        if (length > 0 && length < PATH_MAX && ak_file_is_regular(out))
            return true;
    }
    return false;
}

/* What a text file says; without blanks at its end. */
static akin_status read_text(faces_run *r, const char *path, ak_caption *out)
{
    ak_source *s = NULL;
    char *text = NULL;
    size_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(r->ctx, AK_CAPTION_MOST + 1, &text));
    AK_TRY(ak_source_open(&s, r->ctx, path, AK_SOURCE_BINARY));
    AK_TRY(ak_source_read(s, r->ctx, text, AK_CAPTION_MOST + 1, &n));
    while (n > 0 && strchr(" \t\r\n", text[n - 1]) != NULL)
        --n;
    AK_TRY(ak_caption_of_text(out, r->ctx, text, n));
    if (ak_utf8_is_latin1(text, n) && ++r->n_latin1 == 1)
        strcpy(r->latin1, path);
done:
    ak_source_close(s);
    akin_free(text);
    return st;
}

/* A text that cannot be read, or is too long, is no reason to stop. */
static akin_status caption_beside(faces_run *r, const char *photo,
                                  ak_caption *out)
{
    char path[PATH_MAX];
    if (!find_text(photo, path))
        return AKIN_OK;
    const akin_status st = read_text(r, path, out);
    if (st == AKIN_ENOMEM || st == AKIN_OK)
        return st;
    const char *why = akin_ctx_message(r->ctx);
    const bool named = strncmp(why, path, strlen(path)) == 0;
    ak_log(r->ctx, AKIN_LOG_WARNING, "%s%s%s; the photo has no caption",
           named ? "" : path, named ? "" : ": ", why);
    return AKIN_OK;
}

/* That of the file of captions, else the text beside the photo, else `inside`,
 * what the photo itself has (NULL: not read). */
static akin_status put_caption(faces_run *r, const pending_photo *t,
                               const ak_caption *inside)
{
    const ak_caption *given = ak_caption_file_find(&r->captions, t->below);
    ak_caption own = {NULL, NULL};
    akin_status st = AKIN_OK;
    if (given == NULL && r->o.captions == NULL)
        AK_TRY(caption_beside(r, t->photo.path, &own));
    if (given == NULL && own.text == NULL && inside != NULL)
        given = inside;
    AK_TRY(ak_photo_put_caption(&r->catalog, r->ctx, t->photo.id,
                                given ? given : &own, r->tagger));
done:
    ak_caption_free(&own);
    return st;
}

/* ---- list: photos that are new or changed ---- */

/* An unreadable file has no hash; it is reported when it is looked at. */
static void hash_photo(const faces_run *r, pending_photo *t)
{
    const bool hashed = ak_hash_file(r->ctx, t->photo.path, t->hash) == AKIN_OK;
    t->photo.hash = (ak_blob){hashed ? t->hash : NULL, AK_HASH_SIZE};
}

/* Where a photo of another folder is called so, the name of the folder is put
 * in front, or as much of its path as is needed: names end their paths. */
static akin_status choose_name(const faces_run *r, ak_catalog_photo *p)
{
    for (;;) {
        int64_t id;
        AK_CHECK(ak_photo_by_name(&r->catalog, r->ctx, p->name, &id));
        if (id < 0 || id == p->id)
            return AKIN_OK;
        const char *name = p->name - 1;
        if (name <= p->path)
            return ak_fail(r->ctx, AKIN_EFORMAT,
                           "%s: another photo is called by its path", p->path);
        while (name > p->path && name[-1] != '/')
            --name;
        p->name = name;
    }
}

static akin_status list_photo(void *arg, const ak_document *d)
{
    faces_run *r = arg;
    const char *path = d->path;
    pending_photo *t = &r->pending[r->n_pending];
    ak_known k;
    AK_CHECK(ak_photo_by_path(&r->catalog, r->ctx, path, &k));
    t->below = ak_picture_walk_name(&r->walk, path);
    t->photo = (ak_catalog_photo){.id = k.id,
                                  .name = t->below,
                                  .path = path,
                                  .folder = r->walk.folder,
                                  .stamp = ak_stamp_of(path)};
    if (k.id >= 0 && k.stamp.modified == t->photo.stamp.modified &&
        k.stamp.size == t->photo.stamp.size)
        return put_caption(r, t, NULL);
    hash_photo(r, t);
    if (k.id < 0 && t->photo.hash.bytes != NULL)
        AK_CHECK(
            ak_photo_moved(&r->catalog, r->ctx, t->photo.hash, &t->photo.id));
    const akin_status st = choose_name(r, &t->photo);
    if (st == AKIN_EFORMAT)
        return ak_picture_walk_skip(&r->walk, r->ctx, path,
                                    akin_ctx_message(r->ctx));
    AK_CHECK(st);
    if (k.id < 0 && t->photo.id >= 0) {
        ++r->info.moved;
        AK_CHECK(ak_photo_put(&r->catalog, r->ctx, &t->photo));
        return put_caption(r, t, NULL);
    }
    ++r->n_pending;
    return AKIN_OK;
}

static akin_status list_files(faces_run *r)
{
    AK_CHECK(ak_left_out_forget(&r->catalog, r->ctx, r->walk.root));
    return ak_picture_walk_each(&r->walk, r, list_photo);
}

/* All photos, before captions and boxes are looked for. */
static void see_photos(faces_run *r)
{
    for (int64_t i = 0; i < r->walk.files.n; ++i) {
        const char *path = r->walk.files.documents[i].path;
        const char *name = ak_picture_walk_name(&r->walk, path);
        if (ak_catalog_owns(&r->catalog, path) || !ak_is_picture(path))
            continue;
        ak_named_photos_see(&r->captions.photos, name);
        ak_named_photos_see(&r->boxes.photos, name);
    }
}

static akin_status list_folder(faces_run *r)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_picture_walk_list(&r->walk, r->ctx));
    see_photos(r);
    AK_TRY(AK_NEW(r->ctx, r->walk.files.n, &r->pending));
    AK_TRY(ak_sql_begin(&r->catalog.sql, r->ctx));
    st = ak_sql_end(&r->catalog.sql, r->ctx, list_files(r));
done:
    return st;
}

/* ---- look: faces into the catalogue ---- */

/* Boxes of the file, or regions of XMP, that are not in the photo. */
static void warn_outside(const faces_run *r, const pending_photo *t,
                         const ak_face_task *task)
{
    const ak_boxes *file = ak_box_file_find(&r->boxes, t->below);
    const ak_boxes *b = task->uses_regions ? &task->tags.boxes : file;
    for (int64_t i = 0; b != NULL && i < b->n; ++i) {
        char line[32] = "";
        if (ak_box_is_inside(b->boxes + 4 * i, task->width, task->height))
            continue;
        if (b->lines != NULL)
            snprintf(line, sizeof line, ":%" PRId64, b->lines[i]);
        ak_log(r->ctx, AKIN_LOG_WARNING,
               "%s%s: a face outside of %s (%" PRId64 " x %" PRId64
               " pixels); skipped",
               b->lines ? r->o.boxes : task->path, line, t->photo.name,
               task->width, task->height);
    }
}

static akin_status record(faces_run *r, pending_photo *t,
                          const ak_face_task *task)
{
    ak_face_changes changes = {0};
    if (task->why != NULL)
        return ak_picture_walk_skip(&r->walk, r->ctx, task->path, task->why);
    t->photo.width = task->width;
    t->photo.height = task->height;
    const akin_status st = choose_name(r, &t->photo);  // others came since
    if (st == AKIN_EFORMAT)
        return ak_picture_walk_skip(&r->walk, r->ctx, task->path,
                                    akin_ctx_message(r->ctx));
    AK_CHECK(st);
    AK_CHECK(ak_photo_put(&r->catalog, r->ctx, &t->photo));
    AK_CHECK(ak_photo_put_faces(
        &r->catalog, r->ctx, &t->photo, &task->faces,
        task->boxes ? (const char *const *)task->boxes->names : NULL,
        &task->drawn_faces, &changes));
    ++r->info.looked_at;
    r->info.without += task->faces.n + task->drawn_faces.n == 0;
    r->info.added += changes.added;
    r->info.changed += changes.changed;
    r->info.removed += changes.removed;
    r->info.decode_seconds += task->decode_seconds;
    r->info.detect_seconds += task->faces.seconds[0];
    r->info.landmark_seconds += task->faces.seconds[1];
    r->info.descriptor_seconds += task->faces.seconds[2];
    warn_outside(r, t, task);
    if (task->uses_regions && task->tags.n_unusable > 0)
        ak_log(r->ctx, AKIN_LOG_WARNING,
               "%s: %" PRId64 " of the regions in XMP cannot be used (expected "
               "normalized x, y, w and h); skipped",
               task->path, task->tags.n_unusable);
    if (task->tags.remark != NULL)
        ak_log(r->ctx, AKIN_LOG_WARNING, "%s; ignored", task->tags.remark);
    return put_caption(r, t, &task->tags.caption);
}

/* Photos that the file of boxes does not have, have no faces. */
static akin_status look_at_batch(void *arg, int64_t first, int64_t n)
{
    faces_run *r = arg;
    pending_photo *batch = r->pending + first;
    static const ak_boxes none = {0};
    const ak_mark mark = ak_scratch_begin(r->ctx);
    ak_face_task *tasks = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, n, &tasks));
    for (int64_t i = 0; i < n; ++i) {
        const ak_boxes *boxes = ak_box_file_find(&r->boxes, batch[i].below);
        tasks[i].path = batch[i].photo.path;
        tasks[i].boxes = r->o.boxes == NULL ? NULL : boxes ? boxes : &none;
        tasks[i].uses_regions = r->o.from_xmp != 0;
        tasks[i].reads_tags = r->o.from_xmp || r->o.captions == NULL;
        AK_TRY(ak_drawn_read(&tasks[i].drawn, r->ctx, &r->catalog,
                             &batch[i].photo));
    }
    AK_TRY(ak_face_crew_look(r->crew, r->ctx, tasks, n));
    AK_TRY(ak_sql_begin(&r->catalog.sql, r->ctx));
    for (int64_t i = 0; i < n && st == AKIN_OK; ++i)
        st = record(r, &batch[i], &tasks[i]);
    st = ak_sql_end(&r->catalog.sql, r->ctx, st);
done:
    for (int64_t i = 0; tasks != NULL && i < n; ++i)
        ak_face_task_free(&tasks[i]);
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* ---- folders ---- */

static void end_folder(faces_run *r)
{
    ak_picture_walk_end(&r->walk);
    akin_free(r->pending);
    r->pending = NULL;
    r->n_pending = 0;
}

static akin_status run_folder(faces_run *r)
{
    akin_status st = AKIN_OK;
    AK_TRY(list_folder(r));
    AK_TRY(ak_picture_walk_parts(&r->walk, r->ctx, r->n_pending,
                                 ak_face_crew_batch(r->crew), r,
                                 look_at_batch));
done:
    end_folder(r);
    return st;
}

/* Photos of any folder whose files are gone, and that have not moved: counted,
 * or removed. */
static akin_status find_gone(faces_run *r)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    sqlite3_stmt *q = NULL;
    int64_t *ids, n = 0, photos;
    bool row = true;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_number(&r->catalog.sql, r->ctx, "SELECT COUNT(*) FROM photos",
                         &photos));
    AK_TRY(AK_SCRATCH(r->ctx, photos + 1, &ids));
    AK_TRY(ak_sql_ask(&r->catalog.sql, r->ctx, &q,
                      "SELECT id, path FROM photos WHERE path IS NOT NULL",
                      ""));
    for (;;) {
        AK_TRY(ak_sql_next(&r->catalog.sql, r->ctx, q, &row));
        if (!row)
            break;
        if (ak_path_is_gone(q, 1))
            ids[n++] = sqlite3_column_int64(q, 0);
    }
    for (int64_t i = 0; r->o.prune && i < n; ++i)
        AK_TRY(ak_photo_remove(&r->catalog, r->ctx, ids[i]));
    r->info.gone = r->o.prune ? 0 : n;
    r->info.pruned = r->o.prune ? n : 0;
done:
    sqlite3_finalize(q);
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status look_for_gone(faces_run *r)
{
    AK_CHECK(ak_sql_begin(&r->catalog.sql, r->ctx));
    return ak_sql_end(&r->catalog.sql, r->ctx, find_gone(r));
}

/* Also the folders of an interrupted run. */
static akin_status run_folders(faces_run *r)
{
    bool found = true;
    for (;;) {
        AK_CHECK(ak_picture_walk_next(&r->walk, r->ctx, &found));
        if (!found)
            break;
        AK_CHECK(run_folder(r));
    }
    AK_CHECK(look_for_gone(r));
    return ak_picture_walk_finish(&r->walk, r->ctx);
}

/* ---- the run ---- */

static akin_status read_captions(faces_run *r)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    if (r->o.captions == NULL)
        return AKIN_OK;
    AK_TRY(ak_source_open(&s, r->ctx, r->o.captions, AK_SOURCE_TEXT));
    AK_TRY(ak_caption_file_read(&r->captions, r->ctx, s));
done:
    ak_source_close(s);
    return st;
}

static akin_status open_tagger(faces_run *r)
{
    AK_CHECK(r->o.tagger ? akin_tagger_load(&r->tagger, r->ctx, r->o.tagger)
                         : akin_tagger_default(&r->tagger, r->ctx));
    return r->o.aliases
               ? akin_tagger_add_aliases(r->ctx, r->tagger, r->o.aliases)
               : AKIN_OK;
}

static akin_status read_boxes(faces_run *r)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    if (r->o.boxes == NULL)
        return AKIN_OK;
    AK_TRY(ak_source_open(&s, r->ctx, r->o.boxes, AK_SOURCE_TEXT));
    AK_TRY(ak_box_file_read(&r->boxes, r->ctx, s));
done:
    ak_source_close(s);
    return st;
}

static akin_status finish(faces_run *r, akin_status st, akin_faces_info *info)
{
    if (r->n_latin1 > 0)
        ak_log(r->ctx, AKIN_LOG_WARNING,
               "%s: not UTF-8 (%" PRId64 " captions in all); taken for Latin-1",
               r->latin1, r->n_latin1);
    if (st == AKIN_OK && info != NULL) {
        *info = r->info;
        info->left_out = r->walk.unreadable;
        info->other_files = r->walk.others;
        st = ak_faces_counts(&r->catalog, r->ctx, info);
    }
    end_folder(r);
    ak_caption_file_free(&r->captions);
    akin_tagger_free(r->tagger);
    ak_box_file_free(&r->boxes);
    if (st != AKIN_OK && !r->claimed)
        ak_catalog_undo(&r->catalog);
    ak_catalog_close(&r->catalog);
    return st;
}

/* What was asked for, and the ranks that share it. */
typedef struct faces_call {
    akin_ctx *ctx;
    const char *path, *folder;
    const akin_faces_options *options;
    akin_faces_info *info;
    ak_face_crew crew;
} faces_call;

/* Everything that can fail comes before anything is written. `carried` NULL:
 * add to what is there. */
static akin_status run(faces_call *x, const char *path,
                       const ak_carried *carried)
{
    const bool adds = carried == NULL;
    akin_ctx *ctx = x->ctx;
    const ak_mark mark = ak_scratch_begin(ctx);
    faces_run r = {.ctx = ctx,
                   .o = AKIN_FACES_DEFAULTS,
                   .crew = &x->crew,
                   .carried = carried};
    ak_finder_options how;
    akin_status st = AKIN_OK;
    r.catalog.lock = -1;
    r.walk.catalog = &r.catalog;
    r.walk.noun = "photos";
    ak_options_take(&r.o, sizeof r.o, x->options);
    AK_TRY(check_options(ctx, &r.o));
    if (adds && !ak_catalog_is(path))
        AK_TRY(ak_fail(ctx, AKIN_ENOENT, "%s: not a collection", path));
    AK_TRY(read_captions(&r));
    AK_TRY(open_tagger(&r));
    AK_TRY(read_boxes(&r));
    AK_TRY(ak_picture_walk_resolve(&r.walk, ctx, x->folder));
    how = finder_options(&r.o);
    if (!adds)
        AK_TRY(ak_face_crew_open(r.crew, ctx, &how));
    AK_TRY(ak_catalog_open(&r.catalog, ctx, path, AK_CATALOG_WRITE));
    AK_TRY(ak_picture_walk_check(&r.walk, ctx));
    AK_TRY(adds ? load_settings(&r) : start_or_resume(&r));
    AK_TRY(
        ak_tagging_begin(&r.tagger, ctx, &r.catalog, r.o.tagger, r.o.aliases));
    how = finder_options(&r.o);
    if (adds)
        AK_TRY(ak_face_crew_open(r.crew, ctx, &how));
    AK_TRY(run_folders(&r));
    AK_TRY(ak_named_photos_report(&r.captions.photos, ctx, &r.catalog,
                                  r.o.captions));
    AK_TRY(ak_named_photos_report(&r.boxes.photos, ctx, &r.catalog, r.o.boxes));
done:
    st = finish(&r, st, x->info);
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status make(void *arg)
{
    faces_call *x = arg;
    const bool force = x->options != NULL && x->options->force;
    ak_carried carried = {0};
    ak_replacement r = {.lock = -1};
    akin_status st = ak_carry_begin(&carried, x->ctx, x->path, force);
    if (st == AKIN_OK)
        st = ak_replace_begin(&r, x->ctx, x->path, force);
    if (st == AKIN_OK)
        st = run(x, r.path, &carried);
    ak_carry_end(&carried);
    return ak_replace_end(&r, x->ctx, st);
}

static akin_status add(void *arg)
{
    faces_call *x = arg;
    return run(x, x->path, NULL);
}

akin_status akin_faces_make(akin_ctx *ctx, const char *path, const char *folder,
                            const akin_faces_options *options,
                            akin_faces_info *info)
{
    faces_call x = {ctx, path, folder, options, info, .crew = {.finder = NULL}};
    return ak_face_crew_run(&x.crew, ctx, make, &x);
}

akin_status akin_faces_add(akin_ctx *ctx, const char *path, const char *folder,
                           const akin_faces_options *options,
                           akin_faces_info *info)
{
    faces_call x = {ctx, path, folder, options, info, .crew = {.finder = NULL}};
    return ak_face_crew_run(&x.crew, ctx, add, &x);
}
