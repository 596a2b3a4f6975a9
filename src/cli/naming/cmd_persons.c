/* akin persons: who is named in captions. */
#include <akin/collection.h>
#include <akin/mentions.h>
#include <akin/persons.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"

typedef struct own_flags {
    const char *captions, *out, *model, *aliases, *learn;
} own_flags;

typedef struct persons_flags {
    own_flags own;
    akin_tagger_options learning;
} persons_flags;

static const app_option own_options[] = {
    {"CAPTIONS", NULL, APP_FIELD(own_flags, captions),
     .help = "csv with a header photo,caption or photo,names (separated by "
             "';'), JSON lines with these keys, a folder with a .txt beside "
             "each picture, or a .txt with a caption in each line; - is "
             "standard input",
     .flags = APP_ARGUMENT},
    {"out", "FILE", APP_FIELD(own_flags, out),
     .help = "csv, photo,name,mention,start,end,in_picture,position,"
             "probability, a line for each mention; without it standard "
             "output; with --learn the tagger (without it, that of the "
             "collection)",
     .flags = APP_OUTPUT},
    {"model", "FILE", APP_FIELD(own_flags, model),
     .help = "a tagger of --learn instead of the one that comes with akin",
     .excludes = "learn"},
    {"aliases", "FILE", APP_FIELD(own_flags, aliases),
     .help = "other names of persons: csv with a header alias,name",
     .excludes = "learn"},
    {"learn", "FILE", APP_FIELD(own_flags, learn),
     .help = "learn a tagger from labelled captions: JSON lines with the keys "
             "caption and names, and in each name mentions and in_picture; or "
             "from the captions of a collection of faces that a person "
             "corrected, beside those of the tagger that comes with akin",
     .excludes = "CAPTIONS"},
};

static const app_group own_group =
    APP_GROUP("Captions", own_options, (&(const own_flags){0}));

static const akin_tagger_options standard = AKIN_TAGGER_DEFAULTS;

static const app_option learning_options[] = {
    {"lists", "DIR", APP_FIELD(akin_tagger_options, lists),
     .help = "word lists, KIND.txt; without it those of the tagger that comes "
             "with akin",
     .needs = "learn", .advanced = true},
    {"passes", "N", APP_FIELD(akin_tagger_options, passes),
     .help = "passes over the captions", .min = 1, .max = 1000,
     .needs = "learn", .advanced = true},
};

static const app_group learning_group =
    APP_GROUP("Learning", learning_options, &standard);

static const char *const in_picture[] = {"yes", "no", "credit"};

/* ---- csv ----------------------------------------------------------------- */

/* The bytes of a mention, control characters as blanks. */
static char *mention_text(const char *caption, size_t start, size_t end)
{
    char *text = malloc(end - start + 1);
    if (text == NULL)
        return NULL;
    memcpy(text, caption + start, end - start);
    text[end - start] = '\0';
    for (size_t k = 0; k < end - start; ++k)
        if ((unsigned char)text[k] < ' ' || text[k] == 0x7f)
            text[k] = ' ';
    return text;
}

/* As JSON has it, with U+FFFD for what is not UTF-8: the name of a file, or a
 * damaged caption. */
static void put_cell(FILE *to, const char *text)
{
    json_t *utf8 = app_json_string(text);
    app_csv_cell(to, utf8 != NULL ? json_string_value(utf8) : "");
    json_decref(utf8);
}

static void put_mention(FILE *to, const akin_captions *c, int64_t photo,
                        int64_t i, int64_t k)
{
    const akin_persons *p = akin_captions_persons(c, photo);
    size_t start, end;
    akin_persons_mention(&start, &end, p, i, k);
    char *text = mention_text(akin_captions_text(NULL, c, photo), start, end);
    put_cell(to, akin_captions_photo(c, photo));
    putc(',', to);
    app_csv_cell(to, akin_persons_name(p, i));
    putc(',', to);
    put_cell(to, text != NULL ? text : "");
    fprintf(to, ",%zu,%zu,%s,", start, end,
            in_picture[akin_persons_presence(p, i)]);
    app_csv_cell(to, akin_persons_position(NULL, p, i));
    fprintf(to, ",%.4f\n", akin_persons_probability(p, i));
    free(text);
}

static akin_status write_csv(app *a, const akin_captions *c, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    akin_status st = AKIN_OK;
    if (to == NULL)
        return app_fail(a, AKIN_ENOMEM, "out of memory");
    fputs("photo,name,mention,start,end,in_picture,position,probability\n", to);
    for (int64_t photo = 0; photo < akin_captions_count(c); ++photo) {
        const akin_persons *p = akin_captions_persons(c, photo);
        for (int64_t i = 0; i < akin_persons_count(p); ++i)
            for (int64_t k = 0; k < akin_persons_mention_count(p, i); ++k)
                put_mention(to, c, photo, i, k);
    }
    if (fclose(to) != 0)
        st = app_fail(a, AKIN_ENOMEM, "out of memory");
    if (st == AKIN_OK)
        st = akin_output_write(a->ctx, path, text);
    free(text);
    return st;
}

/* ---- the report ---------------------------------------------------------- */

static json_t *mentions_json(const akin_captions *c, int64_t photo, int64_t i)
{
    const akin_persons *p = akin_captions_persons(c, photo);
    json_t *list = json_array();
    for (int64_t k = 0; k < akin_persons_mention_count(p, i); ++k) {
        size_t start, end;
        akin_persons_mention(&start, &end, p, i, k);
        char *text =
            mention_text(akin_captions_text(NULL, c, photo), start, end);
        json_array_append_new(
            list, APP_OBJECT(APP_KEY("mention", app_json_string(text)),
                             APP_KEY("start", (int64_t)start),
                             APP_KEY("end", (int64_t)end)));
        free(text);
    }
    return list;
}

/* As labelled captions have it. */
static json_t *presence_json(akin_presence presence)
{
    return presence == AKIN_CREDITED ? json_string("credit")
                                     : json_boolean(presence == AKIN_PICTURED);
}

static json_t *person_json(const akin_captions *c, int64_t photo, int64_t i)
{
    const akin_persons *p = akin_captions_persons(c, photo);
    const char *position = akin_persons_position(NULL, p, i);
    return APP_OBJECT(
        APP_KEY("name", akin_persons_name(p, i)),
        APP_KEY("in_picture", presence_json(akin_persons_presence(p, i))),
        APP_KEY("position", *position ? position : NULL),
        APP_KEY("probability", akin_persons_probability(p, i)),
        APP_KEY("in_picture_probability",
                akin_persons_presence_probability(p, i, AKIN_PICTURED)),
        APP_KEY("mentions", mentions_json(c, photo, i)));
}

static json_t *captions_json(const akin_captions *c)
{
    json_t *list = json_array();
    for (int64_t photo = 0; photo < akin_captions_count(c); ++photo) {
        const akin_persons *p = akin_captions_persons(c, photo);
        json_t *persons = json_array();
        for (int64_t i = 0; i < akin_persons_count(p); ++i)
            json_array_append_new(persons, person_json(c, photo, i));
        json_array_append_new(
            list,
            APP_OBJECT(APP_KEY("photo",
                               app_json_string(akin_captions_photo(c, photo))),
                       APP_KEY("persons", persons)));
    }
    return list;
}

static int64_t count_persons(const akin_captions *c, akin_presence presence)
{
    int64_t n = 0;
    for (int64_t photo = 0; photo < akin_captions_count(c); ++photo) {
        const akin_persons *p = akin_captions_persons(c, photo);
        for (int64_t i = 0; i < akin_persons_count(p); ++i)
            n += akin_persons_presence(p, i) == presence;
    }
    return n;
}

static akin_status report(app *a, const akin_captions *c,
                          const persons_flags *f, double seconds)
{
    const int64_t n = akin_captions_count(c);
    const int64_t seen = count_persons(c, AKIN_PICTURED),
                  named = count_persons(c, AKIN_MENTIONED),
                  credits = count_persons(c, AKIN_CREDITED);
    if (a->common.json) {
        json_t *all = APP_OBJECT(
            APP_KEY("photos", n), APP_KEY("persons", seen + named + credits),
            APP_KEY("pictured", seen), APP_KEY("mentioned", named),
            APP_KEY("credits", credits), APP_KEY("seconds", seconds),
            APP_KEY("captions", captions_json(c)));
        app_json_add_text(all, "out", f->own.out);
        return app_json_print(a, all);
    }
    if (f->own.out == NULL)
        return AKIN_OK;
    return app_report(a,
                      "%s: %s, %s: %s in the picture, %s mentioned only, %s\n",
                      app_shown(f->own.out), app_counted(n, "caption").text,
                      app_counted(seen + named + credits, "person").text,
                      app_count(seen).text, app_count(named).text,
                      app_counted(credits, "credit").text);
}

/* ---- learning ------------------------------------------------------------ */

static akin_status report_learned(app *a, const persons_flags *f,
                                  const akin_tagger_info *info, double seconds)
{
    const char *out = f->own.out ? f->own.out : f->own.learn;
    if (a->common.json)
        return app_json_print(
            a, APP_OBJECT(APP_KEY("captions", info->captions),
                          APP_KEY("persons", info->persons),
                          APP_KEY("unmatched", info->unmatched),
                          APP_KEY("accuracy", info->accuracy),
                          APP_KEY("seconds", seconds), APP_KEY("model", out)));
    return app_report(a,
                      "%s: %s with %s; %s of the mentions are found in "
                      "captions held out\n",
                      app_shown(out),
                      app_counted(info->captions, "caption").text,
                      app_counted(info->persons, "person").text,
                      app_percent(info->accuracy).text);
}

/* Of a collection: errors by cross-validation. */
static akin_status report_corrected(app *a, const persons_flags *f,
                                    const akin_tagger_info *info,
                                    double seconds)
{
    const char *out = f->own.out ? f->own.out : f->own.learn;
    if (a->common.json)
        return app_json_print(
            a, APP_OBJECT(APP_KEY("captions", info->captions),
                          APP_KEY("persons", info->persons),
                          APP_KEY("unmatched", info->unmatched),
                          APP_KEY("share", info->share),
                          APP_KEY("errors", info->errors),
                          APP_KEY("errors_before", info->errors_before),
                          APP_KEY("own_errors", info->own_errors),
                          APP_KEY("own_errors_before", info->own_errors_before),
                          APP_KEY("seconds", seconds), APP_KEY("model", out)));
    if (info->share <= 0.0)
        return app_report(a,
                          "%s: %s corrected; the default tagger is kept, a "
                          "learned one is not better\n",
                          app_shown(out),
                          app_counted(info->captions, "caption").text);
    return app_report(
        a,
        "%s: %s corrected; held out, %s in them (before: %s), %s in those of "
        "the default tagger (before: %s)\n",
        app_shown(out), app_counted(info->captions, "caption").text,
        app_counted(info->errors, "error").text,
        app_count(info->errors_before).text,
        app_counted(info->own_errors, "error").text,
        app_count(info->own_errors_before).text);
}

/* Where it goes: a file, or the collection that it was learned from. */
static akin_status store(app *a, const persons_flags *f,
                         const akin_tagger *tagger,
                         const akin_tagger_info *info)
{
    if (f->own.out != NULL)
        return akin_tagger_save(a->ctx, tagger, f->own.out);
    return akin_faces_use_tagger(a->ctx, f->own.learn,
                                 info->share > 0.0 ? tagger : NULL);
}

static akin_status learn(app *a, const persons_flags *f)
{
    const bool corrected = akin_collection_is(f->own.learn);
    akin_tagger *tagger = NULL;
    akin_tagger_info info;
    akin_status st = AKIN_OK;
    const double start = app_now();
    if (!corrected && f->own.out == NULL)
        return app_fail(a, AKIN_EINVAL, "--learn needs --out FILE");
    APP_TRY((corrected ? akin_faces_learn_tagger : akin_tagger_learn)(
        &tagger, a->ctx, f->own.learn, &f->learning, &info));
    APP_TRY(store(a, f, tagger, &info));
    if (info.unmatched > 0)
        app_remark(a, "%s not whole words of their caption",
                   app_counted(info.unmatched, "mention").text);
    st = (corrected ? report_corrected : report_learned)(a, f, &info,
                                                         app_now() - start);
done:
    akin_tagger_free(tagger);
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const persons_flags *f = flags;
    akin_tagger *tagger = NULL;
    akin_captions *captions = NULL;
    akin_status st = AKIN_OK;
    if (f->own.learn != NULL)
        return learn(a, f);
    APP_TRY(f->own.model != NULL
                ? akin_tagger_load(&tagger, a->ctx, f->own.model)
                : akin_tagger_default(&tagger, a->ctx));
    if (f->own.aliases != NULL)
        APP_TRY(akin_tagger_add_aliases(a->ctx, tagger, f->own.aliases));
    const double start = app_now();
    APP_TRY(akin_captions_read(&captions, a->ctx, tagger, f->own.captions));
    const double seconds = app_now() - start;
    if (f->own.out != NULL || !a->common.json)
        APP_TRY(write_csv(a, captions, f->own.out != NULL ? f->own.out : "-"));
    APP_TRY(report(a, captions, f, seconds));
done:
    akin_captions_free(captions);
    akin_tagger_free(tagger);
    return st;
}

const app_command cmd_persons = {
    .name = "persons",
    .section = "collections",
    .summary = "who is named in captions, and who of them is in the picture",
    .about =
        "Find the persons that captions name, their fullest names, whether "
        "they are in the picture, and where the caption says they are. A name "
        "has no titles; shorter forms, couples and children are put together "
        "with the full name that the same caption has.\n"
        "English first; German, French and Spanish captions work too. Names in "
        "other scripts come from a list: a csv with the columns photo and "
        "names.\n"
        "--learn makes a tagger from captions of your own that are labelled, "
        "or from those that a person corrected in akin serve; a collection "
        "then uses its own tagger.",
    .examples = "akin persons captions.csv --out persons.csv\n"
                "echo 'Ann Lee (L) greets Bob Roe.' | akin persons -\n"
                "akin persons captions.csv --aliases aliases.csv --json\n"
                "akin persons --learn labelled.jsonl --out tagger.safetensors\n"
                "akin persons --learn faces.akin\n"
                "akin persons captions.csv --model tagger.safetensors --out "
                "persons.csv",
    .needs = "CAPTIONS|learn",
    .size = sizeof(persons_flags),
    APP_PARTS({&own_group, offsetof(persons_flags, own)},
              {&learning_group, offsetof(persons_flags, learning)}),
    .run = run,
};
