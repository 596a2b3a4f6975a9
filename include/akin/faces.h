/* akin/faces.h - the faces of captioned photographs as a collection.
 * docs/reference/faces.md */
#ifndef AKIN_FACES_H
#define AKIN_FACES_H

#include <akin/collection.h>
#include <akin/naming.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How photos become faces. A collection keeps detector, descriptor, side and
 * upsample. */
typedef struct akin_faces_options {
    uint64_t size;          /* sizeof(akin_faces_options) */
    const char *captions;   /* csv or JSON lines of photo and caption or names;
                               NULL: a .txt beside each photo, or what the file
                               itself has */
    const char *boxes;      /* csv photo,x,y,width,height[,name] in pixels, in
                               place of detection; NULL: none */
    const char *detector;   /* hog mmod */
    const char *descriptor; /* resnet patches */
    int64_t side;           /* longest side; larger photos are shrunk */
    int64_t upsample;    /* times a photo is doubled; -1: 1 for hog, else 0 */
    int64_t from_xmp;    /* 1: faces, names and captions of XMP, in photos or
                            beside them, where they have regions */
    int64_t force;       /* 1: replace an existing collection */
    const char *tagger;  /* a file of akin_tagger_save, for names in captions;
                            NULL: the default */
    const char *aliases; /* as for akin_tagger_add_aliases; NULL: none */
    int64_t prune;       /* 1: remove photos whose files are gone */
} akin_faces_options;

#define AKIN_FACES_DEFAULTS                                    \
    {                                                          \
        .size = sizeof(akin_faces_options), .detector = "hog", \
        .descriptor = "resnet", .side = 1600, .upsample = -1,  \
    }

/* What a collection of faces has, and what a run has done to it. */
typedef struct akin_faces_info {
    int64_t faces;       /* in the collection */
    int64_t photos;      /* in the collection */
    int64_t captions;    /* photos with a caption or with names */
    int64_t dim;         /* columns of the descriptors */
    int64_t added;       /* faces, by this run */
    int64_t changed;     /* faces found again in photos that changed */
    int64_t removed;     /* faces no longer found in photos that changed */
    int64_t looked_at;   /* photos, by this run */
    int64_t without;     /* of these without a face */
    int64_t moved;       /* photos found again at another place */
    int64_t left_out;    /* photos skipped: unreadable */
    int64_t other_files; /* skipped: not an image extension */
    /* Seconds of all threads together. */
    double decode_seconds, detect_seconds, landmark_seconds, descriptor_seconds;
    int64_t gone;   /* photos whose files are no longer there */
    int64_t pruned; /* photos removed for that */
} akin_faces_info;

/* Make a collection of the faces in the pictures below `folder`, or resume an
 * interrupted run. Unreadable pictures are skipped with a warning in the log.
 * Ranks share the pictures, as with akin_images_make.
 * AKIN_EINVAL: another collection exists; AKIN_EABSENT: this build finds no
 * faces, or has no weights for it. */
AKIN_API akin_status akin_faces_make(akin_ctx *ctx, const char *path,
                                     const char *folder,
                                     const akin_faces_options *options,
                                     akin_faces_info *info);
/* Add the faces of further pictures with the settings of the collection; those
 * that are there are looked at again only where their file has changed. Of
 * `options` captions, tagger, aliases, boxes and from_xmp are used; captions
 * also for photos that are there: their pixels are not looked at for it. */
AKIN_API akin_status akin_faces_add(akin_ctx *ctx, const char *path,
                                    const char *folder,
                                    const akin_faces_options *options,
                                    akin_faces_info *info);
/* Make a collection of faces that are vectors already, a row each; `captions`
 * has photo,faces,names as for akin_supervision_read. All rows come into it, or
 * none. */
AKIN_API akin_status akin_faces_import(akin_ctx *ctx, const char *path,
                                       const akin_rows *rows,
                                       const akin_faces_options *options,
                                       akin_faces_info *info);

/* Add such rows to such a collection, all or none; `captions` has their photos,
 * which must be new, and numbers rows from 0. */
AKIN_API akin_status akin_faces_import_more(akin_ctx *ctx, const char *path,
                                            const akin_rows *rows,
                                            const akin_faces_options *options,
                                            akin_faces_info *info);

/* Counts of a collection; the others are 0. */
AKIN_API akin_status akin_faces_count(akin_faces_info *info, akin_ctx *ctx,
                                      const akin_collection *c);

enum { AKIN_FACE_POINTS = 5 };

/* A face by its row. Borrowed until the next call. AKIN_ESHAPE: the row does
 * not exist; AKIN_EINVAL: the collection has no faces. */
typedef struct akin_face {
    int64_t id;        /* of the item */
    int64_t photo_id;  /* the same for all faces of a photo */
    const char *photo; /* its name: the path below the folder it came from */
    const char *path;  /* its file; NULL: it has none */
    int64_t photo_width, photo_height; /* as it is seen; 0: unknown */
    const char *caption;               /* NULL: none */
    /* Pixels of the photo as it is seen; NAN where only a vector was given. */
    double x, y, width, height;
    double points[2 * AKIN_FACE_POINTS]; /* corners of the eyes, nose; x, y */
    double score;                        /* of the detector; 0: was given */
    double sharpness, roll, turn;        /* docs/reference/faces.md */
} akin_face;
AKIN_API akin_status akin_faces_get(akin_face *out, akin_ctx *ctx,
                                    akin_collection *c, int64_t row);

/* Ids of the faces of a photo, in their order there. Free with akin_free. */
AKIN_API akin_status akin_faces_of_photo(int64_t **ids, int64_t *n,
                                         akin_ctx *ctx, akin_collection *c,
                                         int64_t photo_id);
/* A photo by its id, whether it has faces or not. Borrowed until the next call.
 * AKIN_EINVAL: there is no such photo. */
typedef struct akin_photo {
    int64_t id;
    const char *name;      /* the path below the folder it came from */
    const char *path;      /* its file; NULL: it has none */
    const char *caption;   /* NULL: none */
    int64_t width, height; /* as it is seen; 0: unknown */
    int64_t faces;         /* in it */
} akin_photo;
AKIN_API akin_status akin_faces_photo(akin_photo *out, akin_ctx *ctx,
                                      akin_collection *c, int64_t photo_id);
/* Ids of photos with a file in which there is no face, in their order. Free
 * with akin_free. */
AKIN_API akin_status akin_faces_without(int64_t **ids, int64_t *n,
                                        akin_ctx *ctx, akin_collection *c);
/* A JPEG of a photo, at most `side` pixels long. Free with akin_free.
 * AKIN_EINVAL: there is no such photo, or it has no file. */
AKIN_API akin_status akin_faces_photo_picture(uint8_t **jpeg, int64_t *n,
                                              akin_ctx *ctx, akin_collection *c,
                                              int64_t photo_id, int64_t side);
/* A JPEG of the photo of a face, at most `side` pixels long; with `crop` 1 of
 * the face and a little around it. Free with akin_free. AKIN_EINVAL: the photo
 * has no file, or the face no place. */
AKIN_API akin_status akin_faces_picture(uint8_t **jpeg, int64_t *n,
                                        akin_ctx *ctx, akin_collection *c,
                                        int64_t row, int64_t side, int crop);

/* The file below a collection that keeps what akin_estimate_save has of its
 * faces. */
#define AKIN_FACES_KEPT "names.safetensors"

/* The captions of the collection as supervision (AKIN_BAGS), whose rows are
 * those of akin_collection_rows: the faces of each photo, and the names of its
 * caption that are in the picture. AKIN_EINVAL: it has no faces, or no names.
 */
AKIN_API akin_status akin_faces_captions(akin_ctx *ctx, akin_supervision *s,
                                         akin_collection *c);

/* Weights for akin_naming_set_prior by where captions say that persons are
 * ("left", "back row, second from right") and where the faces of their photos
 * are. `captions` are those of akin_faces_captions. Free the list with
 * akin_free; none: no caption says it, or faces have no boxes. */
AKIN_API akin_status akin_faces_prior(akin_face_weight **out, int64_t *n,
                                      akin_ctx *ctx, akin_collection *c,
                                      const akin_supervision *captions);
/* How well each row can be seen, for akin_naming_set_quality: by its size,
 * sharpness and turn, 0.2 to 1; 1 where only a vector was given. */
AKIN_API akin_status akin_faces_quality(double *quality, akin_ctx *ctx,
                                        akin_collection *c);

/* Remove all that the collection has of a person, under any of the names that
 * were merged with `name`, however they are written: faces whose label or
 * confirmed name is one of them, or whose entry in `names` (of each row, "":
 * nobody, NULL: not known; or NULL: none given); the person in captions, also
 * by a part of the name; and every event that such a face was part of. The
 * index is built again, and the bytes are overwritten: no file has a name
 * afterwards. Models learned earlier stay. The faces are not found again in
 * their photos. AKIN_EINVAL: nobody is called so; the caption of a face has the
 * name, and nothing says who the face is; or paths of photos have the name. */
AKIN_API akin_status akin_faces_remove_person(int64_t *removed, akin_ctx *ctx,
                                              const char *path,
                                              const char *name,
                                              const char *const *names);
/* The files of the collection that have the name anywhere, however it is
 * written, or a name that is merged with it; each place is logged. XMP beside
 * the photos that has the name is logged too, and not counted. */
AKIN_API akin_status akin_faces_mentions(int64_t *files, akin_ctx *ctx,
                                         const char *path, const char *name);

/* How faces and names are written for other programs. */
typedef struct akin_faces_export_options {
    uint64_t size;  /* sizeof(akin_faces_export_options) */
    const char *to; /* csv json xmp: FOLDER/faces.csv, FOLDER/faces.json, or
                       FOLDER/PHOTO.xmp for each photo */
    const char *const *names; /* of each row, "" or NULL: none; NULL: the labels
                                 of the items */
    int64_t force;            /* 1: replace faces, persons and captions in
                                 files of XMP that say something else */
} akin_faces_export_options;

#define AKIN_FACES_EXPORT_DEFAULTS                             \
    {                                                          \
        .size = sizeof(akin_faces_export_options), .to = "csv" \
    }

typedef struct akin_faces_export_info {
    int64_t photos, faces, named;
} akin_faces_export_info;

/* XMP has regions as the Metadata Working Group specifies them, and persons as
 * the IPTC does: other programs show the names, and akin_faces_make reads them
 * with `from_xmp`. Regions are those of the photo as it is stored, before EXIF
 * turns it. What else an existing file of XMP has stays in it. AKIN_EINVAL: it
 * has faces that the collection has not, or XMP is wanted of faces without a
 * place. */
AKIN_API akin_status akin_faces_export(akin_ctx *ctx, akin_collection *c,
                                       const char *folder,
                                       const akin_faces_export_options *options,
                                       akin_faces_export_info *info);

#ifdef __cplusplus
}
#endif
#endif
