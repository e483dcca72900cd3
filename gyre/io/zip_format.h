#pragma once
#include <cstdint>

/// Constants of the zip format.
namespace gyre::zip {

inline constexpr uint32_t kLocal = 0x04034B50, kDirectory = 0x02014B50, kEnd = 0x06054B50;
inline constexpr uint32_t kWideEnd = 0x06064B50, kWideLocator = 0x07064B50;
inline constexpr uint64_t kLocalBytes = 30, kDirectoryBytes = 46, kEndBytes = 22;
inline constexpr uint64_t kWideEndBytes = 56, kWideLocatorBytes = 20;

inline constexpr uint16_t kStored = 0, kDeflated = 8;
inline constexpr uint16_t kEncrypted = 1, kUtf8Name = 1 << 11;     ///< flags
inline constexpr uint16_t kWideExtra = 1;                          ///< the extra field of zip64
inline constexpr uint64_t kFull16 = 0xFFFF, kFull32 = 0xFFFFFFFF;  ///< "see the zip64 field"

}  // namespace gyre::zip
