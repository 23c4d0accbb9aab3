// For preadv2.
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include "CCurl.h"

#ifdef __linux__
#include <sys/uio.h>
#endif

ssize_t nk_read_held(int descriptor, void *buffer, size_t count, int64_t position) {
#ifdef RWF_NOWAIT
    struct iovec vector = {buffer, count};
    return preadv2(descriptor, &vector, 1, position, RWF_NOWAIT);
#else
    return -1;
#endif
}
