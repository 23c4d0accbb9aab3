#include "CurlBaseline.h"

#ifdef __linux__

#include <CCurl.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// What the library itself has no use for.
CURLMcode curl_multi_perform(CURLM *multi, int *running);
CURLMcode curl_multi_poll(CURLM *multi, void *extra, unsigned int count, int timeout_ms, int *ready);

enum {
    // What CurlTransport has no use for, and so isn't in its header.
    OPT_TIMEOUT_MS = 155,
    OPT_UPLOAD_BUFFERSIZE = 280,
    INFO_CONTENT_LENGTH_DOWNLOAD_T = 0x600000 + 15,
    BIG_BUFFER = 512 * 1024,
};

CURLcode curl_easy_perform(CURL *handle);

/// One easy handle and the request that it is on.
typedef struct {
    CURL *easy;
    uint64_t began;
    uint64_t received;
    char *body;
    size_t capacity;
    int gathers;
    const char *upload;
    size_t upload_count;
    size_t upload_sent;
    int file;
} slot;

struct curl_baseline {
    slot single;
    CURLM *multi;
    slot *slots;
    size_t slot_count;
    struct curl_slist *fields;
    char *authority;
    int big;
};

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int reserve(slot *slot, size_t capacity) {
    if (capacity <= slot->capacity) return 1;
    char *grown = realloc(slot->body, capacity);
    if (!grown) return 0;
    slot->body = grown;
    slot->capacity = capacity;
    return 1;
}

static size_t on_bytes(char *bytes, size_t size, size_t count, void *context) {
    slot *slot = context;
    size_t length = size * count, whole = slot->received + length;
    if (slot->gathers) {
        curl_off_t expected = 0;
        if (slot->received == 0) nk_getinfo_offset(slot->easy, INFO_CONTENT_LENGTH_DOWNLOAD_T, &expected);
        if (expected > 0 && !reserve(slot, (size_t)expected)) return 0;
        if (whole > slot->capacity && !reserve(slot, whole * 2)) return 0;
        memcpy(slot->body + slot->received, bytes, length);
    }
    slot->received = whole;
    return length;
}

/// Writes to a file. The first bytes of a body take the place of what the body before has left.
static size_t on_bytes_for_file(char *bytes, size_t size, size_t count, void *context) {
    slot *slot = context;
    size_t length = size * count, written = 0;
    if (slot->received == 0 && (ftruncate(slot->file, 0) != 0 || lseek(slot->file, 0, SEEK_SET) != 0)) return 0;
    while (written < length) {
        ssize_t taken = write(slot->file, bytes + written, length - written);
        if (taken <= 0) return 0;
        written += (size_t)taken;
    }
    slot->received += length;
    return length;
}

static size_t on_room(char *buffer, size_t size, size_t count, void *context) {
    slot *slot = context;
    size_t left = slot->upload_count - slot->upload_sent;
    size_t length = size * count < left ? size * count : left;
    memcpy(buffer, slot->upload + slot->upload_sent, length);
    slot->upload_sent += length;
    return length;
}

/// The same from a file, which is read as it is sent.
static size_t on_room_from_file(char *buffer, size_t size, size_t count, void *context) {
    slot *slot = context;
    // Each sending begins anew.
    if (slot->upload_sent == 0) lseek(slot->file, 0, SEEK_SET);
    ssize_t length = read(slot->file, buffer, size * count);
    if (length < 0) return NK_CURL_READFUNC_ABORT;
    slot->upload_sent += (size_t)length;
    return (size_t)length;
}

static int open_slot(const curl_baseline *client, slot *slot) {
    CURL *easy = slot->easy = curl_easy_init();
    if (!easy) return 0;
    nk_setopt_long(easy, NK_OPT_NOSIGNAL, 1);
    nk_setopt_long(easy, NK_OPT_PROTOCOLS, NK_PROTO_HTTP_AND_HTTPS);
    nk_setopt_long(easy, OPT_TIMEOUT_MS, 30000);
    nk_setopt_string(easy, NK_OPT_PROXY, "");
    nk_setopt_list(easy, NK_OPT_HTTPHEADER, client->fields);
    nk_setopt_pointer(easy, NK_OPT_PRIVATE, slot);
    nk_setopt_pointer(easy, NK_OPT_WRITEDATA, slot);
    nk_setopt_data_callback(easy, NK_OPT_WRITEFUNCTION, on_bytes);
    if (client->big) {
        nk_setopt_long(easy, NK_OPT_BUFFERSIZE, BIG_BUFFER);
        nk_setopt_long(easy, OPT_UPLOAD_BUFFERSIZE, BIG_BUFFER);
    }
    if (client->authority) {
        nk_setopt_string(easy, NK_OPT_CAINFO, client->authority);
        nk_setopt_long(easy, NK_OPT_HTTP_VERSION, NK_HTTP_VERSION_2TLS);
        nk_setopt_long(easy, NK_OPT_PIPEWAIT, 1);
    }
    return 1;
}

static void close_slot(slot *slot) {
    if (slot->easy) curl_easy_cleanup(slot->easy);
    free(slot->body);
}

curl_baseline *curl_baseline_open(const char *authority, int big) {
    curl_global_init(NK_CURL_GLOBAL_DEFAULT);
    curl_baseline *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    client->big = big;
    client->authority = authority ? strdup(authority) : NULL;
    // An upload that waits to be asked for would measure the wait.
    client->fields = curl_slist_append(NULL, "Expect:");
    if (open_slot(client, &client->single)) return client;
    curl_baseline_close(client);
    return NULL;
}

void curl_baseline_close(curl_baseline *client) {
    close_slot(&client->single);
    for (size_t index = 0; index < client->slot_count; index++) close_slot(&client->slots[index]);
    free(client->slots);
    if (client->multi) curl_multi_cleanup(client->multi);
    curl_slist_free_all(client->fields);
    free(client->authority);
    free(client);
}

static int failure(CURL *easy, CURLcode code) {
    long status = 0;
    if (code != NK_E_OK) return code;
    nk_getinfo_long(easy, NK_INFO_RESPONSE_CODE, &status);
    return status == 200 ? 0 : -1;
}

/// Requests one after another, as the handle is set up.
static curl_baseline_run perform(slot *slot, curl_baseline_bounds bounds, uint64_t *latencies, void (*use)(const void *, size_t)) {
    curl_baseline_run run = {0};
    uint64_t start = now(), end = start + (uint64_t)(bounds.seconds * 1e9), last = start;
    while (run.requests < bounds.requests && (last < end || run.requests == 0)) {
        uint64_t began = last;
        slot->received = 0;
        slot->upload_sent = 0;
        run.code = failure(slot->easy, curl_easy_perform(slot->easy));
        if (run.code) break;
        if (use) use(slot->body, slot->received);
        // Each body has memory of its own, as it has in a program that hands it on.
        free(slot->body);
        slot->body = NULL;
        slot->capacity = 0;
        last = now();
        latencies[run.requests++] = last - began;
        run.bytes += slot->received + slot->upload_sent;
    }
    run.seconds = (double)(last - start) / 1e9;
    return run;
}

curl_baseline_run curl_baseline_sequential(curl_baseline *client, const char *url, curl_baseline_bounds bounds, uint64_t *latencies) {
    nk_setopt_string(client->single.easy, NK_OPT_URL, url);
    return perform(&client->single, bounds, latencies, NULL);
}

curl_baseline_run curl_baseline_buffered(
    curl_baseline *client, const char *url, curl_baseline_bounds bounds, uint64_t *latencies,
    void (*use)(const void *bytes, size_t count)) {
    client->single.gathers = 1;
    nk_setopt_string(client->single.easy, NK_OPT_URL, url);
    curl_baseline_run run = perform(&client->single, bounds, latencies, use);
    client->single.gathers = 0;
    return run;
}

curl_baseline_run curl_baseline_download(
    curl_baseline *client, const char *url, const char *path, curl_baseline_bounds bounds, uint64_t *latencies) {
    slot *slot = &client->single;
    curl_baseline_run run = {0};
    slot->file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (slot->file < 0) {
        run.code = -1;
        return run;
    }
    nk_setopt_string(slot->easy, NK_OPT_URL, url);
    nk_setopt_data_callback(slot->easy, NK_OPT_WRITEFUNCTION, on_bytes_for_file);
    run = perform(slot, bounds, latencies, NULL);
    nk_setopt_data_callback(slot->easy, NK_OPT_WRITEFUNCTION, on_bytes);
    close(slot->file);
    return run;
}

curl_baseline_run curl_baseline_upload(
    curl_baseline *client, const char *url, const void *bytes, size_t count, curl_baseline_bounds bounds, uint64_t *latencies) {
    slot *slot = &client->single;
    slot->upload = bytes;
    slot->upload_count = count;
    nk_setopt_string(slot->easy, NK_OPT_URL, url);
    nk_setopt_long(slot->easy, NK_OPT_UPLOAD, 1);
    nk_setopt_offset(slot->easy, NK_OPT_INFILESIZE_LARGE, (curl_off_t)count);
    nk_setopt_pointer(slot->easy, NK_OPT_READDATA, slot);
    nk_setopt_data_callback(slot->easy, NK_OPT_READFUNCTION, on_room);
    return perform(slot, bounds, latencies, NULL);
}

curl_baseline_run curl_baseline_upload_file(
    curl_baseline *client, const char *url, const char *path, curl_baseline_bounds bounds, uint64_t *latencies) {
    slot *slot = &client->single;
    struct stat status;
    curl_baseline_run run = {0};
    slot->file = open(path, O_RDONLY | O_CLOEXEC);
    if (slot->file < 0 || fstat(slot->file, &status) != 0) {
        run.code = -1;
        return run;
    }
    nk_setopt_string(slot->easy, NK_OPT_URL, url);
    nk_setopt_long(slot->easy, NK_OPT_UPLOAD, 1);
    nk_setopt_offset(slot->easy, NK_OPT_INFILESIZE_LARGE, (curl_off_t)status.st_size);
    nk_setopt_pointer(slot->easy, NK_OPT_READDATA, slot);
    nk_setopt_data_callback(slot->easy, NK_OPT_READFUNCTION, on_room_from_file);
    run = perform(slot, bounds, latencies, NULL);
    close(slot->file);
    return run;
}

/// Makes the multi handle and its slots, once; 0 without memory.
static int open_slots(curl_baseline *client, const char *url, size_t count) {
    if (client->multi) return client->slot_count == count;
    client->multi = curl_multi_init();
    client->slots = calloc(count, sizeof *client->slots);
    if (!client->multi || !client->slots) return 0;
    nk_multi_setopt_long(client->multi, NK_MOPT_MAXCONNECTS, (long)count);
    for (; client->slot_count < count; client->slot_count++) {
        slot *slot = &client->slots[client->slot_count];
        if (!open_slot(client, slot)) return 0;
        nk_setopt_string(slot->easy, NK_OPT_URL, url);
    }
    return 1;
}

static void begin(curl_baseline *client, slot *slot) {
    slot->began = now();
    slot->received = 0;
    curl_multi_add_handle(client->multi, slot->easy);
}

curl_baseline_run curl_baseline_concurrent(
    curl_baseline *client, const char *url, size_t in_flight, curl_baseline_bounds bounds, uint64_t *latencies) {
    curl_baseline_run run = {0};
    run.code = open_slots(client, url, in_flight) ? 0 : NK_E_OUT_OF_MEMORY;
    if (run.code) return run;
    uint64_t start = now(), end = start + (uint64_t)(bounds.seconds * 1e9);
    size_t begun = 0, active = 0;
    for (; begun < in_flight && begun < bounds.requests; begun++, active++) begin(client, &client->slots[begun]);
    while (active > 0) {
        int running = 0, left = 0;
        curl_multi_perform(client->multi, &running);
        CURLMsg *message;
        while ((message = curl_multi_info_read(client->multi, &left))) {
            if (message->msg != NK_CURLMSG_DONE) continue;
            void *context = NULL;
            CURL *easy = message->easy_handle;
            int code = failure(easy, message->data.result);
            nk_getinfo_pointer(easy, NK_INFO_PRIVATE, &context);
            slot *slot = context;
            uint64_t ended = now();
            curl_multi_remove_handle(client->multi, easy);
            if (code && !run.code) run.code = code;
            latencies[run.requests++] = ended - slot->began;
            run.bytes += slot->received;
            int goes_on = begun < bounds.requests && ended < end && !run.code;
            if (goes_on) begin(client, slot);
            begun += goes_on;
            active -= !goes_on;
        }
        if (active > 0) curl_multi_poll(client->multi, NULL, 0, 1000, NULL);
    }
    run.seconds = (double)(now() - start) / 1e9;
    return run;
}

#endif
