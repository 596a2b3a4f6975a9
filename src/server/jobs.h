/* server/jobs.h - long work, one after the other in a thread of its own. */
#ifndef SERVER_JOBS_H
#define SERVER_JOBS_H

#include <stdatomic.h>

#include "server/pool.h"
#include "server/request.h"

typedef enum {
    JOB_LEARN,
    JOB_LEARN_IF_DUE,
    JOB_ADD_FILES,
    JOB_ADD_VECTOR,
    JOB_REMOVE,
    JOB_REVIEW,
    JOB_TAGGER
} job_kind;
typedef enum {
    JOB_WAITS,
    JOB_RUNS,
    JOB_DONE,
    JOB_FAILED,
    JOB_CANCELLED
} job_state;

enum { JOBS_KEPT = 100, JOB_ARGUMENT = 128 };

typedef struct server_job {
    int64_t number;
    job_kind kind;
    served *c;
    char argument[JOB_ARGUMENT];  // a learner, the id or the name of an item
    akin_rows *row;               // of a vector to add; NULL: none
    char **files;                 // to add, where they are
    int64_t n_files;
    job_state state;
    bool hidden;    // until it turns out that there is work to do
    char what[32];  // runs: "triplets"
    int64_t done, total;
    double begun, ended, told;  // seconds; when its progress was told last
    char error[APP_MESSAGE_SIZE];
    json_t *result;  // NULL: none
    int64_t changes;
    atomic_bool cancel;
    struct server_job *next;
} server_job;

typedef struct jobs {
    struct server *s;
    pthread_mutex_t lock;
    pthread_cond_t more;
    pthread_t thread;
    akin_ctx *ctx;
    server_job *first, *last, *running;
    int64_t n, last_number;
    struct job_stream *streams;
    bool stop;
} jobs;

akin_status jobs_start(struct server *s);
/* The one that runs is cancelled. */
void jobs_stop(jobs *j);

/* The number of a new job; 0: there are too many. The row goes over; NULL: the
 * job has none. A review that waits or runs is not learned twice. One that adds
 * files has the path of one as its argument; it
 * adds all that are there when it begins, so that one that waits does for
 * several. */
int64_t jobs_add(jobs *j, job_kind kind, served *c, const char *argument,
                 akin_rows *row);
/* Events have come: see soon whether they are enough to learn. */
void jobs_learn_if_due(jobs *j, served *c);
/* NULL: there is no such job. */
json_t *jobs_one(jobs *j, int64_t number);
json_t *jobs_all(jobs *j);
/* The last one that learns in a collection; NULL: none. */
json_t *jobs_learning(jobs *j, const served *c);
/* False: there is no such job. */
bool jobs_cancel(jobs *j, int64_t number);

/* The progress of a job as server-sent events; NULL: there is no such job. */
struct MHD_Response *jobs_stream(jobs *j, request *r, int64_t number);
/* Streams that wait send a sign of life, or end when the server drains. */
void jobs_wake_streams(jobs *j);

#endif
