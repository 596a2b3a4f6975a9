/* server/handlers/captions.h - the names of a caption, and corrections of them.
 * Places in a caption are counted in characters (code points), not bytes: each
 * language has its own strings, and all can count these. */
#ifndef SERVER_CAPTIONS_H
#define SERVER_CAPTIONS_H

#include "server/handlers/review.h"

/* The persons that the caption of a photo names, and where. */
akin_status captions_names(json_t **out, akin_ctx *ctx, const reviewing *x,
                           int64_t photo);
/* Photo and place of an answer that corrects a caption. False: the reply says
 * what is wrong. */
bool captions_take(request *r, worker *w, served *s, const json_t *body,
                   akin_answer *x);

#endif
