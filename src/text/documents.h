/* text/documents.h - documents one after the other: the files of a folder, the
 * records of a csv file, the lines of a JSON lines file. */
#ifndef AK_TEXT_DOCUMENTS_H
#define AK_TEXT_DOCUMENTS_H

#include <akin/text.h>

#include "text/text.h"

typedef struct ak_documents ak_documents;

/* `path`, `o` and `warnings` are borrowed. EINVAL: `path` is neither of these.
 */
akin_status ak_documents_open(ak_documents **out, akin_ctx *ctx,
                              const char *path, const akin_text_options *o,
                              ak_warnings *warnings);
/* From now on labels keep blanks and other characters that files of rows cannot
 * hold. */
void ak_documents_any_labels(ak_documents *d);
/* The next document, borrowed until the call after it; NULL at the end. Its
 * name is its path below the folder, or the cell of the column `id`, `name`,
 * `title` or `key`; without one FILE:N, with its number from 0. */
akin_status ak_documents_next(ak_documents *d, akin_ctx *ctx,
                              const ak_text **text);
/* Its text piece by piece, borrowed until the next call; `*n` is 0 at the end.
 * A file that cannot be read gets a warning, and `*lost` becomes true. */
akin_status ak_documents_piece(ak_documents *d, akin_ctx *ctx,
                               const char **piece, size_t *n, bool *lost);
void ak_documents_close(ak_documents *d);

#endif
