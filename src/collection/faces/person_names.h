/* collection/faces/person_names.h - the names of one person, however they are
 * written, and where a text has them. Capitals, accents, marks and blanks make
 * no difference. */
#ifndef AK_COLLECTION_FACES_PERSON_NAMES_H
#define AK_COLLECTION_FACES_PERSON_NAMES_H

#include <akin/persons.h>

#include "base/ctx.h"

/* Folded words, with one blank between them. */
typedef struct ak_name_keys {
    char **all;
    int64_t n, room;
} ak_name_keys;

/* All zero to begin with. */
typedef struct ak_person_names {
    ak_name_keys names;   // whole names
    ak_name_keys parts;   // family name, given name: what stands for a name
    ak_name_keys others;  // of other persons, that have one of `names` in them
} ak_person_names;

/* What stands in a caption for a name that was removed. */
extern const char ak_person_gone[];

/* Another name of the person; one without letters is not added. */
akin_status ak_person_names_add(ak_person_names *p, akin_ctx *ctx,
                                const char *name);
/* Another text that stands for the person, as a whole only. */
akin_status ak_person_names_alias(ak_person_names *p, akin_ctx *ctx,
                                  const char *alias);
/* A name that somebody else may have: John Smith Jr. is not John Smith. */
akin_status ak_person_names_other(ak_person_names *p, akin_ctx *ctx,
                                  const char *name);
void ak_person_names_free(ak_person_names *p);

/* Is a line of the text one of the names, or of the parts? */
bool ak_person_is(const ak_person_names *p, const char *text, size_t n);
bool ak_person_is_part(const ak_person_names *p, const char *text, size_t n);
/* Has the text one of the names anywhere? A name of one word needs a capital
 * letter. Texts may touch each other, as they do in files. */
bool ak_person_in(const ak_person_names *p, const char *text, size_t n);
/* The same of bytes that may be anything: a name of one word that is so short
 * that it occurs by chance is not looked for. */
bool ak_person_in_bytes(const ak_person_names *p, const char *bytes, size_t n);

/* The caption of a photo. */
typedef struct ak_person_caption {
    const char *text;
    const char *const *kept;  // names of other persons of the photo
    int64_t n_kept;
    const char *const *forms;  // other texts that stand for the person here
    int64_t n_forms;
    bool is_here;  // parts of the name alone are this person too
} ak_person_caption;

/* The caption without the person: whole names, what the tagger takes for a
 * mention of the person, and parts of the name that are in no name of somebody
 * else. *out NULL: the caption has nothing of it. `places` (or NULL) gets where
 * each byte of the caption is in *out, -1: gone. Free both with akin_free. */
akin_status ak_person_blank(char **out, int32_t **places, akin_ctx *ctx,
                            const ak_person_names *p, const akin_tagger *tagger,
                            const ak_person_caption *caption);

#endif
