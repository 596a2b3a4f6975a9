/* akin/collection.h - things with names, made searchable: a folder with a
 * catalogue of items, their features, an index and versions of a model.
 * docs/reference/collections.md, docs/reference/images.md */
#ifndef AKIN_COLLECTION_H
#define AKIN_COLLECTION_H

#include <akin/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How pictures become rows. A collection keeps the options it was started
 * with. */
typedef struct akin_images_options {
    uint64_t size;            /* sizeof(akin_images_options) */
    int64_t side;             /* longest side; larger pictures are shrunk */
    int64_t first_octave;     /* -1: features of pictures at twice their size */
    int64_t words;            /* of the codebook; 0: chosen by the sample */
    int64_t sample;           /* descriptors to learn words from; 0: auto */
    const char *codebook;     /* a file or collection to copy it from */
    const char *colours;      /* none luv hsv: colour moments beside words */
    const char *labels;       /* csv of files and labels, NULL: sub-folders */
    const char *label_column; /* its column; NULL: label, class, target, y */
    int64_t force;            /* 1: replace an existing collection */
    int64_t batch;            /* descriptors per iteration; 0: the sample */
    int64_t prune;            /* 1: remove pictures whose files are gone */
    int64_t restore;          /* 1: add those too that were removed earlier */
} akin_images_options;

#define AKIN_IMAGES_DEFAULTS                                                 \
    {                                                                        \
        .size = sizeof(akin_images_options), .side = 640, .colours = "none", \
    }

/* What a collection has, and what a run has done to it. */
typedef struct akin_items_info {
    int64_t items;       /* in the collection */
    int64_t dim;         /* columns of their rows */
    int64_t classes;     /* different labels */
    int64_t features;    /* local features of pictures, words of documents */
    int64_t added;       /* by this run */
    int64_t changed;     /* described again, or replaced */
    int64_t moved;       /* found again at another place */
    int64_t gone;        /* missing from their source; they stay */
    int64_t pruned;      /* removed because they are gone */
    int64_t left_out;    /* skipped: unreadable or binary */
    int64_t other_files; /* skipped: not an image extension */
    int64_t repaired;    /* documents with bytes that are not UTF-8 */
    int64_t empty;       /* documents without any counted word */
    int64_t dismissed;   /* not added again: removed earlier by name */
} akin_items_info;

/* Make a collection of the pictures below `folder`, or resume an interrupted
 * run. Unreadable pictures are skipped with a warning in the log. Ranks share
 * the pictures; rank 0 alone writes the collection and has `info`.
 * AKIN_EINVAL: another collection exists; AKIN_EABSENT: this build has no
 * collections. */
AKIN_API akin_status akin_images_make(akin_ctx *ctx, const char *path,
                                      const char *folder,
                                      const akin_images_options *options,
                                      akin_items_info *info);
/* Add pictures with the settings of the collection. Of `options` only the
 * labels, `prune` and `restore` are used; existing pictures get the labels too.
 * Changed files are described again, moved ones are known by their content;
 * those that were removed stay out while their content is the same. `folder`
 * NULL: add none. */
AKIN_API akin_status akin_images_add(akin_ctx *ctx, const char *path,
                                     const char *folder,
                                     const akin_images_options *options,
                                     akin_items_info *info);
/* ---- documents ----------------------------------------------------------- */

/* How documents become rows. A collection keeps the first three. */
typedef struct akin_documents_options {
    uint64_t size;            /* sizeof(akin_documents_options) */
    const char *stop_words;   /* english, none, or a file with one per line */
    int64_t min_length;       /* shortest word, in characters */
    int64_t max_length;       /* longest word, in characters */
    const char *text_column;  /* csv, JSON lines: as in akin_text_options */
    const char *label_column; /* the same; of `labels` too */
    const char *name_column;  /* the same */
    int64_t header;           /* csv: as in akin_text_options */
    const char *labels;       /* csv of files and labels, NULL: sub-folders */
    int64_t force;            /* 1: replace an existing collection */
    int64_t prune;            /* 1: remove documents that are gone */
    int64_t restore;          /* 1: add those too that were removed earlier */
} akin_documents_options;

#define AKIN_DOCUMENTS_DEFAULTS                                          \
    {                                                                    \
        .size = sizeof(akin_documents_options), .stop_words = "english", \
        .min_length = 2, .max_length = 40,                               \
    }

/* Make a collection of documents: the files of a folder, or the records of a
 * csv or JSON lines file; or resume an interrupted run. Words are counted as by
 * akin_text_read. Documents that cannot be read are skipped with a warning.
 * AKIN_EINVAL: another collection exists. */
AKIN_API akin_status akin_documents_make(akin_ctx *ctx, const char *path,
                                         const char *input,
                                         const akin_documents_options *options,
                                         akin_items_info *info);
/* Add documents with the settings of the collection. Those that changed are
 * counted again, files that were moved are recognised, and those that were
 * removed stay out while their text is the same. With `input` NULL
 * documents that are gone are removed, no others are looked for; the records of
 * a file that is gone as a whole are kept, with a warning. */
AKIN_API akin_status akin_documents_add(akin_ctx *ctx, const char *path,
                                        const char *input,
                                        const akin_documents_options *options,
                                        akin_items_info *info);

/* ---- vectors ------------------------------------------------------------- */

/* What else is known of rows. */
typedef struct akin_vectors_options {
    uint64_t size;      /* sizeof(akin_vectors_options) */
    const char *names;  /* file with the name of each row, one per line; NULL:
                           those of `fields`, or else numbers */
    const char *fields; /* csv with a header, a record for each row: a column
                           id, name, title or key has its name, one called
                           label or labels its labels, others are fields */
    int64_t force;      /* 1: replace an existing collection */
    const char *const *name_list; /* as `names`, in memory: one for each row */
} akin_vectors_options;

#define AKIN_VECTORS_DEFAULTS                \
    {                                        \
        .size = sizeof(akin_vectors_options) \
    }

/* Make a collection of rows, dense or sparse, with their labels. A name that
 * occurs twice is AKIN_EFORMAT. All rows come into it, or none. */
AKIN_API akin_status akin_vectors_make(akin_ctx *ctx, const char *path,
                                       const akin_rows *rows,
                                       const akin_vectors_options *options,
                                       akin_items_info *info);
/* Add rows; those whose name is there take the place of the old ones.
 * AKIN_ESHAPE: they have other columns. */
AKIN_API akin_status akin_vectors_add(akin_ctx *ctx, const char *path,
                                      const akin_rows *rows,
                                      const akin_vectors_options *options,
                                      akin_items_info *info);

/* Set the model that searches use from now on, as a new version; NULL: the
 * measure without learning, as at the start. Those who search meanwhile use the
 * old one to the end. */
AKIN_API akin_status akin_collection_set_model(akin_ctx *ctx, const char *path,
                                               const akin_model *model);

/* Remove items by name or path, and those of which the condition `where` is
 * true (NULL: none); all of them, or none. `removed` gets their number. Files
 * and records stay where they are, and are not added again.
 * AKIN_EINVAL: a name is not there, or several items have it. */
AKIN_API akin_status akin_collection_remove(int64_t *removed, akin_ctx *ctx,
                                            const char *path,
                                            const char *const *names,
                                            int64_t n_names, const char *where);

/* ---- read a collection -------------------------------------------------- */

/* A collection opened for reading: as it was at that moment, whatever others
 * add, remove or learn meanwhile. One thread at a time. */
typedef struct akin_collection akin_collection;

/* 1 for a folder with a catalogue. */
AKIN_API int akin_collection_is(const char *path);
AKIN_API akin_status akin_collection_open(akin_collection **out, akin_ctx *ctx,
                                          const char *path);
AKIN_API void akin_collection_close(akin_collection *c);
/* Let go of that moment until the next akin_collection_refresh. While moments
 * are held, the log of the catalogue grows with each change. */
AKIN_API akin_status akin_collection_release(akin_ctx *ctx, akin_collection *c);
/* Go on to how it is now; quick when nothing has changed. */
AKIN_API akin_status akin_collection_refresh(akin_ctx *ctx, akin_collection *c);

/* Its items, and the columns of their rows. */
AKIN_API int64_t akin_collection_count(const akin_collection *c);
AKIN_API int64_t akin_collection_dim(const akin_collection *c);
/* All of what it has, which is counted: slow where it is large. */
AKIN_API akin_status akin_collection_info(akin_items_info *info, akin_ctx *ctx,
                                          const akin_collection *c);
/* What its items are: "images", "documents", "vectors" or "faces". */
AKIN_API const char *akin_collection_kind(const akin_collection *c);
/* As akin_rows_index_base of its rows. */
AKIN_API akin_status akin_collection_index_base(int64_t *base, akin_ctx *ctx,
                                                const akin_collection *c);
/* The version of the model that it is searched by; 0: without learning. */
AKIN_API int64_t akin_collection_version(const akin_collection *c);
/* 1 when a run was interrupted and can be resumed, 2 while one is under way. */
AKIN_API int akin_collection_is_open(const akin_collection *c);

/* An item by its row, the place among the items that are there. The name of a
 * file is its path below the folder it came from. Borrowed until the next
 * call. AKIN_ESHAPE: the row does not exist. */
typedef struct akin_item {
    int64_t id; /* stays the same, and is never another item's */
    const char *name;
    const char *path;    /* of its file; NULL: it has none */
    const char *labels;  /* separated by newlines; "": none */
    const char *snippet; /* the beginning of a text; NULL: none */
    int64_t width, height, descriptors; /* of a picture */
    int64_t is_face; /* 1: akin_faces_picture has a picture of it */
} akin_item;
AKIN_API akin_status akin_collection_item(akin_item *out, akin_ctx *ctx,
                                          akin_collection *c, int64_t row);

/* What else is known of an item: the date of a picture, other columns of its
 * record. */
typedef struct akin_field {
    char *name;    /* NULL: the end of a list */
    char *text;    /* NULL: it is a number */
    double number; /* then this */
} akin_field;
/* All fields of an item, by name; free with akin_fields_free. AKIN_ESHAPE: the
 * row does not exist. */
AKIN_API akin_status akin_collection_fields(akin_field **fields, int64_t *n,
                                            akin_ctx *ctx, akin_collection *c,
                                            int64_t row);
AKIN_API void akin_fields_free(akin_field *fields);

/* The row of an item by name or path. AKIN_EINVAL: no item matches, or
 * several do. */
AKIN_API akin_status akin_collection_find(int64_t *row, akin_ctx *ctx,
                                          akin_collection *c, const char *name);

/* The row of an item by its id. AKIN_EINVAL: there is none. */
AKIN_API akin_status akin_collection_row_of(int64_t *row, akin_ctx *ctx,
                                            akin_collection *c, int64_t id);
/* The rows of all items of which the condition `where` is true; free with
 * akin_free. */
AKIN_API akin_status akin_collection_select(int64_t **rows, int64_t *n,
                                            akin_ctx *ctx, akin_collection *c,
                                            const char *where);

/* A picture of at most `side` pixels a side, as JPEG; free with akin_free.
 * Those of 64, 128, 256 and 512 pixels are kept in the collection. AKIN_EINVAL:
 * the item is no picture. */
AKIN_API akin_status akin_collection_thumbnail(uint8_t **jpeg, int64_t *n,
                                               akin_ctx *ctx,
                                               akin_collection *c, int64_t row,
                                               int64_t side);

/* All items as raw rows, with their labels. `features` NULL: those that the
 * collection was made for; or words, colours, terms, vectors: all items that
 * have these. `options` as for akin_rows_read, may be NULL. */
AKIN_API akin_status akin_collection_rows(akin_rows **out, akin_ctx *ctx,
                                          const akin_collection *c,
                                          const char *features,
                                          const akin_read_options *options);
/* The same for pictures, or documents, in files outside the collection. */
AKIN_API akin_status akin_collection_describe(akin_rows **out, akin_ctx *ctx,
                                              akin_collection *c,
                                              const char *const *files,
                                              int64_t n_files);

/* Texts as rows of a collection of documents; `lengths` may be NULL. */
AKIN_API akin_status akin_collection_describe_text(
    akin_rows **out, akin_ctx *ctx, akin_collection *c,
    const char *const *texts, const size_t *lengths, int64_t n);

/* ---- search ---------------------------------------------------------------
 */

/* Search by this model from now on, until the collection is closed; NULL: by
 * its own. AKIN_ESHAPE: the model is for other rows. */
AKIN_API akin_status akin_collection_use(akin_ctx *ctx, akin_collection *c,
                                         const akin_model *model);

/* Under a model that compares two kinds of items: queries are from now on
 * images, documents or vectors, and find items of the other kind. At first they
 * are what the model has on its left. AKIN_EINVAL: the model does not compare
 * items of this kind. */
AKIN_API akin_status akin_collection_ask(akin_ctx *ctx, akin_collection *c,
                                         const char *kind);
/* 1 when queries may be of this kind. */
AKIN_API int akin_collection_can_ask(const akin_collection *c,
                                     const char *kind);
/* The columns of a query of the kind that is asked now. */
AKIN_API int64_t akin_collection_query_dim(const akin_collection *c);

typedef struct akin_find_options {
    uint64_t size;            /* sizeof(akin_find_options) */
    int64_t top;              /* items to find for each query */
    akin_compare by;          /* AKIN_BY_DEFAULT: as the model compares */
    int64_t as_is;            /* 1: the recipe was already applied to queries */
    int64_t effort;           /* hnsw: candidates per query; 0: chosen by top */
    const akin_lists *ignore; /* rows that a query does not find */
    const int64_t *like;      /* rows like what is looked for; they are not
                                 found */
    int64_t n_like;           /* length of like */
    const int64_t *unlike;    /* rows unlike it */
    int64_t n_unlike;         /* length of unlike */
    const akin_rows *like_rows;   /* as `like`, given as raw rows */
    const akin_rows *unlike_rows; /* as `unlike`, given as raw rows */
    const char *where;            /* a condition on fields; NULL: all items */
    const char *feedback; /* how examples count (akin/feedback.h): auto, none,
                             mean, learn, expand; NULL: auto. Events of the
                             query (akin/events.h) count as examples, and what
                             was bad is not found; none: they do not count */
    const char *user;     /* who searches: with their model, if they have one
                             (akin_collection_learn_user), and the last word on
                             what was said of the query; NULL: nobody */
    int64_t exact;        /* 1: compare as if with every item. 0: a long query
                             may miss an item of a large collection
                             (docs/reference/search.md says how often) */
} akin_find_options;

#define AKIN_FIND_DEFAULTS                                                   \
    {                                                                        \
        .size = sizeof(akin_find_options), .top = 10, .by = AKIN_BY_DEFAULT, \
    }

/* As akin_index_search, over all items: the rows found, best first, equal
 * scores by row. Free both with akin_free. */
AKIN_API akin_status akin_collection_search(int64_t **rows, double **scores,
                                            akin_ctx *ctx, akin_collection *c,
                                            const akin_rows *queries,
                                            const akin_find_options *options);

/* Check catalogue, codebook and index, and that they agree. AKIN_EFORMAT: the
 * message has the reason. */
AKIN_API akin_status akin_collection_check(akin_ctx *ctx,
                                           const akin_collection *c);

/* Put pictures first whose features move together from the query picture (that
 * of `file`, or, where it is NULL, of row `query`) to theirs, the more these
 * add to the score, the earlier. The others stay in their order. `rows` and
 * `scores` are of a search, n of them; `agreeing` (may be NULL) gets how many
 * features move together: 0 where it may be by chance. */
AKIN_API akin_status akin_collection_verify(int64_t *rows, double *scores,
                                            int64_t *agreeing, akin_ctx *ctx,
                                            akin_collection *c,
                                            const char *file, int64_t query,
                                            int64_t n);

/* ---- labels for new items -------------------------------------------------
 */

typedef struct akin_tag {
    char *label;  /* NULL: the end of a list */
    double score; /* 0 to 1: its share of the votes */
} akin_tag;

/* The labels of the k labelled items nearest to `query`, one raw row, best
 * first; a nearer one counts more. No labels: none of the items that were found
 * has one. */
AKIN_API akin_status akin_collection_tag(akin_tag **tags, int64_t *n,
                                         akin_ctx *ctx, akin_collection *c,
                                         const akin_rows *query, int64_t k);
AKIN_API void akin_tags_free(akin_tag *tags);

/* ---- duplicates -----------------------------------------------------------
 */

/* An item of a group of items that are the same, or nearly. */
typedef struct akin_duplicate {
    int64_t group, row;
    int64_t same; /* 1: an earlier item has the same content */
    double score; /* the largest with an item of the group */
} akin_duplicate;

/* All groups of two items or more, each once, by row. Items are nearly the same
 * from a score of `at_least` on; 0: as suits its features. A score is the
 * cosine of counts under the measure without learning; of dense rows it is 1
 * minus their distance in units of the columns' standard deviations, divided by
 * the root of twice the number of columns. Free with akin_free. */
AKIN_API akin_status akin_collection_duplicates(akin_duplicate **out,
                                                int64_t *n, akin_ctx *ctx,
                                                akin_collection *c,
                                                double at_least);

/* ---- why two items are alike ----------------------------------------------
 */

/* Items i and j as the collection compares them, for akin_model_score,
 * akin_model_explain and akin_model_explain_pairs: a row each, prepared, with
 * the names of their columns, and the model, borrowed until the collection is
 * refreshed or closed. */
AKIN_API akin_status akin_collection_pair(akin_rows **left, akin_rows **right,
                                          const akin_model **model,
                                          akin_ctx *ctx, akin_collection *c,
                                          int64_t i, int64_t j);

/* The same of a query from outside, one raw row, and item j. */
AKIN_API akin_status akin_collection_pair_row(
    akin_rows **left, akin_rows **right, const akin_model **model,
    akin_ctx *ctx, akin_collection *c, const akin_rows *query, int64_t j);

/* ---- why two pictures are alike ------------------------------------------ */

/* Two features, one of each picture, that are the same word. */
typedef struct akin_match {
    int64_t word;
    double contribution; /* its share of what the word adds to the score */
    double left[3];      /* x, y, size: pixels of the pictures as described */
    double right[3];
    int64_t agrees; /* 1: its motion agrees with most of the others */
} akin_match;

/* All matches of pictures i and j, largest contribution first, under `model`;
 * NULL: the model of the collection. Free with akin_free. */
AKIN_API akin_status akin_collection_match(akin_match **out, int64_t *n,
                                           double *score, akin_ctx *ctx,
                                           akin_collection *c,
                                           const akin_model *model, int64_t i,
                                           int64_t j);
/* The same of a picture in a file and item j, under the model of the
 * collection; `width` and `height` are those of the picture as described. */
AKIN_API akin_status akin_collection_match_file(akin_match **out, int64_t *n,
                                                double *score, int64_t *width,
                                                int64_t *height, akin_ctx *ctx,
                                                akin_collection *c,
                                                const char *file, int64_t j);
/* Draw both pictures side by side with the first n matches, their names, the
 * score and a legend, 800 pixels wide or more: as PNG if the path has that
 * extension, otherwise as SVG. */
AKIN_API akin_status akin_collection_draw(akin_ctx *ctx, akin_collection *c,
                                          int64_t i, int64_t j,
                                          const akin_match *matches, int64_t n,
                                          double score, const char *path);

#ifdef __cplusplus
}
#endif
#endif
