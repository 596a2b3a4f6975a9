/* server/handlers/answers.h - what several handlers answer, as JSON. */
#ifndef SERVER_ANSWERS_H
#define SERVER_ANSWERS_H

#include <akin/versions.h>
#include <jansson.h>

/* An item; `row` is its place among the items. */
json_t *answer_item(const akin_item *item, int64_t row);
json_t *answer_version(const akin_version_info *v);

#endif
