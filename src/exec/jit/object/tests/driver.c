/* Runs functions of an object over cases from standard input, twice: with guard pages directly behind every array, and with
   guard pages directly before. The table `named` is written by the test. */

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

/* Moves the code that follows. */
#define TEXT(number) #number
#define SKIP(number) __asm__(".text\n.zero " TEXT(number) "\n")
SKIP(BEFORE);

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

/* Memory that begins or ends where nothing may be read. */
struct pages { char *begin; size_t bytes; };

static char *guarded(size_t bytes, int at_end, struct pages *pages) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t whole = (bytes + page - 1) / page * page;
    pages->bytes = whole + 2 * page;
    pages->begin = mmap(0, pages->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages->begin == MAP_FAILED) exit(91);
    if (whole && mprotect(pages->begin + page, whole, PROT_READ | PROT_WRITE)) exit(92);
    char *data = pages->begin + page + (at_end ? whole - bytes : 0);
    memset(data, 0xa5, bytes);
    return data;
}

/* A case: a function, and what its inputs and outputs are like. */
struct of_case {
    const struct named *of;
    int64_t ins, all, shape[MOST][MOST], rank[MOST], bytes[MOST];
    char *given[MOST];
};

static void read_case(struct of_case *c) {
    c->of = &named[word()];
    c->ins = word();
    c->all = c->ins + word();
    for (int64_t at = 0; at < c->all; at++) {
        c->rank[at] = word();
        get(c->shape[at], 8 * (size_t)c->rank[at]);
        c->bytes[at] = word();
        c->given[at] = malloc((size_t)c->bytes[at] + 1);
        if (at < c->ins) get(c->given[at], (size_t)c->bytes[at]);
    }
}

static void run_case(struct of_case *c, int at_end) {
    described arrays[MOST];
    int64_t told[MOST][MOST];
    struct pages pages[MOST], more;
    p arguments[MOST] = {0}, shapes[MOST] = {0};
    for (int64_t at = 0; at < c->all; at++) {
        arrays[at] = (described){guarded((size_t)c->bytes[at], at_end, &pages[at]), c->shape[at], 0};
        if (at < c->ins) memcpy(arrays[at].data, c->given[at], (size_t)c->bytes[at]);
        arguments[at] = &arrays[at];
        shapes[at] = at < c->ins ? (p)&arrays[at] : (p)told[at];
    }
    int64_t code = ((function)c->of->shape)(ALL(shapes));
    for (int64_t at = c->ins; at < c->all && !code; at++)
        if (memcmp(told[at], c->shape[at], 8 * (size_t)c->rank[at])) exit(93);
    if (!code) {
        int64_t need = ((measure)c->of->scratch)(ALL(arguments));
        if (need < 0) exit(94);
        arguments[c->all] = guarded((size_t)need, at_end, &more);
        code = ((function)c->of->run)(ALL(arguments));
        munmap(more.begin, more.bytes);
    }
    fwrite(&code, 8, 1, stdout);
    for (int64_t at = 0; at < c->all; at++) {
        const char *data = arrays[at].data;
        if (at < c->ins && memcmp(data, c->given[at], (size_t)c->bytes[at])) exit(95);
        if (at >= c->ins && !code) fwrite(data, 1, (size_t)c->bytes[at], stdout);
        /* A check that fails has written nothing. */
        for (int64_t byte = 0; at >= c->ins && code >= 16 && byte < c->bytes[at]; byte++)
            if (data[byte] != (char)0xa5) exit(96);
        munmap(pages[at].begin, pages[at].bytes);
    }
}

int main(void) {
    for (int64_t left = word(); left > 0; left--) {
        struct of_case c;
        read_case(&c);
        for (int at_end = 0; at_end < 2; at_end++) run_case(&c, at_end);
        for (int64_t at = 0; at < c.all; at++) free(c.given[at]);
    }
    return 0;
}
