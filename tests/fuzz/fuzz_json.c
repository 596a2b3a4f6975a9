/* Any bytes as the body of a request to akin serve. The first byte says for
 * which of the routes that take JSON. */
#include "fuzz.h"
#include "served.h"

static const char *const paths[] = {
    "collections/vectors/search",
    "collections/vectors/feedback",
    "collections/vectors/learn",
    "collections/vectors/items",
    "collections/vectors/items/0/explain",
    "collections/vectors/versions/0",
    "collections/documents/search",
    "collections/documents/feedback",
    "collections/documents/learn",
    "collections/documents/items",
    "collections/documents/items/0/explain",
    "session",
};
enum { N_PATHS = sizeof paths / sizeof *paths };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static char text[1 << 16];
    if (n < 2 || n > sizeof text / 2)
        return 0;
    have_server();
    const int head = snprintf(
        text, sizeof text,
        "POST /api/v1/%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
        paths[data[0] % N_PATHS], n - 1);
    memcpy(text + head, data + 1, n - 1);
    converse((const uint8_t *)text, (size_t)head + n - 1);
    must(check_answers() >= 200, "no answer");
    return 0;
}
