/* helpers/face_nets.hh - the two networks of akin-face. They are a file of
 * their own because the compiler needs half a minute for them. */
#ifndef AK_HELPERS_FACE_NETS_HH
#define AK_HELPERS_FACE_NETS_HH

#include <dlib/image_processing/full_object_detection.h>
#include <dlib/matrix.h>
#include <dlib/pixel.h>
#include <iosfwd>
#include <memory>
#include <vector>

enum { FACE_CHIP = 150, FACE_DIM = 128 };

struct found_face {
    dlib::rectangle box;
    double score;
};

/* A detector that finds faces that are turned or partly hidden. */
class mmod_detector
{
  public:
    explicit mmod_detector(std::istream &weights);
    ~mmod_detector();
    std::vector<found_face> find(const dlib::matrix<dlib::rgb_pixel> &image);

  private:
    struct net;
    std::unique_ptr<net> net_;
};

/* A face as 128 numbers, of a picture of FACE_CHIP pixels a side. */
class face_describer
{
  public:
    explicit face_describer(std::istream &weights);
    ~face_describer();
    dlib::matrix<float, 0, 1>
    describe(const dlib::matrix<dlib::rgb_pixel> &chip);

  private:
    struct net;
    std::unique_ptr<net> net_;
};

#endif
