/* collection/catalog.h - the file that holds what a collection knows: its items
 * and their features, labels and fields; the segments of its index; versions of
 * its model; what people said. Everything else is derived from it. */
#ifndef AK_COLLECTION_CATALOG_H
#define AK_COLLECTION_CATALOG_H

#include <akin/collection.h>
#include <limits.h>

#include "collection/sql.h"

typedef struct ak_catalog {
    ak_sql sql;
    char folder[PATH_MAX];  // the collection's, as it was given
    char real[PATH_MAX];    // and as no other path gives it
    int lock;               // on the folder while items are added, -1: none
    bool made;              // the folder was not there
    bool fresh;             // nor was the catalogue
    bool is_old;            // of an earlier version, and open to read
} ak_catalog;

typedef enum {
    AK_CATALOG_READ,
    AK_CATALOG_CHANGE,  // to write to what is there, without a lock
    AK_CATALOG_WRITE
} ak_catalog_mode;

/* All zero to begin with. To write means to make what is not there, and to wait
 * until no other process adds items. A catalogue of an earlier version is
 * upgraded. ENOENT: not a collection; EFORMAT: damaged, or of a later
 * version. */
akin_status ak_catalog_open(ak_catalog *c, akin_ctx *ctx, const char *folder,
                            ak_catalog_mode mode);
void ak_catalog_close(ak_catalog *c);
/* Take away what opening has made; nothing where there was a catalogue. To be
 * called before it is closed. */
void ak_catalog_undo(ak_catalog *c);
/* Is there a catalogue in the folder? */
bool ak_catalog_is(const char *folder);
/* Remove all that it has; files that are derived from it go too. */
akin_status ak_catalog_clear(ak_catalog *c, akin_ctx *ctx);

/* Is the path the collection, or inside of it, or of one that it is to
 * replace? */
bool ak_catalog_owns(const ak_catalog *c, const char *path);
/* Remove all files of a collection, damaged or not, and the folder. */
akin_status ak_catalog_erase(akin_ctx *ctx, const char *folder);
extern const char ak_catalog_made[];  // ".new", of one that is to replace

/* "COLLECTION/name"; EIO when that is too long. */
akin_status ak_catalog_file(const ak_catalog *c, akin_ctx *ctx,
                            const char *name, char path[PATH_MAX]);
/* It may be missing. */
akin_status ak_catalog_remove_file(const ak_catalog *c, akin_ctx *ctx,
                                   const char *name);
extern const char ak_file_codebook[], ak_file_words[], ak_file_colours[],
    ak_file_names[], ak_folder_segments[], ak_folder_versions[],
    ak_folder_thumbnails[];

/* Settings; "" for one that is not there. `size` bytes are enough or it is
 * EFORMAT. */
akin_status ak_catalog_get(const ak_catalog *c, akin_ctx *ctx, const char *key,
                           char *value, size_t size);
akin_status ak_catalog_set(const ak_catalog *c, akin_ctx *ctx, const char *key,
                           const char *value);

akin_status ak_catalog_get_number(const ak_catalog *c, akin_ctx *ctx,
                                  const char *key, int64_t *value);
akin_status ak_catalog_set_number(const ak_catalog *c, akin_ctx *ctx,
                                  const char *key, int64_t value);

/* Wait for the lock of a folder of the collection ("": itself), which is made
 * if needed. *lock is closed by the caller. */
akin_status ak_catalog_lock(const ak_catalog *c, akin_ctx *ctx,
                            const char *folder, int *lock);

/* Does a process hold the lock on the collection, as those do that add? */
bool ak_catalog_is_locked(const ak_catalog *c);

/* How the first run extracted features. */
struct ak_extract_options;
akin_status ak_catalog_sight(const ak_catalog *c, akin_ctx *ctx,
                             struct ak_extract_options *out);

/* EINVAL: its items are others than images, documents or vectors, as `kind`
 * says. An empty catalogue is of any kind. */
akin_status ak_catalog_check_kind(const ak_catalog *c, akin_ctx *ctx,
                                  const char *kind);

/* Counts of the catalogue; `added` is all items. */
akin_status ak_catalog_counts(const ak_catalog *c, akin_ctx *ctx,
                              akin_items_info *info);

#endif
