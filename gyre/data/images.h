#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "gyre/data/dataset.h"

namespace gyre {

/// Mean and standard deviation of the pixels of MNIST's training images, scaled to [0, 1].
inline constexpr double kMnistMean = 0.1307, kMnistDeviation = 0.3081;

enum class ImagePart : uint8_t { training, test };

/// Images and labels of MNIST, or of a dataset in its format: field x, [N, 1, rows, columns] f32,
/// is (pixel / 255 - kMnistMean) / kMnistDeviation; field y, [N] i64, are the labels.
///
/// `path` is a folder with the files of that part (train-images-idx3-ubyte and
/// train-labels-idx1-ubyte, or t10k-..., plain or .gz) or an .npz file with the arrays x_train and
/// y_train, or x_test and y_test; for the training part also x and y. Errors: io, naming what is
/// missing; those of read_idx and read_npz; parse for images that are not u8 [N, rows, columns],
/// labels that are not integers [N], and differing numbers of images and labels.
std::shared_ptr<const TensorDataset> mnist(const std::string& path,
                                           ImagePart part = ImagePart::training);

}  // namespace gyre
