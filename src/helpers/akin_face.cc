/* akin-face WEIGHTS DETECTOR DESCRIPTOR UPSAMPLE: faces in pictures.
 *
 * A separate program, with limits on memory, because dlib is C++ and the
 * networks are large. WEIGHTS is the folder of the weights, DETECTOR hog or
 * mmod, DESCRIPTOR resnet or none, UPSAMPLE how often a picture is doubled
 * before faces are looked for. Weights are read first, and only where their
 * SHA-256 is the known one. After that the program opens no file and no socket.
 * It says
 *   'r'                   ready; or 'e' LENGTH TEXT, and ends
 * and serves until its input ends. A request:
 *   WIDTH HEIGHT N BOXES RGB  int32 each, N boxes of four doubles (x y width
 *                         height) instead of detection, -1: detect; three bytes
 *                         a pixel
 * and the answer, for vision/faces.c:
 *   'f' N DIM SECONDS     int32 each, three doubles: detection, landmarks,
 *                         descriptor; then for each face its box and its score
 *                         (5 doubles), 5 landmarks (10 doubles), DIM floats
 *   'e' LENGTH TEXT       int32: what is wrong
 * Who started it sees to the time it takes. */
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlib/image_processing.h>
#include <dlib/image_processing/frontal_face_detector.h>
#include <dlib/image_transforms.h>
#include <exception>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "helpers/face_nets.hh"
#include "helpers/fence.h"
#include "helpers/limits.h"
#include "helpers/sha256.h"

/* Where BLAS is OpenBLAS: one thread, so that results are the same whatever
 * the machine, and processes beside each other do not fight for cores. */
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace
{

using dlib::rgb_pixel;
using picture = dlib::matrix<rgb_pixel>;

enum { MESSAGE = 300, SIDE = 16384, MOST_BOXES = 10000, MOST_UPSAMPLE = 3 };

/* ---- bytes in and out ---- */

void put(const void *bytes, size_t n)
{
    if (fwrite(bytes, 1, n, stdout) != n)
        _exit(1);
}

void put_number(int32_t x)
{
    put(&x, sizeof x);
}

void refuse(const std::string &what)
{
    const std::string line = what.substr(0, what.find('\n')).substr(0, MESSAGE);
    put("e", 1);
    put_number(static_cast<int32_t>(line.size()));
    put(line.data(), line.size());
}

bool get(void *bytes, size_t n)
{
    return fread(bytes, 1, n, stdin) == n;
}

/* ---- weights ---- */

struct weights_file {
    const char *name, *sha256;
};

const weights_file mmod_weights = {
    "mmod_human_face_detector.dat",
    "be467b1a76f482693de3b0f6a1ff91d092319be71523d4d4b0628f6a53fcb87a"};
const weights_file landmark_weights = {
    "shape_predictor_5_face_landmarks.dat",
    "c4b1e9804792707d3a405c2c16a80a20269e6675021f64a41d30fffafbc41888"};
const weights_file resnet_weights = {
    "dlib_face_recognition_resnet_model_v1.dat",
    "55533b28a95800a551ba546ba62fe69625c7e95a7061c338adffead08719da30"};

struct failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/* The bytes that were hashed are those that are parsed. */
std::istringstream load(const std::string &folder, const weights_file &file)
{
    const std::string path = folder + "/" + file.name;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream bytes;
    char have[AK_SHA256_TEXT];
    if (!in || !(bytes << in.rdbuf()))
        throw failure(path + ": cannot be read");
    const std::string text = bytes.str();
    ak_sha256(text.data(), text.size(), have);
    if (strcmp(have, file.sha256) != 0)
        throw failure(path + ": not the expected weights (their SHA-256 is " +
                      have + ")");
    return std::istringstream(text);
}

/* ---- faces ---- */

struct face {
    double box[4];
    double score;
    double points[10];
    dlib::matrix<float, 0, 1> descriptor;
    dlib::full_object_detection shape;
};

class timer
{
  public:
    explicit timer(double *seconds) : seconds_(seconds)
    {
    }
    ~timer()
    {
        *seconds_ += std::chrono::duration<double>(
                         std::chrono::steady_clock::now() - from_)
                         .count();
    }

  private:
    double *seconds_;
    std::chrono::steady_clock::time_point from_ =
        std::chrono::steady_clock::now();
};

class face_reader
{
  public:
    face_reader(const std::string &folder, const std::string &detector,
                const std::string &descriptor, int upsample)
        : upsample_(upsample)
    {
        std::istringstream marks = load(folder, landmark_weights);
        dlib::deserialize(landmarks_, marks);
        if (detector == "mmod") {
            std::istringstream in = load(folder, mmod_weights);
            mmod_.reset(new mmod_detector(in));
        } else {
            hog_.reset(new dlib::frontal_face_detector(
                dlib::get_frontal_face_detector()));
        }
        if (descriptor == "resnet") {
            std::istringstream in = load(folder, resnet_weights);
            describer_.reset(new face_describer(in));
        }
    }

    std::vector<face> detect(const picture &image)
    {
        const timer t(&seconds[0]);
        dlib::pyramid_down<2> levels;
        picture large = image;
        for (int i = 0; i < upsample_; ++i)
            dlib::pyramid_up(large, levels);
        std::vector<face> out;
        for (const found_face &f : find(large)) {
            const dlib::rectangle r =
                levels.rect_down(f.box, static_cast<unsigned>(upsample_));
            out.push_back(face_in(static_cast<double>(r.left()),
                                  static_cast<double>(r.top()),
                                  static_cast<double>(r.width()),
                                  static_cast<double>(r.height()), f.score));
        }
        return out;
    }

    static face face_in(double x, double y, double w, double h, double score)
    {
        face f = {};
        f.box[0] = x;
        f.box[1] = y;
        f.box[2] = w;
        f.box[3] = h;
        f.score = score;
        return f;
    }

    void mark(const picture &image, face &f)
    {
        const timer t(&seconds[1]);
        const dlib::drectangle box(f.box[0], f.box[1], f.box[0] + f.box[2] - 1,
                                   f.box[1] + f.box[3] - 1);
        f.shape = landmarks_(image, dlib::rectangle(box));
        for (unsigned long i = 0; i < 5; ++i) {
            f.points[2 * i] = static_cast<double>(f.shape.part(i).x());
            f.points[2 * i + 1] = static_cast<double>(f.shape.part(i).y());
        }
    }

    void describe(const picture &image, face &f)
    {
        if (!describer_)
            return;
        const timer t(&seconds[2]);
        picture chip;
        dlib::extract_image_chip(
            image, dlib::get_face_chip_details(f.shape, FACE_CHIP, 0.25), chip);
        f.descriptor = describer_->describe(chip);
    }

    int32_t dim() const
    {
        return describer_ ? FACE_DIM : 0;
    }

    double seconds[3] = {0.0, 0.0, 0.0};

  private:
    std::vector<found_face> find(const picture &image)
    {
        if (mmod_)
            return mmod_->find(image);
        std::vector<dlib::rect_detection> found;
        std::vector<found_face> out;
        (*hog_)(image, found, 0.0);
        for (const dlib::rect_detection &r : found)
            out.push_back({r.rect, r.detection_confidence});
        return out;
    }

    int upsample_;
    dlib::shape_predictor landmarks_;
    std::unique_ptr<dlib::frontal_face_detector> hog_;
    std::unique_ptr<mmod_detector> mmod_;
    std::unique_ptr<face_describer> describer_;
};

/* ---- requests ---- */

struct picture_request {
    picture image;
    std::vector<face> boxes;
    bool detects;
};

/* False: the input has ended, or is none. */
bool take_request(picture_request &r)
{
    int32_t ask[3];
    if (!get(ask, sizeof ask) || ask[0] < 1 || ask[1] < 1 || ask[0] > SIDE ||
        ask[1] > SIDE || ask[2] < -1 || ask[2] > MOST_BOXES)
        return false;
    r.detects = ask[2] < 0;
    for (int32_t i = 0; i < ask[2]; ++i) {
        double b[4];
        if (!get(b, sizeof b))
            return false;
        r.boxes.push_back(face_reader::face_in(b[0], b[1], b[2], b[3], 0.0));
    }
    r.image.set_size(ask[1], ask[0]);
    static_assert(sizeof(rgb_pixel) == 3, "three bytes a pixel");
    return get(&r.image(0, 0),
               3 * static_cast<size_t>(ask[0]) * static_cast<size_t>(ask[1]));
}

void send(const face_reader &reader, const std::vector<face> &faces)
{
    put("f", 1);
    put_number(static_cast<int32_t>(faces.size()));
    put_number(reader.dim());
    put(reader.seconds, sizeof reader.seconds);
    for (const face &f : faces) {
        put(f.box, sizeof f.box);
        put(&f.score, sizeof f.score);
        put(f.points, sizeof f.points);
        if (reader.dim() > 0)
            put(&f.descriptor(0), FACE_DIM * sizeof(float));
    }
}

void answer(face_reader &reader, picture_request &r)
{
    memset(reader.seconds, 0, sizeof reader.seconds);
    std::vector<face> faces = r.detects ? reader.detect(r.image) : r.boxes;
    if (faces.size() > MOST_BOXES)
        faces.resize(MOST_BOXES);
    for (face &f : faces) {
        reader.mark(r.image, f);
        reader.describe(r.image, f);
    }
    send(reader, faces);
}

/* Nothing of a picture that went wrong stays for the next one. */
int serve(face_reader &reader)
{
    for (;;) {
        try {
            picture_request r = {};
            if (!take_request(r))
                return 0;
            answer(reader, r);
        } catch (const std::bad_alloc &) {
            return 1;  // half a picture may be left in the pipe
        } catch (const std::exception &e) {
            refuse(e.what());
        }
        if (fflush(stdout) != 0)
            return 1;
    }
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr,
                "usage: akin-face WEIGHTS hog|mmod resnet|none UPSAMPLE\n");
        return 2;
    }
    const int upsample = atoi(argv[4]);
    if (upsample < 0 || upsample > MOST_UPSAMPLE)
        return 2;
    ak_set_limits((rlim_t)4 << 30, RLIM_INFINITY, 0);
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    try {
        face_reader reader(argv[1], argv[2], argv[3], upsample);
        AK_LIMIT(RLIMIT_NOFILE, 3);
        ak_set_fence(AK_FENCE_CLOSED);
        put("r", 1);
        fflush(stdout);
        return serve(reader);
    } catch (const std::exception &e) {
        refuse(e.what());
        fflush(stdout);
    }
    return 1;
}
