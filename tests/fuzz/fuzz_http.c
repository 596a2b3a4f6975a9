/* Any bytes as what a client sends on a connection to akin serve: requests one
 * after the other, through libmicrohttpd, to the handlers. */
#include "fuzz.h"
#include "served.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    have_server();
    converse(data, n);
    check_answers();
    return 0;
}
