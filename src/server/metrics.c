#include "server/metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/routes.h"
#include "server/server.h"

/* Upper ends in seconds. */
static const double buckets[METRIC_BUCKETS - 1] = {
    0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0};

void metrics_count(metrics *m, const request *r, double seconds)
{
    const int64_t k = r->route ? r->route - route_at(0) : METRIC_ROUTES - 1;
    struct route_metrics *x = &m->routes[k];
    int b = 0;
    while (b < METRIC_BUCKETS - 1 && seconds > buckets[b])
        ++b;
    ++x->in_bucket[b];
    ++x->by_class[r->answer.status / 100 < 6 ? r->answer.status / 100 : 5];
    x->seconds += seconds;
}

/* Prometheus wants all samples of a metric together. */
static void put_counts(FILE *f, const struct route_metrics *x, const route *t)
{
    const char *method = t ? t->method : "-", *path = t ? t->path : "other";
    for (int i = 0; i < 6; ++i)
        if (x->by_class[i] > 0)
            fprintf(f,
                    "akin_requests_total{method=\"%s\",route=\"%s\",status="
                    "\"%dxx\"} %" PRId64 "\n",
                    method, path, i, x->by_class[i]);
}

static void put_seconds(FILE *f, const struct route_metrics *x, const route *t)
{
    const char *method = t ? t->method : "-", *path = t ? t->path : "other";
    int64_t total = 0, below = 0;
    for (int b = 0; b < METRIC_BUCKETS; ++b)
        total += x->in_bucket[b];
    if (total == 0)
        return;
    for (int b = 0; b < METRIC_BUCKETS - 1; ++b) {
        below += x->in_bucket[b];
        fprintf(f,
                "akin_request_seconds_bucket{method=\"%s\",route=\"%s\",le="
                "\"%g\"} %" PRId64 "\n",
                method, path, buckets[b], below);
    }
    fprintf(f,
            "akin_request_seconds_bucket{method=\"%s\",route=\"%s\",le="
            "\"+Inf\"} %" PRId64 "\n",
            method, path, total);
    fprintf(f,
            "akin_request_seconds_sum{method=\"%s\",route=\"%s\"} %.6f\n"
            "akin_request_seconds_count{method=\"%s\",route=\"%s\"} %" PRId64
            "\n",
            method, path, x->seconds, method, path, total);
}

static void put_routes(FILE *f, const metrics *m,
                       void (*put)(FILE *f, const struct route_metrics *x,
                                   const route *t))
{
    for (int64_t i = 0; route_at(i) != NULL; ++i)
        put(f, &m->routes[i], route_at(i));
    put(f, &m->routes[METRIC_ROUTES - 1], NULL);
}

/* Resident memory in bytes, as the kernel says; 0: unknown. */
static int64_t resident(void)
{
    int64_t pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (f == NULL)
        return 0;
    if (fscanf(f, "%*s %" SCNd64, &pages) != 1)
        pages = 0;
    fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

char *metrics_text(server *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return NULL;
    pthread_mutex_lock(&s->peers.lock);
    const int64_t connections = s->peers.n, slow = s->peers.n_shut;
    pthread_mutex_unlock(&s->peers.lock);
    fprintf(f, "# HELP akin_requests_total Requests that were answered.\n"
               "# TYPE akin_requests_total counter\n");
    put_routes(f, &s->metrics, put_counts);
    fprintf(f, "# HELP akin_request_seconds From the request to the last byte "
               "of its answer.\n"
               "# TYPE akin_request_seconds histogram\n");
    put_routes(f, &s->metrics, put_seconds);
    fprintf(f,
            "# TYPE akin_connections gauge\nakin_connections %" PRId64
            "\n# TYPE akin_slow_connections_total counter\n"
            "akin_slow_connections_total %" PRId64
            "\n# TYPE akin_events_total counter\nakin_events_total %" PRId64
            "\n# TYPE akin_event_groups_total counter\n"
            "akin_event_groups_total %" PRId64
            "\n# TYPE akin_resident_bytes gauge\nakin_resident_bytes %" PRId64
            "\n",
            connections, slow, (int64_t)s->writer.n_events,
            (int64_t)s->writer.n_groups, resident());
    fclose(f);
    return text;
}
