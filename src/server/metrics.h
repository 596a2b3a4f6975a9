/* server/metrics.h - figures for Prometheus. */
#ifndef SERVER_METRICS_H
#define SERVER_METRICS_H

#include "server/request.h"

enum { METRIC_ROUTES = 64, METRIC_BUCKETS = 12 };

/* Of the thread that reads requests. */
typedef struct metrics {
    struct route_metrics {
        int64_t by_class[6];  // 2: answers 200 to 299
        int64_t in_bucket[METRIC_BUCKETS];
        double seconds;
    } routes[METRIC_ROUTES];  // the last: no route
} metrics;

void metrics_count(metrics *m, const request *r, double seconds);
/* As text; free() */
char *metrics_text(struct server *s);

#endif
