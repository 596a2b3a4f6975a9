/* collection/run.h - a run over folders of pictures; for images.c and its
 * parts alone. */
#ifndef AK_COLLECTION_RUN_H
#define AK_COLLECTION_RUN_H

#include <akin/collection.h>

#include "collection/catalog.h"
#include "collection/eyes.h"
#include "collection/labels.h"
#include "collection/words.h"
#include "text/folder.h"

/* Which state of a file was looked at. */
typedef struct ak_stamp {
    int64_t size, modified;  // bytes; nanoseconds, 0: not known
} ak_stamp;

/* A picture that is still to be looked at. */
typedef struct ak_todo {
    const char *path;
    int64_t row;  // of one that has changed since, -1: it is new
    ak_stamp stamp;
    const char *folder_label;  // NULL: none
    int64_t first;             // of its descriptors in the sample, -1: not in
    ak_seen seen;              // those in the sample alone
} ak_todo;

typedef struct ak_run {
    akin_ctx *ctx;
    ak_catalog catalog;
    akin_images_options o;
    akin_images_info info;
    ak_picture_labels labels;
    ak_eyes *eyes;
    ak_codebook *codebook;
    ak_words_origin origin;  // of a codebook that was learned now
    bool anew;               // nothing that is in the collection counts
    bool claimed;            // there is something to go on from

    /* Of the folder at hand. */
    int64_t folder;  // its number
    char root[PATH_MAX];
    ak_folder files;
    ak_todo *todo;
    int64_t n_todo;
    int64_t next_row;

    /* What words are learned from. */
    uint8_t *sample;  // n_sample x 128
    int64_t n_sample, sample_room;
} ak_run;

/* Are the options in their ranges? */
akin_status ak_run_check(akin_ctx *ctx, const akin_images_options *o);
/* Is the collection ours to begin, or to continue? The folder is written down
 * as one to do. What a new one needs is there before an old one goes: a
 * codebook, and pictures that can be read. */
akin_status ak_run_claim(ak_run *r);
/* The same for one that is added to, with the options that it was begun
 * with. */
akin_status ak_run_recall(ak_run *r);

/* What there is to do in the folder: files with the ending of a picture that
 * are not in the catalogue yet, or have changed. Others get the labels that
 * are given; those that are gone are counted. */
akin_status ak_run_list(ak_run *r);
void ak_run_forget(ak_run *r);

/* Learn the codebook from a part of what is to be done; with one that was
 * given, see that there is a picture to be described by it. Nothing is
 * written. */
akin_status ak_run_learn(ak_run *r);
/* Put the codebook into the collection. */
akin_status ak_run_keep(ak_run *r);
/* Look at all that is to be done, and write down what is seen. */
akin_status ak_run_look(ak_run *r);

/* It cannot be read: say so, and count it. */
akin_status ak_run_leave_out(ak_run *r, const char *path, const char *why);

#endif
