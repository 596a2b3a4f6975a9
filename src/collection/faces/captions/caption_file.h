/* collection/faces/captions/caption_file.h - captions of photos in a file. */
#ifndef AK_COLLECTION_FACES_CAPTIONS_CAPTION_FILE_H
#define AK_COLLECTION_FACES_CAPTIONS_CAPTION_FILE_H

#include "collection/faces/named_photos.h"
#include "data/io/source.h"

/* Valid UTF-8, without control characters other than line ends and tabs in the
 * text, and none in names. */
typedef struct ak_caption {
    char *text;   // NULL: none
    char *names;  // of the persons, a line each; NULL: not given, "" nobody
} ak_caption;

/* Bytes of a caption, and of its names. */
enum { AK_CAPTION_MOST = 1 << 20, AK_NAMES_MOST = 1 << 16 };

/* All zero to begin with. */
typedef struct ak_caption_file {
    ak_named_photos photos;
    ak_caption *captions;  // of each photo
    int64_t n, room;
    int64_t n_latin1, latin1_line;  // captions that are not UTF-8; the first
} ak_caption_file;

/* CSV with a header photo,caption or photo,names, or with all three, names
 * separated by ';'; or JSON lines with these keys, names as a list or
 * separated by ';'. */
akin_status ak_caption_file_read(ak_caption_file *f, akin_ctx *ctx,
                                 ak_source *source);
/* NULL: there is none. */
const ak_caption *ak_caption_file_find(const ak_caption_file *f,
                                       const char *photo);
void ak_caption_file_free(ak_caption_file *f);

/* Text from elsewhere, UTF-8 or Latin-1, as a caption; free with
 * ak_caption_free. ESHAPE: too long. */
akin_status ak_caption_of_text(ak_caption *out, akin_ctx *ctx, const char *text,
                               size_t n);
/* The same of names between which `delimiter` stands. */
akin_status ak_caption_of_names(ak_caption *out, akin_ctx *ctx,
                                const char *names, size_t n, char delimiter);
void ak_caption_free(ak_caption *c);

#endif
