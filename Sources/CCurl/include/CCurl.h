// The parts of libcurl's stable C ABI that CurlTransport uses, declared by ourselves so that the package builds on a
// machine that has the run-time library (libcurl.so.4) and no headers. Numbers and signatures are those of libcurl's
// documented interface, which has kept them since 7.76 and before; what is newer is asked for at run time.
#ifndef NETWORKKIT_CCURL_H
#define NETWORKKIT_CCURL_H

#ifdef __linux__
// The system's own list of sockets, which Swift's module of the C library leaves out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Reads from a place in a file what the system has in memory; -1 where that is nothing, or it doesn't tell. It never waits for a disk.
ssize_t nk_read_held(int descriptor, void *buffer, size_t count, int64_t position);

typedef void CURL;
typedef void CURLM;
typedef int CURLcode;
typedef int CURLMcode;
typedef int64_t curl_off_t;

struct curl_slist {
    char *data;
    struct curl_slist *next;
};

typedef struct {
    int msg;
    CURL *easy_handle;
    union {
        void *whatever;
        CURLcode result;
    } data;
} CURLMsg;

/// The head of curl_version_info_data: all that we read of it.
typedef struct {
    int age;
    const char *version;
    unsigned int version_num;
    const char *host;
    int features;
    const char *ssl_version;
} nk_curl_version;

CURLcode curl_global_init(long flags);
CURL *curl_easy_init(void);
void curl_easy_cleanup(CURL *handle);
CURLcode curl_easy_pause(CURL *handle, int bitmask);
CURLcode curl_easy_setopt(CURL *handle, int option, ...);
CURLcode curl_easy_getinfo(CURL *handle, int info, ...);
const char *curl_easy_strerror(CURLcode code);
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text);
void curl_slist_free_all(struct curl_slist *list);
CURLM *curl_multi_init(void);
CURLMcode curl_multi_cleanup(CURLM *multi);
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *handle);
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *handle);
CURLMcode curl_multi_socket_action(CURLM *multi, int socket, int what, int *running);
CURLMsg *curl_multi_info_read(CURLM *multi, int *left);
CURLMcode curl_multi_setopt(CURLM *multi, int option, ...);
void *curl_version_info(int age);

typedef size_t (*nk_data_callback)(char *buffer, size_t size, size_t count, void *context);
typedef int (*nk_seek_callback)(void *context, curl_off_t offset, int origin);
typedef int (*nk_debug_callback)(CURL *handle, int kind, char *text, size_t count, void *context);
typedef int (*nk_prereq_callback)(void *context, char *remote_ip, char *local_ip, int remote_port, int local_port);

struct nk_address {
    int family;
    int socktype;
    int protocol;
};
typedef int (*nk_socket_callback)(void *context, int purpose, struct nk_address *address);
typedef int (*nk_close_callback)(void *context, int socket);
typedef int (*nk_multi_socket_callback)(CURL *handle, int socket, int what, void *context, void *socket_context);
typedef int (*nk_multi_timer_callback)(CURLM *multi, long timeout_ms, void *context);

// Swift can't call C functions with variable arguments, so each kind of argument gets a function.
static inline CURLcode nk_setopt_long(CURL *h, int option, long value) { return curl_easy_setopt(h, option, value); }
static inline CURLcode nk_setopt_offset(CURL *h, int option, curl_off_t value) { return curl_easy_setopt(h, option, value); }
static inline CURLcode nk_setopt_string(CURL *h, int option, const char *value) { return curl_easy_setopt(h, option, value); }
static inline CURLcode nk_setopt_pointer(CURL *h, int option, void *value) { return curl_easy_setopt(h, option, value); }
static inline CURLcode nk_setopt_list(CURL *h, int option, struct curl_slist *value) { return curl_easy_setopt(h, option, value); }
static inline CURLcode nk_setopt_data_callback(CURL *h, int option, nk_data_callback value) { return curl_easy_setopt(h, option, value); }
static inline CURLcode nk_setopt_seek_callback(CURL *h, int option, nk_seek_callback value) { return curl_easy_setopt(h, option, value); }
static inline CURLcode nk_setopt_socket_callback(CURL *h, int option, nk_socket_callback value) { return curl_easy_setopt(h, option, value); }
static inline CURLcode nk_setopt_debug_callback(CURL *h, int option, nk_debug_callback value) { return curl_easy_setopt(h, option, value); }
static inline CURLcode nk_setopt_prereq_callback(CURL *h, int option, nk_prereq_callback value) { return curl_easy_setopt(h, option, value); }
static inline CURLcode nk_setopt_close_callback(CURL *h, int option, nk_close_callback value) { return curl_easy_setopt(h, option, value); }

static inline CURLMcode nk_multi_setopt_pointer(CURLM *m, int option, void *value) { return curl_multi_setopt(m, option, value); }
static inline CURLMcode nk_multi_setopt_socket_callback(CURLM *m, int option, nk_multi_socket_callback value) { return curl_multi_setopt(m, option, value); }
static inline CURLMcode nk_multi_setopt_timer_callback(CURLM *m, int option, nk_multi_timer_callback value) { return curl_multi_setopt(m, option, value); }
static inline CURLMcode nk_multi_setopt_long(CURLM *m, int option, long value) { return curl_multi_setopt(m, option, value); }
static inline CURLcode nk_getinfo_long(CURL *h, int info, long *value) { return curl_easy_getinfo(h, info, value); }
static inline CURLcode nk_getinfo_offset(CURL *h, int info, curl_off_t *value) { return curl_easy_getinfo(h, info, value); }
static inline CURLcode nk_getinfo_pointer(CURL *h, int info, void **value) { return curl_easy_getinfo(h, info, value); }
static inline nk_curl_version *nk_version(void) { return (nk_curl_version *)curl_version_info(3); }

enum {
    NK_CURL_GLOBAL_DEFAULT = 3,
    NK_CURLMSG_DONE = 1,
    NK_CURLINFO_TEXT = 0,
    NK_CURL_READFUNC_ABORT = 0x10000000,
    NK_CURL_READFUNC_PAUSE = 0x10000001,
    NK_CURL_WRITEFUNC_PAUSE = 0x10000001,
    NK_CURL_SEEKFUNC_FAIL = 1,
    NK_CURL_SOCKET_BAD = -1,
    NK_CURL_PREREQFUNC_OK = 0,
    NK_CURL_PREREQFUNC_ABORT = 1,
};

// Options: the number of each plus the base of its kind of argument.
enum {
    NK_OPT_BUFFERSIZE = 98,
    NK_OPT_CAINFO = 10000 + 65,
    NK_OPT_CAPATH = 10000 + 97,
    NK_OPT_CONNECTTIMEOUT_MS = 156,
    NK_OPT_CUSTOMREQUEST = 10000 + 36,
    NK_OPT_DEBUGDATA = 10000 + 95,
    NK_OPT_DEBUGFUNCTION = 20000 + 94,
    NK_OPT_ERRORBUFFER = 10000 + 10,
    NK_OPT_EXPECT_100_TIMEOUT_MS = 227,
    NK_OPT_FOLLOWLOCATION = 52,
    NK_OPT_FORBID_REUSE = 75,
    NK_OPT_FRESH_CONNECT = 74,
    NK_OPT_HEADERDATA = 10000 + 29,
    NK_OPT_HEADERFUNCTION = 20000 + 79,
    NK_OPT_HTTP09_ALLOWED = 285,
    NK_OPT_HTTPGET = 80,
    NK_OPT_HTTPHEADER = 10000 + 23,
    NK_OPT_HTTP_CONTENT_DECODING = 158,
    NK_OPT_HTTP_VERSION = 84,
    NK_OPT_INFILESIZE_LARGE = 30000 + 115,
    NK_OPT_KEYPASSWD = 10000 + 26,
    NK_OPT_MAXAGE_CONN = 288,
    NK_OPT_MAXREDIRS = 68,
    NK_OPT_NOBODY = 44,
    NK_OPT_NOPROXY = 10000 + 177,
    NK_OPT_NOSIGNAL = 99,
    NK_OPT_OPENSOCKETDATA = 10000 + 164,
    NK_OPT_CLOSESOCKETFUNCTION = 20000 + 208,
    NK_OPT_CLOSESOCKETDATA = 10000 + 209,
    NK_OPT_OPENSOCKETFUNCTION = 20000 + 163,
    NK_OPT_PATH_AS_IS = 234,
    NK_OPT_PINNEDPUBLICKEY = 10000 + 230,
    NK_OPT_PIPEWAIT = 237,
    NK_OPT_PREREQDATA = 10000 + 313,      // 7.80
    NK_OPT_PREREQFUNCTION = 20000 + 312,  // 7.80
    NK_OPT_PRIVATE = 10000 + 103,
    NK_OPT_PROTOCOLS = 181,
    NK_OPT_PROXY = 10000 + 4,
    NK_OPT_PROXYPASSWORD = 10000 + 176,
    NK_OPT_PROXYUSERNAME = 10000 + 175,
    NK_OPT_PROXY_CAINFO = 10000 + 246,
    NK_OPT_PROXY_CAPATH = 10000 + 247,
    NK_OPT_PROXY_SSLVERSION = 250,
    NK_OPT_QUICK_EXIT = 322,  // 7.87
    NK_OPT_READDATA = 10000 + 9,
    NK_OPT_READFUNCTION = 20000 + 12,
    NK_OPT_RESOLVE = 10000 + 203,
    NK_OPT_RTSP_REQUEST = 189,
    NK_OPT_SEEKFUNCTION = 20000 + 167,
    NK_OPT_SSLCERT = 10000 + 25,
    NK_OPT_SSLCERTTYPE = 10000 + 86,
    NK_OPT_SSLKEY = 10000 + 87,
    NK_OPT_SSLVERSION = 32,
    NK_OPT_SSL_VERIFYHOST = 81,
    NK_OPT_SSL_VERIFYPEER = 64,
    NK_OPT_SUPPRESS_CONNECT_HEADERS = 265,
    NK_OPT_TCP_NODELAY = 121,
    NK_OPT_UNIX_SOCKET_PATH = 10000 + 231,
    NK_OPT_UPLOAD = 46,
    NK_OPT_UPLOAD_BUFFERSIZE = 280,
    NK_OPT_URL = 10000 + 2,
    NK_OPT_VERBOSE = 41,
    NK_OPT_WRITEDATA = 10000 + 1,
    NK_OPT_WRITEFUNCTION = 20000 + 11,

    NK_MOPT_MAXCONNECTS = 6,
    NK_MOPT_SOCKETFUNCTION = 20000 + 1,
    NK_MOPT_SOCKETDATA = 10000 + 2,
    NK_MOPT_TIMERFUNCTION = 20000 + 4,
    NK_MOPT_TIMERDATA = 10000 + 5,

    NK_CURL_POLL_REMOVE = 4,
    NK_CURL_CSELECT_IN = 1,
    NK_CURL_CSELECT_OUT = 2,
    NK_CURL_CSELECT_ERR = 4,
    NK_CURL_SOCKET_TIMEOUT = -1,

    NK_HTTP_VERSION_1_1 = 2,
    NK_RTSPREQ_RECEIVE = 11,
    NK_HTTP_VERSION_2TLS = 4,
    NK_PROTO_HTTP_AND_HTTPS = 1 | 2,
    NK_SSLVERSION_TLSv1_2 = 6,
    NK_SSLVERSION_TLSv1_3 = 7,
};

// What can be asked of a handle.
enum {
    NK_INFO_RESPONSE_CODE = 0x200000 + 2,
    NK_INFO_HTTP_CONNECTCODE = 0x200000 + 22,
    NK_INFO_OS_ERRNO = 0x200000 + 25,
    NK_INFO_NUM_CONNECTS = 0x200000 + 26,
    NK_INFO_HTTP_VERSION = 0x200000 + 46,
    NK_INFO_PRIMARY_PORT = 0x200000 + 40,
    NK_INFO_PRIVATE = 0x100000 + 21,
    NK_INFO_SIZE_UPLOAD_T = 0x600000 + 7,
    NK_INFO_SIZE_DOWNLOAD_T = 0x600000 + 8,
    NK_INFO_TOTAL_TIME_T = 0x600000 + 50,
    NK_INFO_NAMELOOKUP_TIME_T = 0x600000 + 51,
    NK_INFO_CONNECT_TIME_T = 0x600000 + 52,
    NK_INFO_STARTTRANSFER_TIME_T = 0x600000 + 54,
    NK_INFO_APPCONNECT_TIME_T = 0x600000 + 56,
};

// Result codes that are told apart.
enum {
    NK_E_OK = 0,
    NK_E_UNSUPPORTED_PROTOCOL = 1,
    NK_E_NOT_BUILT_IN = 4,
    NK_E_COULDNT_RESOLVE_PROXY = 5,
    NK_E_COULDNT_RESOLVE_HOST = 6,
    NK_E_COULDNT_CONNECT = 7,
    NK_E_WEIRD_SERVER_REPLY = 8,
    NK_E_HTTP2 = 16,
    NK_E_PARTIAL_FILE = 18,
    NK_E_OUT_OF_MEMORY = 27,
    NK_E_OPERATION_TIMEDOUT = 28,
    NK_E_SSL_CONNECT_ERROR = 35,
    NK_E_GOT_NOTHING = 52,
    NK_E_SEND_ERROR = 55,
    NK_E_RECV_ERROR = 56,
    NK_E_SSL_CERTPROBLEM = 58,
    NK_E_SSL_CIPHER = 59,
    NK_E_PEER_FAILED_VERIFICATION = 60,
    NK_E_FILESIZE_EXCEEDED = 63,
    NK_E_ABORTED_BY_CALLBACK = 42,
    NK_E_TOO_MANY_REDIRECTS = 47,
    NK_E_UNKNOWN_OPTION = 48,
    NK_E_SEND_FAIL_REWIND = 65,
    NK_E_SSL_CACERT_BADFILE = 77,
    NK_E_SSL_SHUTDOWN_FAILED = 80,
    NK_E_SSL_CRL_BADFILE = 82,
    NK_E_SSL_ISSUER_ERROR = 83,
    NK_E_SSL_PINNEDPUBKEYNOTMATCH = 90,
    NK_E_SSL_INVALIDCERTSTATUS = 91,
    NK_E_HTTP2_STREAM = 92,
    NK_E_PROXY = 97,
    NK_E_SSL_CLIENTCERT = 98,
};

#endif
