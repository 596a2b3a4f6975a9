/* server/handlers/handlers.h - one function for each route of routes.def. */
#ifndef SERVER_HANDLERS_H
#define SERVER_HANDLERS_H

#include "server/request.h"

#define ARGUMENT(...)
#define ROUTE(method, path, handler, ...) handler_fn handle_##handler;
#include "server/routes.def"
#undef ROUTE
#undef ARGUMENT

#endif
