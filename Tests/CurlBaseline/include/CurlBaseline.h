// A client in plain C on libcurl: what the benchmarks compare with. One thread, handles reused, options set once.
#ifndef NETWORKKIT_CURL_BASELINE_H
#define NETWORKKIT_CURL_BASELINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __linux__

/// A client with connections of its own. Used by one thread at a time.
typedef struct curl_baseline curl_baseline;

/// When a run ends, whichever comes first.
typedef struct {
    size_t requests;
    double seconds;
} curl_baseline_bounds;

/// What a run did. `code` is libcurl's code of the first failure, or 0; -1 stands for a status other than 200.
typedef struct {
    size_t requests;
    uint64_t bytes;
    double seconds;
    int code;
} curl_baseline_run;

/// A client; NULL without memory.
///
/// - Parameters:
///   - authority: a file of certificates to trust, or NULL; with one, HTTP/2 is offered.
///   - big: whether bodies are big, so that libcurl is given buffers of half a megabyte.
curl_baseline *curl_baseline_open(const char *authority, int big);
void curl_baseline_close(curl_baseline *client);

/// GETs one after another on one easy handle. Writes each one's nanoseconds to `latencies`, which has room for all.
curl_baseline_run curl_baseline_sequential(
    curl_baseline *client, const char *url, curl_baseline_bounds bounds, uint64_t *latencies);

/// GETs with so many in flight, through curl_multi_poll.
curl_baseline_run curl_baseline_concurrent(
    curl_baseline *client, const char *url, size_t in_flight, curl_baseline_bounds bounds, uint64_t *latencies);

/// GETs whose body is gathered in memory of its length. `use`, when there is one, is given each body.
curl_baseline_run curl_baseline_buffered(
    curl_baseline *client, const char *url, curl_baseline_bounds bounds, uint64_t *latencies,
    void (*use)(const void *bytes, size_t count));

/// GETs whose body goes to a file, which each begins anew.
curl_baseline_run curl_baseline_download(
    curl_baseline *client, const char *url, const char *path, curl_baseline_bounds bounds, uint64_t *latencies);

/// PUTs of bytes from memory.
curl_baseline_run curl_baseline_upload(
    curl_baseline *client, const char *url, const void *bytes, size_t count, curl_baseline_bounds bounds, uint64_t *latencies);

/// PUTs of a file, read as it is sent.
curl_baseline_run curl_baseline_upload_file(
    curl_baseline *client, const char *url, const char *path, curl_baseline_bounds bounds, uint64_t *latencies);

#endif
#endif
