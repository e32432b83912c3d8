/* Runs functions of an object over cases from standard input, with guard pages behind every array. The tables `named` is
   written by the test. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct { void *data; const int64_t *shape; const int64_t *strides; } described;
typedef void *p;
typedef int (*function)(p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p);
typedef int64_t (*measure)(p, p, p, p, p, p, p, p, p, p, p, p, p, p, p, p);

#define ALL(a) a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15]
#define MOST 16

#include "named.h"

static void get(void *to, size_t bytes) {
    if (bytes && fread(to, 1, bytes, stdin) != bytes) exit(90);
}

static int64_t word(void) {
    int64_t value;
    get(&value, sizeof value);
    return value;
}

/* Memory that ends where nothing may be read. */
struct pages { char *begin; size_t bytes; };

static char *guarded(size_t bytes, struct pages *pages) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t whole = (bytes + page - 1) / page * page;
    pages->bytes = whole + 2 * page;
    pages->begin = mmap(0, pages->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages->begin == MAP_FAILED) exit(91);
    if (whole && mprotect(pages->begin + page, whole, PROT_READ | PROT_WRITE)) exit(92);
    return pages->begin + page + whole - bytes;
}

static void one(void) {
    const struct named *of = &named[word()];
    int64_t ins = word(), all = ins + word();
    described given[MOST];
    int64_t told[MOST][MOST], shape[MOST][MOST], rank[MOST], bytes[MOST];
    struct pages pages[MOST], more;
    p arguments[MOST] = {0}, shapes[MOST] = {0};
    for (int64_t at = 0; at < all; at++) {
        rank[at] = word();
        get(shape[at], 8 * (size_t)rank[at]);
        bytes[at] = word();
        given[at] = (described){guarded((size_t)bytes[at], &pages[at]), shape[at], 0};
        if (at < ins) get(given[at].data, (size_t)bytes[at]);
        arguments[at] = &given[at];
        shapes[at] = at < ins ? (p)&given[at] : (p)told[at];
    }
    int64_t code = ((function)of->shape)(ALL(shapes));
    for (int64_t at = ins; at < all && !code; at++)
        if (memcmp(told[at], shape[at], 8 * (size_t)rank[at])) exit(93);
    if (!code) {
        int64_t need = ((measure)of->scratch)(ALL(arguments));
        if (need < 0) exit(94);
        arguments[all] = guarded((size_t)need, &more);
        code = ((function)of->run)(ALL(arguments));
        munmap(more.begin, more.bytes);
    }
    fwrite(&code, 8, 1, stdout);
    for (int64_t at = 0; at < all; at++) {
        if (at >= ins && !code) fwrite(given[at].data, 1, (size_t)bytes[at], stdout);
        munmap(pages[at].begin, pages[at].bytes);
    }
}

int main(void) {
    for (int64_t left = word(); left > 0; left--) one();
    return 0;
}
