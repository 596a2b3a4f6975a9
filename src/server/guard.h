/* server/guard.h - which requests are answered at all. */
#ifndef SERVER_GUARD_H
#define SERVER_GUARD_H

#include "server/request.h"

/* Look at the request line and headers, find the route, take the arguments.
 * False: the request is refused, and the answer says why. */
bool guard_admit(request *r, const char *method, const char *url);

/* Does libmicrohttpd refuse by itself what is not quite HTTP/1.1? Version
 * 0.9.75 does not. */
bool guard_is_strict(void);

#endif
