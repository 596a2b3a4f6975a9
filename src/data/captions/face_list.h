/* data/captions/face_list.h - lines that say something of faces: who is who by
 * a person, the truth, or names as akin gave them. */
#ifndef AK_DATA_CAPTIONS_FACE_LIST_H
#define AK_DATA_CAPTIONS_FACE_LIST_H

#include "data/io/source.h"
#include "data/names.h"

#define AK_WEIGHT_MOST 1e12

typedef struct ak_face_line {
    int64_t face;
    int64_t line;   // in the file
    int32_t name;   // into the texts; -1: none
    int32_t photo;  // into the photos; -1: none
    bool is_not;
    double ratio;        // real_name_ratio, NAN where there is none
    double probability;  // NAN where there is none
    double weight;       // NAN where there is none
} ak_face_line;

/* CSV. Without a header the columns are face, name and, where there is a
 * third, is or is-not; a header names them in any order (the third is called
 * says), and may name photo, confidence (a number), probability and
 * real_name_ratio. Other columns are ignored. */
typedef struct ak_face_list {
    ak_face_line *lines;
    int64_t n, room;
    ak_names texts, photos;
    char *path;
} ak_face_list;

/* Faces are rows below n_rows. The list is to be freed whatever comes of it. */
akin_status ak_face_list_read(ak_face_list *out, akin_ctx *ctx,
                              ak_source *source, int64_t n_rows);
/* The same of lines face,name,weight, of which each has a weight from 0 to
 * AK_WEIGHT_MOST. */
akin_status ak_face_list_weights(ak_face_list *out, akin_ctx *ctx,
                                 ak_source *source, int64_t n_rows);
void ak_face_list_free(ak_face_list *l);

#endif
