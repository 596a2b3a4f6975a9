/* The networks whose weights dlib's author has published: their layers have to
 * be spelled out as types. */
#include "helpers/face_nets.hh"

#include <dlib/dnn.h>

using namespace dlib;

/* ---- the detector ---- */

template <long n, typename below> using con5d = con<n, 5, 5, 2, 2, below>;
template <long n, typename below> using con5 = con<n, 5, 5, 1, 1, below>;
template <typename below>
using downsampler = relu<
    affine<con5d<32, relu<affine<con5d<32, relu<affine<con5d<16, below>>>>>>>>>;
template <typename below> using rcon5 = relu<affine<con5<45, below>>>;

struct mmod_detector::net {
    loss_mmod<con<1, 9, 9, 1, 1,
                  rcon5<rcon5<rcon5<
                      downsampler<input_rgb_image_pyramid<pyramid_down<6>>>>>>>>
        layers;
};

mmod_detector::mmod_detector(std::istream &weights) : net_(new net)
{
    deserialize(net_->layers, weights);
}

mmod_detector::~mmod_detector() = default;

std::vector<found_face> mmod_detector::find(const matrix<rgb_pixel> &image)
{
    std::vector<found_face> out;
    for (const mmod_rect &r : net_->layers(image))
        out.push_back({r.rect, r.detection_confidence});
    return out;
}

/* ---- the descriptor: a residual network of 29 layers ---- */

template <int n, int stride, typename below>
using block = affine<
    con<n, 3, 3, 1, 1, relu<affine<con<n, 3, 3, stride, stride, below>>>>>;
template <int n, typename below>
using same = relu<add_prev1<block<n, 1, tag1<below>>>>;
template <int n, typename below>
using down = relu<
    add_prev2<avg_pool<2, 2, 2, 2, skip1<tag2<block<n, 2, tag1<below>>>>>>>;

template <typename below> using level0 = down<256, below>;
template <typename below> using level1 = same<256, same<256, down<256, below>>>;
template <typename below> using level2 = same<128, same<128, down<128, below>>>;
template <typename below>
using level3 = same<64, same<64, same<64, down<64, below>>>>;
template <typename below> using level4 = same<32, same<32, same<32, below>>>;

struct face_describer::net {
    loss_metric<fc_no_bias<
        FACE_DIM,
        avg_pool_everything<level0<level1<level2<level3<level4<max_pool<
            3, 3, 2, 2,
            relu<affine<
                con<32, 7, 7, 2, 2, input_rgb_image_sized<FACE_CHIP>>>>>>>>>>>>>
        layers;
};

face_describer::face_describer(std::istream &weights) : net_(new net)
{
    deserialize(net_->layers, weights);
}

face_describer::~face_describer() = default;

matrix<float, 0, 1> face_describer::describe(const matrix<rgb_pixel> &chip)
{
    return net_->layers(chip);
}
