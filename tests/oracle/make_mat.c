/* make_mat FILE 5|7.3: a MATLAB file of each kind of variable that is read:
 * X 3 x 2, S 3 x 4 sparse, y as numbers, names as a cell of texts. */
#include <matio.h>
#include <stdio.h>
#include <string.h>

static int put(mat_t *mat, const char *name, enum matio_classes class,
               enum matio_types type, size_t n, size_t d, void *data)
{
    size_t dims[2] = {n, d};
    matvar_t *v = Mat_VarCreate(name, class, type, 2, dims, data, 0);
    const int failed = v == NULL ||
                       Mat_VarWrite(mat, v, MAT_COMPRESSION_NONE) != 0;
    Mat_VarFree(v);
    return failed;
}

static int put_names(mat_t *mat)
{
    size_t dims[2] = {3, 1};
    matvar_t *cell =
        Mat_VarCreate("names", MAT_C_CELL, MAT_T_CELL, 2, dims, NULL, 0);
    for (int k = 0; k < 3; ++k) {
        char text[2] = {(char)('a' + k), '\0'};
        size_t one[2] = {1, 1};
        Mat_VarSetCell(
            cell, k,
            Mat_VarCreate(NULL, MAT_C_CHAR, MAT_T_UINT8, 2, one, text, 0));
    }
    const int failed = Mat_VarWrite(mat, cell, MAT_COMPRESSION_NONE) != 0;
    Mat_VarFree(cell);
    return failed;
}

int main(int argc, char **argv)
{
    double X[6] = {1, 2, 3, 4.5, 5, 6}, y[3] = {7, 8, 7};
    mat_uint32_t ir[3] = {0, 2, 1}, jc[5] = {0, 1, 1, 3, 3};
    double values[3] = {10, 20, 30};
    mat_sparse_t sparse = {3, ir, 3, jc, 5, 3, values};
    if (argc != 3)
        return 2;
    mat_t *mat = Mat_CreateVer(
        argv[1], NULL, strcmp(argv[2], "5") == 0 ? MAT_FT_MAT5 : MAT_FT_MAT73);
    if (mat == NULL)
        return 1;
    const int failed =
        put(mat, "X", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, 2, X) ||
        put(mat, "y", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, 1, y) ||
        put(mat, "S", MAT_C_SPARSE, MAT_T_DOUBLE, 3, 4, &sparse) ||
        put_names(mat);
    Mat_Close(mat);
    return failed;
}
