#include "server/openapi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/json.h"
#include "server/openapi_schemas.h"
#include "server/routes.h"

static json_t *schemas(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof openapi_schemas / sizeof *openapi_schemas;
         ++i)
        fputs(openapi_schemas[i], f);
    fclose(f);
    json_t *o = json_loads(text, 0, NULL);
    free(text);
    return o;
}

/* "integer[]" is an array of whole numbers. */
static json_t *type_of(const char *type)
{
    char name[32];
    const size_t n = strcspn(type, "[");
    snprintf(name, sizeof name, "%.*s", (int)n, type);
    if (type[n] == '\0')
        return json_pack("{s:s}", "type", name);
    return json_pack("{s:s,s:{s:s}}", "type", "array", "items", "type", name);
}

static json_t *parameter(const char *name, const char *in, const char *type,
                         const char *text)
{
    json_t *o = json_pack("{s:s,s:s,s:b,s:o}", "name", name, "in", in,
                          "required", strcmp(in, "path") == 0, "schema",
                          type_of(type));
    if (text != NULL)
        json_object_set_new(o, "description", json_string(text));
    return o;
}

static json_t *parameters_of(const route *t)
{
    json_t *all = json_array();
    char name[32];
    if (strstr(t->path, "{collection}") != NULL)
        json_array_append_new(all,
                              parameter("collection", "path", "string", NULL));
    if (strstr(t->path, "{id}") != NULL)
        json_array_append_new(all, parameter("id", "path", "integer", NULL));
    for (const char *at = t->arguments; *at != '\0';) {
        const size_t n = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)n, at);
        json_array_append_new(all, parameter(name, "query", argument_type(name),
                                             argument_text(name)));
        at += n + (at[n] == ' ');
    }
    return all;
}

static json_t *schema_ref(const char *name)
{
    char ref[96];
    snprintf(ref, sizeof ref, "#/components/schemas/%s", name);
    return json_pack("{s:{s:{s:s}}}", "application/json", "schema", "$ref",
                     ref);
}

/* A schema, or bytes of a content type. */
static json_t *content_of(const char *answer)
{
    if (strchr(answer, '/') == NULL)
        return schema_ref(answer);
    return json_pack("{s:{s:{s:s}}}", answer, "schema", "type", "string");
}

static json_t *body_of(const route *t)
{
    const bool json = strcmp(t->body, "json") == 0;
    return json_pack("{s:b,s:{s:{s:{s:s}}}}", "required", 1, "content",
                     json ? "application/json" : "application/octet-stream",
                     "schema", "type", json ? "object" : "string");
}

static json_t *operation(const route *t)
{
    json_t *o = json_pack("{s:s,s:o,s:{s:{s:s,s:o},s:{s:s,s:o}}}", "summary",
                          t->text, "parameters", parameters_of(t), "responses",
                          "200", "description", "done", "content",
                          content_of(t->answer), "default", "description",
                          "what is wrong", "content", schema_ref("Error"));
    if (t->body[0] != '\0')
        json_object_set_new(o, "requestBody", body_of(t));
    return o;
}

static json_t *paths(void)
{
    json_t *all = json_object();
    char method[8];
    for (int64_t i = 0; route_at(i) != NULL; ++i) {
        const route *t = route_at(i);
        json_t *path = json_object_get(all, t->path);
        if (path == NULL) {
            path = json_object();
            json_object_set_new(all, t->path, path);
        }
        snprintf(method, sizeof method, "%s", t->method);
        for (char *c = method; *c != '\0'; ++c)
            *c = (char)(*c | 0x20);
        json_object_set_new(path, method, operation(t));
    }
    return all;
}

json_t *openapi_json(void)
{
    return json_pack("{s:s,s:{s:s,s:s},s:o,s:{s:o,s:{s:{s:s,s:s}}}}", "openapi",
                     "3.0.3", "info", "title", "akin serve", "version",
                     AKIN_VERSION, "paths", paths(), "components", "schemas",
                     schemas(), "securitySchemes", "token", "type", "http",
                     "scheme", "bearer");
}
