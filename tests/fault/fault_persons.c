/* Persons of captions: each allocation fails once. */
#include <akin/persons.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ctx.h"
#include "faulty.h"
#include "text_files.h"

static void assert_survives(akin_status (*work)(akin_ctx *ctx, void *arg))
{
    const int64_t n = faulty_run(work, NULL);
    if (n < 0)
        fail_msg("allocation %d", (int)(-1 - n));
    assert_true(n > 3);
}

static akin_status find_persons(akin_ctx *ctx, void *arg)
{
    static const char caption[] =
        "Mr. and Mrs. Otto Keller, left, with their son Tom and \"Boss\" Roe.";
    akin_tagger *tagger = NULL;
    akin_persons *p = NULL;
    akin_status st = AKIN_OK;
    (void)arg;
    AK_TRY(akin_tagger_default(&tagger, ctx));
    AK_TRY(akin_tagger_add_aliases(ctx, tagger, text_path("aliases.csv")));
    AK_TRY(akin_persons_find(&p, ctx, tagger, caption, sizeof caption - 1));
done:
    akin_persons_free(p);
    akin_tagger_free(tagger);
    return st;
}

static akin_status read_captions(akin_ctx *ctx, void *arg)
{
    static const char *const names[] = {"captions.csv", "names.csv",
                                        "captions.jsonl", "captions.txt",
                                        "captions"};
    akin_tagger *tagger = NULL;
    akin_captions *c = NULL;
    akin_status st = AKIN_OK;
    (void)arg;
    AK_TRY(akin_tagger_default(&tagger, ctx));
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        AK_TRY(akin_captions_read(&c, ctx, tagger, text_path(names[k])));
        akin_captions_free(c);
        c = NULL;
    }
done:
    akin_captions_free(c);
    akin_tagger_free(tagger);
    return st;
}

static akin_status learn(akin_ctx *ctx, void *arg)
{
    akin_tagger_options o = AKIN_TAGGER_DEFAULTS;
    akin_tagger *tagger = NULL, *again = NULL;
    akin_status st = AKIN_OK;
    char lists[128];
    (void)arg;
    snprintf(lists, sizeof lists, "%s", text_path("lists"));
    o.passes = 1;
    o.lists = lists;
    AK_TRY(
        akin_tagger_learn(&tagger, ctx, text_path("captions.jsonl"), &o, NULL));
    AK_TRY(akin_tagger_save(ctx, tagger, text_path("model")));
    AK_TRY(akin_tagger_load(&again, ctx, text_path("model")));
done:
    akin_tagger_free(tagger);
    akin_tagger_free(again);
    return st;
}

static void finding_survives(void **state)
{
    (void)state;
    assert_survives(find_persons);
}

static void reading_survives(void **state)
{
    (void)state;
    assert_survives(read_captions);
}

static void learning_survives(void **state)
{
    (void)state;
    assert_survives(learn);
}

static int make_files(void **state)
{
    static const struct {
        const char *name, *text;
    } files[] = {
        {"aliases.csv", "alias,name\nBoss Roe,Otto Roe\n"},
        {"captions.csv", "photo,caption\n1,Anna Keller waves.\n"},
        {"names.csv", "photo,names\n1,Anna Keller;Otto Roe\n"},
        {"captions.jsonl",
         "{\"photo\": \"1\", \"caption\": \"Anna Keller waves.\", \"names\": "
         "[{\"mentions\": [\"Anna Keller\"], \"in_picture\": true}]}\n"},
        {"captions.txt", "Anna Keller waves.\n"},
        {"captions/1.jpg", "picture"},
        {"captions/1.txt", "Anna Keller waves.\n"},
        {"lists/family.txt", "keller\nroe\n"},
        {"lists/given_female.more.txt", "anna\n"},
    };
    (void)state;
    if (text_begin() != 0)
        return -1;
    text_sub("captions");
    text_sub("lists");
    for (size_t k = 0; k < sizeof files / sizeof files[0]; ++k)
        text_put(files[k].name, files[k].text, strlen(files[k].text));
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    return text_end();
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(finding_survives),
        cmocka_unit_test(reading_survives),
        cmocka_unit_test(learning_survives),
    };
    return cmocka_run_group_tests(cases, make_files, remove_files);
}
