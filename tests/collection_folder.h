/* tests/collection_folder.h - the folder of a collection, for all tests of a
 * group. */
#ifndef AKIN_TESTS_COLLECTION_FOLDER_H
#define AKIN_TESTS_COLLECTION_FOLDER_H

#include "text_files.h"

static char collection[128];

static int collection_begin(void **state)
{
    (void)state;
    if (text_begin() != 0)
        return -1;
    snprintf(collection, sizeof collection, "%s", text_path("c"));
    return 0;
}

static int collection_end(void **state)
{
    (void)state;
    return text_end();
}

#endif
