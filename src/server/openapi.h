/* server/openapi.h - the interface, described for programs. */
#ifndef SERVER_OPENAPI_H
#define SERVER_OPENAPI_H

#include <jansson.h>

/* NULL: out of memory. */
json_t *openapi_json(void);

#endif
