/* SHA-256 against the values that the standard and others give. */
#include "helpers/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void check(const char *text, size_t n, const char *expected)
{
    char have[AK_SHA256_TEXT];
    ak_sha256(text, n, have);
    assert_string_equal(have, expected);
}

static void known_messages(void **state)
{
    (void)state;
    check("", 0,
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", 3,
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

/* The length goes into the last block from 56 bytes on. */
static void million_bytes_span_many_blocks(void **state)
{
    char *a = malloc(1000000);
    (void)state;
    assert_non_null(a);
    memset(a, 'a', 1000000);
    check(a, 1000000,
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    check(a, 55,
          "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    check(a, 64,
          "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_messages),
        cmocka_unit_test(million_bytes_span_many_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
