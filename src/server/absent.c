/* In place of all other files here, in a build without the server. */
#include "server/serve.h"

akin_status serve_run(app *a, const serve_options *o)
{
    (void)o;
    return app_fail(a, AKIN_EABSENT,
                    "this akin was built without the server (needs "
                    "libmicrohttpd and collections)");
}
