/* Calls the functions of standard.arr:

     arr build standard.arr -o standard.o --header standard.h
     cc -std=c99 main.c standard.o -o standard && ./standard */
#include "standard.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    enum { ROWS = 5, COLUMNS = 2 };
    const float table[ROWS][COLUMNS] = {{1, 10}, {2, 20}, {3, 15}, {4, 40}, {5, 30}};
    const int64_t shape[] = {ROWS, COLUMNS};
    const arr_in_f32 x = {&table[0][0], shape, NULL};

    float scores[ROWS][COLUMNS];
    int64_t farthest;
    const arr_out_f32 to_scores = {&scores[0][0], shape};
    const arr_out_i64 to_farthest = {&farthest, NULL};

    int64_t bytes = standard_scratch(&x);
    if (bytes < 0) {
        fprintf(stderr, "%s\n", standard_error((int)-bytes));
        return 1;
    }
    void *scratch = malloc((size_t)bytes);
    int code = standard(&x, &to_scores, &to_farthest, scratch, NULL);
    free(scratch);
    if (code != 0) {
        fprintf(stderr, "%s\n", standard_error(code));
        return 1;
    }
    for (int row = 0; row < ROWS; row++) {
        printf("%a %a\n", (double)scores[row][0], (double)scores[row][1]);
    }
    printf("row %lld is farthest\n", (long long)farthest);
    return 0;
}
