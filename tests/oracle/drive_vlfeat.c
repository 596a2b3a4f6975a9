/* VLFeat's functions one after the other, in the order that its command `sift`
 * calls them, which Debian's packages leave out:
 *   drive_vlfeat PGM OCTAVE PEAK EDGE
 * One line a feature: x y scale angle, and 512 times the descriptor, of which
 * the command cuts off all but a byte. */
#include <stdio.h>
#include <stdlib.h>
#include <vl/sift.h>

static void print_feature(VlSiftFilt *f, const VlSiftKeypoint *k, double angle)
{
    vl_sift_pix v[128] = {0};  // VLFeat leaves it as it is in the last row
    vl_sift_calc_keypoint_descriptor(f, v, k, angle);
    printf("%.9g %.9g %.9g %.9g", (double)k->x, (double)k->y, (double)k->sigma,
           angle);
    for (int j = 0; j < 128; ++j)
        printf(" %.9g", 512.0 * (double)v[j]);
    printf("\n");
}

static void print_octave(VlSiftFilt *f)
{
    vl_sift_detect(f);
    const VlSiftKeypoint *keys = vl_sift_get_keypoints(f);
    for (int i = 0; i < vl_sift_get_nkeypoints(f); ++i) {
        double angles[4];
        const int n = vl_sift_calc_keypoint_orientations(f, angles, keys + i);
        for (int a = 0; a < n; ++a)
            print_feature(f, keys + i, angles[a]);
    }
}

/* The picture as floats; NULL: it cannot be read. By hand: the reader of
 * Debian's VLFeat refuses every file, its own box.pgm too. */
static vl_sift_pix *read_picture(const char *path, int *width, int *height)
{
    FILE *from = fopen(path, "rb");
    if (from == NULL || fscanf(from, "P5 %d %d 255", width, height) != 2)
        return NULL;
    const size_t n = (size_t)*width * (size_t)*height;
    vl_sift_pix *x = malloc(n * sizeof *x);
    fgetc(from);
    for (size_t i = 0; x && i < n; ++i)
        x[i] = (vl_sift_pix)fgetc(from);
    fclose(from);
    return x;
}

int main(int argc, char **argv)
{
    int width, height;
    vl_sift_pix *x = argc == 5 ? read_picture(argv[1], &width, &height) : NULL;
    VlSiftFilt *f = x ? vl_sift_new(width, height, -1, 3, atoi(argv[2])) : NULL;
    if (f == NULL)
        return 2;
    vl_sift_set_peak_thresh(f, atof(argv[3]));
    vl_sift_set_edge_thresh(f, atof(argv[4]));
    for (int end = vl_sift_process_first_octave(f, x); !end;
         end = vl_sift_process_next_octave(f))
        print_octave(f);
    vl_sift_delete(f);
    free(x);
    return 0;
}
