// The parts of zlib's stable C ABI that we use, declared by ourselves so that the package builds with the run-time
// library (libz.so.1) and no headers.
#ifndef NETWORKKIT_CZLIB_H
#define NETWORKKIT_CZLIB_H

#include <stddef.h>

typedef struct z_stream_s {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *zalloc;
    void *zfree;
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} nk_z_stream;

const char *zlibVersion(void);
int inflateInit2_(nk_z_stream *stream, int window_bits, const char *version, int stream_size);
int inflate(nk_z_stream *stream, int flush);
int inflateReset(nk_z_stream *stream);
int inflateEnd(nk_z_stream *stream);
int deflateInit2_(nk_z_stream *stream, int level, int method, int window_bits, int memory_level, int strategy,
                  const char *version, int stream_size);
int deflate(nk_z_stream *stream, int flush);
int deflateEnd(nk_z_stream *stream);

static inline int nk_inflate_init(nk_z_stream *stream, int window_bits) {
    return inflateInit2_(stream, window_bits, zlibVersion(), (int)sizeof(nk_z_stream));
}
static inline int nk_deflate_init(nk_z_stream *stream, int level, int window_bits) {
    return deflateInit2_(stream, level, 8, window_bits, 8, 0, zlibVersion(), (int)sizeof(nk_z_stream));
}

enum {
    NK_Z_NO_FLUSH = 0,
    NK_Z_FINISH = 4,
    NK_Z_OK = 0,
    NK_Z_STREAM_END = 1,
    NK_Z_BUF_ERROR = -5,
};

#endif
