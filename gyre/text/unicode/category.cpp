// Written by category.py from Unicode 16.0.0; not edited by hand.
// clang-format off
#include "gyre/text/unicode/unicode_classes.h"

namespace gyre {
namespace {

/// The large block of 2048 code points that a code point's upper bits select.
constexpr uint8_t kLargeOf[544] = {
    0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 9, 10, 7, 7, 7, 7, 11, 12, 13, 13,
    13, 14, 15, 16, 17, 18, 19, 20, 21, 7, 22, 23, 23, 23, 24, 25, 7, 7, 26, 27, 23, 23, 23, 28,
    29, 30, 23, 31, 32, 33, 34, 35, 36, 37, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 38, 7, 39, 40, 7, 41, 7, 7, 7, 42, 23, 43, 7, 7, 44, 7, 45, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 46, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,
    13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 47, 13, 13, 13, 13,
    13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,
    13, 13, 13, 47,
};

/// A row a large block: its small blocks of 64 code points.
constexpr uint16_t kSmallOf[48][32] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
     26, 27, 28, 29, 30, 31},
    {32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54,
     55, 56, 57, 58, 59, 60, 61, 62, 63},
    {64, 65, 66, 67, 26, 26, 26, 26, 26, 68, 69, 70, 71, 72, 73, 74, 75, 26, 26, 26, 26, 26, 26,
     26, 26, 76, 77, 78, 79, 80, 81, 82},
    {83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104,
     105, 12, 106, 106, 107, 106, 108, 109, 110, 111},
    {112, 113, 114, 115, 116, 117, 118, 119, 120, 120, 120, 120, 121, 122, 123, 124, 125, 126, 127,
     128, 129, 129, 130, 131, 129, 132, 129, 129, 129, 133, 134, 135},
    {129, 129, 129, 129, 120, 120, 136, 137, 120, 120, 120, 120, 138, 139, 140, 129, 16, 141, 106,
     142, 143, 144, 145, 146, 147, 148, 149, 150, 129, 129, 129, 151},
    {152, 153, 154, 155, 156, 26, 157, 158, 159, 160, 161, 129, 129, 129, 129, 129, 26, 26, 26, 26,
     26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
     26, 26, 26, 26, 26, 26, 26, 26, 26},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
     129, 26, 26, 26, 26, 26, 26, 26, 26},
    {162, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 163, 164, 26, 26, 26,
     26, 165, 166, 167, 168, 169, 170, 171, 172},
    {173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 26, 26, 26,
     26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
     26, 26, 26, 26, 26, 26, 26, 189, 190},
    {191, 191, 191, 191, 191, 191, 191, 191, 191, 191, 191, 191, 191, 191, 191, 191, 191, 191, 191,
     191, 191, 191, 191, 191, 191, 191, 191, 191, 191, 191, 191, 191},
    {192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192,
     192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192},
    {192, 192, 192, 192, 26, 26, 26, 26, 26, 193, 26, 194, 195, 196, 197, 198, 26, 26, 26, 26, 199,
     200, 201, 202, 203, 204, 26, 205, 206, 207, 208, 209},
    {210, 211, 26, 212, 213, 214, 215, 216, 217, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226,
     227, 228, 229, 230, 231, 26, 26, 26, 26, 232, 233, 234, 217},
    {235, 236, 237, 238, 239, 217, 240, 241, 242, 243, 244, 245, 246, 247, 248, 217, 26, 249, 250,
     251, 252, 253, 254, 217, 217, 255, 256, 257, 258, 259, 260, 261},
    {262, 263, 264, 265, 266, 267, 268, 269, 270, 271, 272, 273, 274, 275, 276, 277, 278, 279, 280,
     281, 217, 217, 282, 283, 284, 285, 286, 287, 288, 289, 217, 217},
    {290, 217, 291, 292, 293, 294, 295, 296, 297, 298, 299, 300, 301, 217, 217, 302, 303, 304, 305,
     217, 306, 307, 308, 217, 217, 217, 217, 309, 310, 311, 312, 313},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 194, 217, 314, 315, 26, 26, 26, 316,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 217},
    {217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 317, 318},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 319, 320, 26, 26, 26, 26, 26,
     26, 26, 26, 26, 26, 26, 26, 26, 26},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 212, 26, 26, 26, 26, 26, 26, 26,
     26, 26, 289, 217, 217, 217, 217, 217, 217},
    {217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217},
    {217, 217, 217, 217, 321, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217},
    {26, 26, 26, 26, 26, 26, 26, 26, 300, 322, 323, 324, 325, 326, 327, 217, 217, 217, 217, 217,
     217, 328, 217, 217, 217, 329, 330, 217, 26, 331, 332, 333},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
     26, 26, 26, 26, 26, 26, 26, 26, 334},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 335, 249, 217,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 217},
    {217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 336},
    {26, 26, 26, 26, 337, 338, 26, 26, 26, 26, 26, 339, 217, 217, 217, 217, 217, 217, 217, 217,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217},
    {217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 26, 340, 341,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217},
    {217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 129, 129, 129,
     342, 129, 129, 129, 129, 129, 129, 150, 217, 343, 344, 129, 345},
    {129, 129, 129, 346, 347, 348, 349, 350, 129, 351, 217, 352, 129, 353, 217, 217, 354, 355, 356,
     357, 358, 359, 360, 361, 362, 363, 364, 365, 366, 367, 368, 369},
    {129, 129, 129, 129, 129, 129, 129, 129, 370, 371, 372, 217, 217, 217, 217, 217, 217, 217, 217,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 373, 217, 217, 217},
    {374, 375, 376, 217, 377, 378, 217, 217, 217, 217, 379, 380, 217, 217, 217, 217, 217, 217, 217,
     381, 217, 217, 217, 382, 217, 217, 217, 217, 217, 217, 217, 383},
    {26, 26, 26, 384, 385, 386, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 387, 388,
     217, 389, 217, 217, 217, 390, 391, 392, 393, 217, 217, 217, 217},
    {394, 129, 395, 396, 397, 129, 398, 399, 400, 401, 217, 217, 129, 129, 129, 402, 129, 129, 129,
     129, 129, 129, 129, 129, 129, 129, 129, 403, 129, 404, 129, 405},
    {406, 407, 408, 409, 129, 129, 129, 129, 129, 410, 411, 412, 129, 129, 413, 342, 217, 217, 217,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
     26, 26, 26, 26, 414, 26, 26, 26, 26},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
     26, 26, 26, 26, 26, 415, 26, 26, 26},
    {416, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
     26, 26, 26, 26, 26, 26, 26, 26, 26},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
     26, 26, 26, 417, 26, 26, 26, 26, 26},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 418, 26, 26, 26, 26, 26, 26, 26,
     26, 26, 419, 217, 217, 217, 217, 217, 217},
    {26, 26, 26, 26, 26, 26, 26, 26, 419, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 420, 26, 26, 26, 26, 26, 26, 26, 26, 26,
     26, 26, 26, 26, 26, 26, 26, 26, 26},
    {26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 421, 217, 217, 217, 217, 217, 217,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217},
    {422, 423, 217, 217, 12, 12, 12, 424, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217,
     217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217, 217},
    {192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192,
     192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 192, 425}};

/// A row a small block: a character a code point, `a` is the first Category.
constexpr char kCategories[] =
    "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzwrrrtrrrnorsrmrriiiiiiiiiirrsssr"
    "raaaaaaaaaaaaaaaaaaaaaaaaaanroulubbbbbbbbbbbbbbbbbbbbbbbbbbnsosz"
    "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzwrttttvruveps{vuvskkubrrukeqkkkr"
    "aaaaaaaaaaaaaaaaaaaaaaasaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbsbbbbbbbb"
    "ababababababababababababababababababababababababababababbabababa"
    "bababababbabababababababababababababababababababababababaabababb"
    "baababaabaaabbaaaabaabaaabbbaabaabababaababbabaabaaababaabbeabbb"
    "eeeeacbacbacbababababababababbabababababababababbacbabaaabababab"
    "ababababababababababababababababababababababababababbbbbbbaabaab"
    "babaaaabababababbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    "bbbbbbbbbbbbbbbbbbbbebbbbbbbbbbbbbbbbbbbbbbbbbbbdddddddddddddddd"
    "dduuuudddddddddddduuuuuuuuuuuuuuddddduuuuuuududuuuuuuuuuuuuuuuuu"
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
    "ffffffffffffffffffffffffffffffffffffffffffffffffababduab~~dbbbra"
    "~~~~uuaraaa~a~aabaaaaaaaaaaaaaaaaa~aaaaaaaaabbbbbbbbbbbbbbbbbbbb"
    "bbbbbbbbbbbbbbbabbaaabbbababababababababababababbbbbabsabaabbaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbabababababababababababababababab"
    "abvfffffhhababababababababababababababababababababababababababab"
    "aabababababababbabababababababababababababababababababababababab"
    "abababababababababababababababababababababababab~aaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaa~~drrrrrrbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    "bbbbbbbbbrm~~vvt~fffffffffffffffffffffffffffffffffffffffffffffmf"
    "rffrffrf~~~~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeee~~~~eeeerr~~~~~~~~~~~"
    "{{{{{{sssrrtrrvvfffffffffffr{rrreeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "deeeeeeeeeefffffffffffffffffffffiiiiiiiiiirrrreefeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeerefffffff{vffffffddffvffffeeiiiiiiiiiieeevve"
    "rrrrrrrrrrrrrr~{efeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeffffffffffffffff"
    "fffffffffff~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefffffffffffe~~~~~~~~~~~~~~"
    "iiiiiiiiiieeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefffffffffddvrrrd~~ftt"
    "eeeeeeeeeeeeeeeeeeeeeeffffdfffffffffdfffdfffff~~rrrrrrrrrrrrrrr~"
    "eeeeeeeeeeeeeeeeeeeeeeeeefff~~r~eeeeeeeeeee~~~~~eeeeeeeeeeeeeeee"
    "eeeeeeeeueeeeee~{{~~~~~fffffffffeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeedffffffffffffffffffffffff{fffffffffffffffffffffffffffff"
    "fffgeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefgfegg"
    "gffffffffggggfggefffffffeeeeeeeeeeffrriiiiiiiiiirdeeeeeeeeeeeeee"
    "efgg~eeeeeeee~~ee~~eeeeeeeeeeeeeeeeeeeeee~eeeeeee~e~~~eeee~~fegg"
    "gffff~~gg~~ggfe~~~~~~~~g~~~~ee~eeeff~~iiiiiiiiiieettkkkkkkvterf~"
    "~ffg~eeeeee~~~~ee~~eeeeeeeeeeeeeeeeeeeeee~eeeeeee~ee~ee~ee~~f~gg"
    "gff~~~~ff~~fff~~~f~~~~~~~eeee~e~~~~~~~iiiiiiiiiiffeeefr~~~~~~~~~"
    "~ffg~eeeeeeeee~eee~eeeeeeeeeeeeeeeeeeeeee~eeeeeee~ee~eeeee~~fegg"
    "gfffff~ffg~ggf~~e~~~~~~~~~~~~~~~eeff~~iiiiiiiiiirt~~~~~~~effffff"
    "~fgg~eeeeeeee~~ee~~eeeeeeeeeeeeeeeeeeeeee~eeeeeee~ee~eeeee~~fegf"
    "gffff~~gg~~ggf~~~~~~~ffg~~~~ee~eeeff~~iiiiiiiiiivekkkkkk~~~~~~~~"
    "~~fe~eeeeee~~~eee~eeee~~~ee~e~ee~~~ee~~~eee~~~eeeeeeeeeeee~~~~gg"
    "fgg~~~ggg~gggf~~e~~~~~~g~~~~~~~~~~~~~~iiiiiiiiiikkkvvvvvvtv~~~~~"
    "fgggfeeeeeeee~eee~eeeeeeeeeeeeeeeeeeeeeee~eeeeeeeeeeeeeeee~~feff"
    "fgggg~fff~ffff~~~~~~~ff~eee~~e~~eeff~~iiiiiiiiii~~~~~~~rkkkkkkkv"
    "efggreeeeeeee~eee~eeeeeeeeeeeeeeeeeeeeeee~eeeeeeeeee~eeeee~~fegf"
    "ggggg~fgg~ggff~~~~~~~gg~~~~~~ee~eeff~~iiiiiiiiii~eeg~~~~~~~~~~~~"
    "ffggeeeeeeeee~eee~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeffegg"
    "gffff~ggg~gggfev~~~~eeegkkkkkkkeeeff~~iiiiiiiiiikkkkkkkkkveeeeee"
    "~fgg~eeeeeeeeeeeeeeeeee~~~eeeeeeeeeeeeeeeeeeeeeeee~eeeeeeeee~e~~"
    "eeeeeee~~~f~~~~gggfff~f~gggggggg~~~~~~iiiiiiiiii~~ggr~~~~~~~~~~~"
    "~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefeefffffff~~~~t"
    "eeeeeedffffffffriiiiiiiiiirr~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "~ee~e~eeeee~eeeeeeeeeeeeeeeeeeeeeeee~e~eeeeeeeeeefeefffffffffe~~"
    "eeeee~d~fffffff~iiiiiiiiii~~eeee~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "evvvrrrrrrrrrrrrrrrvrvvvffvvvvvviiiiiiiiiikkkkkkkkkkvfvfvfnonogg"
    "eeeeeeee~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~ffffffffffffffg"
    "fffffrffeeeeefffffffffff~ffffffffffffffffffffffffffffffffffff~vv"
    "vvvvvvfvvvvvv~vvrrrrrvvvvrr~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeggffffgffffffgffggffe"
    "iiiiiiiiiirrrrrreeeeeeggffeeeefffegggeegggggggeeeffffeeeeeeeeeee"
    "eefggffggggggfegiiiiiiiiiigggfvvaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaa~a~~~~~a~~bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbrdbbb"
    "eeeeeeeee~eeee~~eeeeeee~e~eeee~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeee~eeee~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~eeee~~eeeeeee~"
    "e~eeee~~eeeeeeeeeeeeeee~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeee~eeee~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeee~~fffrrrrrrrrrkkkkkkkkkkkkkkkkkkkk~~~"
    "eeeeeeeeeeeeeeeevvvvvvvvvv~~~~~~aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa~~bbbbbb~~"
    "meeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeevreeeeeeeeeeeeeeeee"
    "weeeeeeeeeeeeeeeeeeeeeeeeeeno~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeerrrjjjeeeeeeee~~~~~~~"
    "eeeeeeeeeeeeeeeeeefffg~~~~~~~~~eeeeeeeeeeeeeeeeeeeffgrr~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeff~~~~~~~~~~~~eeeeeeeeeeeee~eee~ff~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeffgfffffffgg"
    "ggggggfggfffffffffffrrrdrrrtef~~iiiiiiiiii~~~~~~kkkkkkkkkk~~~~~~"
    "rrrrrrmrrrrfff{fiiiiiiiiii~~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeedeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~"
    "eeeeeffeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefe~~~~~eeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~fffggggffggg~~~~ggfggggggfff~~~~"
    "v~~~rriiiiiiiiiieeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~eeeee~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~eeeeeeeeeeeeeeee"
    "eeeeeeeeee~~~~~~iiiiiiiiiik~~~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "eeeeeeeeeeeeeeeeeeeeeeeffggf~~rreeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeegfgfffffff~fgfggffffffffggggggffffffffff~~f"
    "iiiiiiiiii~~~~~~iiiiiiiiii~~~~~~rrrrrrrdrrrrrr~~ffffffffffffffhf"
    "fffffffffffffff~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "ffffgeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefgfffffgfggg"
    "ggfggeeeeeeee~rriiiiiiiiiirrrrrrrvvvvvvvvvvfffffffffvvvvvvvvvrrr"
    "ffgeeeeeeeeeeeeeeeeeeeeeeeeeeeeeegffffggffgfffeeiiiiiiiiiieeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefgffgggfgfffgg~~~~~~~~rrrr"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeggggggggffffffffggff~~~rrrrr"
    "iiiiiiiiii~~~eeeiiiiiiiiiieeeeeeeeeeeeeeeeeeeeeeeeeeeeeeddddddrr"
    "bbbbbbbbbab~~~~~aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa~~aaa"
    "rrrrrrrr~~~~~~~~fffrfffffffffffffgfffffffeeeefeeeeeefeegffe~~~~~"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbdddddddddddddddddddd"
    "dddddddddddddddddddddddddddddddddddddddddddbbbbbbbbbbbbbdbbbbbbb"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbddddddddddddddddddddddddddddddddddddd"
    "abababababababababababababababababababababababababababababababab"
    "abababababababababababbbbbbbbbababababababababababababababababab"
    "bbbbbbbbaaaaaaaabbbbbb~~aaaaaa~~bbbbbbbbaaaaaaaabbbbbbbbaaaaaaaa"
    "bbbbbb~~aaaaaa~~bbbbbbbb~a~a~a~abbbbbbbbaaaaaaaabbbbbbbbbbbbbb~~"
    "bbbbbbbbccccccccbbbbbbbbccccccccbbbbbbbbccccccccbbbbb~bbaaaacubu"
    "uubbb~bbaaaacuuubbbb~~bbaaaa~uuubbbbbbbbaaaaauuu~~bbb~bbaaaacuu~"
    "wwwwwwwwwww{{{{{mmmmmmrrpqnppqnprrrrrrrrxy{{{{{wrrrrrrrrrpqrrrrl"
    "lrrrsnorrrrrrrrrrrsrlrrrrrrrrrrw{{{{{~{{{{{{{{{{kd~~kkkkkksssnod"
    "kkkkkkkkkksssno~ddddddddddddd~~~tttttttttttttttttttttttttttttttt"
    "t~~~~~~~~~~~~~~~fffffffffffffhhhhfhhhffffffffffff~~~~~~~~~~~~~~~"
    "vvavvvvavvbaaabbaaabvavvsaaaaavvvvvvavavavaaaavbaaaabeeeebvvbbaa"
    "sssssabbbbvsvvbvkkkkkkkkkkkkkkkkjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj"
    "jjjabjjjjkvv~~~~sssssvvvvvssvvvvsvvsvvsvvvvvvvsvvvvvvvvvvvvvvvvv"
    "vvvvvvvvvvvvvvssvvsvsvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvssssssssssss"
    "ssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss"
    "vvvvvvvvnonovvvvvvvvvvvvvvvvvvvvssvvvvvvvnovvvvvvvvvvvvvvvvvvvvv"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvsvvv"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvsssssssssssssssssssssssssvvvvvvvvvvvv"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvssssssvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~~~~~~~~~~~~~~~~~~~~~"
    "vvvvvvvvvvv~~~~~~~~~~~~~~~~~~~~~kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
    "kkkkkkkkkkkkkkkkkkkkkkkkkkkkvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvkkkkkkkkkkkkkkkkkkkkkk"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvsvvvvvvvv"
    "vsvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvssssssss"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvsvvvvvvvvvvvvvvvv"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvnononononononokkkkkkkkkk"
    "kkkkkkkkkkkkkkkkkkkkvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "sssssnosssssssssssssssssssssssssssssssnononononossssssssssssssss"
    "sssnononononononononononosssssssssssssssssssssssssssssssssssssss"
    "ssssssssssssssssssssssssnonossssssssssssssssssssssssssssssssnoss"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvssssssssssssssss"
    "sssssvvssssssvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~vvvvvvvvvv"
    "vvvvvvvvvvvvvvvvvvvvvv~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbabaaabbabababaaaababbabbbbbbddaa"
    "ababababababababababababababababababbvvvvvvababfffab~~~~~rrrrkrr"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb~b~~~~~b~~eeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~dr~~~~~~~~~~~~~~f"
    "eeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~eeeeeee~eeeeeee~eeeeeee~eeeeeee~"
    "eeeeeee~eeeeeee~eeeeeee~eeeeeee~ffffffffffffffffffffffffffffffff"
    "rrpqpqrrrpqrpqrrrrrrrrrmrrmrpqrrpqnonononorrrrrdrrrrrrrrrrmmrrrr"
    "mrnrrrrrrrrrrrrrvvrrrnonononom~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "vvvvvvvvvvvvvvvvvvvvvvvvvv~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~~~~~~~~~~~"
    "vvvvvvvvvvvvvvvvvvvvvv~~~~~~~~~~~~~~~~~~~~~~~~~~vvvvvvvvvvvvvvvv"
    "wrrrvdejnononononovvnonononomnoovjjjjjjjjjffffggmdddddvvjjjdervv"
    "~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeee~~ffuuddemeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeerddde"
    "~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~eeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeee~vvkkkkvvvvvvvvvveeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~~~~~~~~veeeeeeeeeeeeeeee"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~kkkkkkkkkkvvvvvvvvvvvvvvvvvvvvvv"
    "vvvvvvvvkkkkkkkkvkkkkkkkkkkkkkkkvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "kkkkkkkkkkvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvkkkkkkkkkkkkkkk"
    "eeeeeeeeeeeeeeeeeeeeedeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeee~~~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "vvvvvvv~~~~~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeddddddrr"
    "eeeeeeeeeeeedrrreeeeeeeeeeeeeeeeiiiiiiiiiiee~~~~~~~~~~~~~~~~~~~~"
    "abababababababababababababababababababababababefhhhrffffffffffrd"
    "ababababababababababababababddffeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeejjjjjjjjjjffrrrrrr~~~~~~~~"
    "uuuuuuuuuuuuuuuuuuuuuuuddddddddduuabababababababbbababababababab"
    "ababababababababababababababababababababababababdbbbbbbbbababaab"
    "ababababduuababeababbbababababababababababaaaaabaaaaabababababab"
    "ababaaaababaab~~ab~b~babababa~~~~~~~~~~~~~~~~~~~~~dddabeddbeeeee"
    "eefeeefeeeefeeeeeeeeeeeeeeeeeeeeeeeggffgvvvvf~~~kkkkkkvvtv~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeerrrr~~~~~~~~"
    "ggeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeegggggggggggg"
    "ggggff~~~~~~~~rriiiiiiiiii~~~~~~ffffffffffffffffffeeeeeerrrereef"
    "iiiiiiiiiieeeeeeeeeeeeeeeeeeeeeeeeeeeeffffffffrreeeeeeeeeeeeeeee"
    "eeeeeeefffffffffffgg~~~~~~~~~~~reeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~"
    "fffgeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefggffffggffgg"
    "grrrrrrrrrrrrr~diiiiiiiiii~~~~rreeeeefdeeeeeeeeeiiiiiiiiiieeeee~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeffffffggffggff~~~~~~~~~"
    "eeefeeeeeeeefg~~iiiiiiiiii~~rrrreeeeeeeeeeeeeeeedeeeeeevvvegfgee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefefffeeffeeeeeff"
    "efe~~~~~~~~~~~~~~~~~~~~~~~~eedrreeeeeeeeeeegffggrreddgf~~~~~~~~~"
    "~eeeeee~~eeeeee~~eeeeee~~~~~~~~~eeeeeee~eeeeeee~bbbbbbbbbbbbbbbb"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbuddddbbbbbbbbbduu~~~~bbbbbbbbbbbbbbbb"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeggfggfggrgf~~iiiiiiiiii~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~~~eeeeeeeeeeeeeeee"
    "eeeeeee~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~"
    "||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||"
    "}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~eeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "bbbbbbb~~~~~~~~~~~~bbbbb~~~~~efeeeeeeeeeeseeeeeeeeeeeee~eeeee~e~"
    "ee~ee~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeuuuuuuuuuuuuuu"
    "uuu~~~~~~~~~~~~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeon"
    "vvvvvvvvvvvvvvvveeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeee~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeee~~~~~~~v~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~eeeeeeeeeeeetvvv"
    "ffffffffffffffffrrrrrrrnor~~~~~~ffffffffffffffffrmmllnononononon"
    "ononorrnorrrrlllrrr~rrrrmnononorrrsmsss~rtrr~~~~eeeee~eeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~{"
    "~rrrtrrrnorsrmrriiiiiiiiiirrsssrraaaaaaaaaaaaaaaaaaaaaaaaaanroul"
    "ubbbbbbbbbbbbbbbbbbbbbbbbbbnsosnornorreeeeeeeeeedeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeddeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~"
    "~~eeeeee~~eeeeee~~eeeeee~~eee~~~ttsuvtt~vssssvv~~~~~~~~~~{{{vv~~"
    "eeeeeeeeeeee~eeeeeeeeeeeeeeeeeeeeeeeeee~eeeeeeeeeeeeeeeeeee~ee~e"
    "eeeeeeeeeeeeee~~eeeeeeeeeeeeee~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~"
    "rrr~~~~kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk~~~vvvvvvvvv"
    "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjkkkkvvvvvvv"
    "vvvvvvvvvvkkvvv~vvvvvvvvvvvvv~~~v~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvf~~"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeee~~~~~~~~~~~~~~~fkkkkkkkkkkkkkkkkkkkkkkkkkkk~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeekkkk~~~~~~~~~eeeeeeeeeeeeeeeeeee"
    "ejeeeeeeeej~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefffff~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeee~reeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeee~~~~eeeeeeeerjjjjj~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbb"
    "bbbbbbbbbbbbbbbbeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~iiiiiiiiii~~~~~~aaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaa~~~~bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~eeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~~raaaaaaaaaaa~aaaa"
    "aaaaaaaaaaa~aaaaaaa~aa~bbbbbbbbbbb~bbbbbbbbbbbbbbb~bbbbbbb~bb~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~eeeeeeee~~~~~~~~~~~~~~~~~~~~~~~~"
    "dddddd~dddddddddddddddddddddddddddddddddddddddddd~ddddddddd~~~~~"
    "eeeeee~~e~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~ee~~~e~~e"
    "eeeeeeeeeeeeeeeeeeeeee~rkkkkkkkkeeeeeeeeeeeeeeeeeeeeeeevvkkkkkkk"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~kkkkkkkkk~~~~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~eeeeeeeeeeeeeeeeeee~ee~~~~~kkkkk"
    "eeeeeeeeeeeeeeeeeeeeeekkkkkk~~~reeeeeeeeeeeeeeeeeeeeeeeeee~~~~~r"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~kkee"
    "kkkkkkkkkkkkkkkk~~kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
    "efff~ff~~~~~ffffeeee~eee~eeeeeeeeeeeeeeeeeeeeeeeeeeeee~~fff~~~~f"
    "kkkkkkkkk~~~~~~~rrrrrrrrr~~~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeekkr"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeekkk~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeveeeeeeeeeeeeeeeeeeeeeeeeeeeeff~~~~kkkkkrrrrrrr~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~rrrrrrr"
    "eeeeeeeeeeeeeeeeeeeeee~~kkkkkkkkeeeeeeeeeeeeeeeeeee~~~~~kkkkkkkk"
    "eeeeeeeeeeeeeeeeee~~~~~~~rrrr~~~~~~~~~~~~kkkkkkk~~~~~~~~~~~~~~~~"
    "eeeeeeeee~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa~~~~~~~~~~~~~"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb~~~~~~~kkkkkk"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeffff~~~~~~~~iiiiiiiiii~~~~~~"
    "iiiiiiiiiieeeedeaaaaaaaaaaaaaaaaaaaaaa~~~fffffmdbbbbbbbbbbbbbbbb"
    "bbbbbb~~~~~~~~ss~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~ffm~~ee~~~~~~~~~~~~~~"
    "~~eee~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ffff"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeekkkkkkkkkke~~~~~~~~eeeeeeeeeeeeeeee"
    "eeeeeefffffffffffkkkkrrrrr~~~~~~~~~~~~~~~~~~~~~~eeeeeeeeeeeeeeee"
    "eeffffrrrr~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~eeeeeeeeeeeeeeee"
    "eeeeekkkkkkk~~~~~~~~~~~~~~~~~~~~eeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~"
    "gfgeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeffffffff"
    "fffffffrrrrrrr~~~~kkkkkkkkkkkkkkkkkkkkiiiiiiiiiifeeffe~~~~~~~~~f"
    "ffgeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeegggffffggffrr{rr"
    "rrf~~~~~~~~~~{~~eeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~iiiiiiiiii~~~~~~"
    "fffeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefffffgffffffff~iiiiiiiiii"
    "rrrregge~~~~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefrre~~~~~~~~~"
    "ffgeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeegggfffffffffg"
    "geeeerrrrffffrgfiiiiiiiiiiererrr~kkkkkkkkkkkkkkkkkkkk~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeee~eeeeeeeeeeeeeeeeeeeeeeeeegggfffggfgffrrrrrrfe"
    "ef~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeee~e~eeee~eeeeeeeeeeeeeee~eeeeeeeeeer~~~~~~eeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefgggffffffff~~~~~iiiiiiiiii~~~~~~"
    "ffgg~eeeeeeee~~ee~~eeeeeeeeeeeeeeeeeeeeee~eeeeeee~ee~eeeee~ffegg"
    "fgggg~~gg~~ggg~~e~~~~~~g~~~~~eeeeegg~~fffffff~~~fffff~~~~~~~~~~~"
    "eeeeeeeeee~e~~e~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~egggfffff"
    "f~g~~g~gggg~ggfgfeferr~rr~~~~~~~~ff~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeegggffffffff"
    "ggfffgfeeeerrrrriiiiiiiiiirr~rfeee~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeegggffffffgfggggf"
    "fgffeere~~~~~~~~iiiiiiiiii~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeegggffff~~ggggffgf"
    "frrrrrrrrrrrrrrrrrrrrrrreeeeff~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeegggffffffffggfgf"
    "frrre~~~~~~~~~~~iiiiiiiiii~~~~~~rrrrrrrrrrrrr~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefgfggffffffgfer~~~~~~"
    "iiiiiiiiii~~~~~~iiiiiiiiiiiiiiiiiiii~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeee~~fgfggffffgfffff~~~~iiiiiiiiiikkrrrv"
    "eeeeeee~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeegggfffffffffgffr~~~~"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbiiiiiiiiiikkkkkkkkk~~~~~~~~~~~~e"
    "eeeeeee~~e~~eeeeeeee~ee~eeeeeeeeeeeeeeeeeeeeeeeegggggg~gg~~ffgfe"
    "gegfrrr~~~~~~~~~iiiiiiiiii~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~eeeeeeee~~eeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeegggffff~~ffggggfereg~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "effffffffffeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeffffffgeffffr"
    "rrrrrrrf~~~~~~~~effffffggfffeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeefffffffffffffgffrrrerrrrr~~~~~~~~~~~~~eeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~"
    "rrrrrrrrrr~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeer~~~~~~~~~~~~~~iiiiiiiiii~~~~~~"
    "eeeeeeeee~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeegfffffff~ffffffgf"
    "errrrr~~~~~~~~~~iiiiiiiiiikkkkkkkkkkkkkkkkkkk~~~rreeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeee~~ffffffffffffffffffffff~gfffffffgffgff~~~~~~~~~"
    "eeeeeee~ee~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeffffff~~~f~ff~f"
    "ffffffef~~~~~~~~iiiiiiiiii~~~~~~eeeeee~ee~eeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeggggg~ff~ggfgfe~~~~~~~iiiiiiiiii~~~~~~~~~~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~eeeeeeeeeeeeeeeeeeeffggrr~~~~~~~"
    "ffegeeeeeeeeeeeee~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeggfffff~~~gg"
    "fgfrrrrrrrrrrrrriiiiiiiiiif~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~e~~~~~~~~~~~~~~~"
    "kkkkkkkkkkkkkkkkkkkkkvvvvvvvvttttvvvvvvvvvvvvvvvvv~~~~~~~~~~~~~r"
    "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj"
    "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj~rrrrr~~~~~~~~~~~"
    "eeee~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeerr~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee{{{{{{{{{{{{{{{{"
    "feeeeeefffffffffffffff~~~~~~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeffffffffffffgggfffiiiiiiiiii~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~iiiiiiiiii~~~~rreeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~"
    "iiiiiiiiii~~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~fffffr~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeefffffffrrrrrvvvv"
    "ddddrv~~~~~~~~~~iiiiiiiiii~kkkkkkk~eeeeeeeeeeeeeeeeeeeee~~~~~eee"
    "eeeeeeeeeeeeeeee~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "dddeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeddrrriiiiiiiiii~~~~~~"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    "kkkkkkkkkkkkkkkkkkkkkkkrrrr~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeee~~~~feggggggggggggggggggggggggggggggggggggggggggggggg"
    "gggggggg~~~~~~~ffffddddddddddddd~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ddrdf~~~~~~~~~~~gg~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~e"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~dddd~ddddddd~dd~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~~~~~~e~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~~eee~~e~~~~~~~~~~~~~~eeee~~~~~~~~eeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~eeeeeeeeeeeee~~~"
    "eeeeeeeee~~~~~~~eeeeeeeeee~~vffr{{{{~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvviiiiiiiiii~~~~~~"
    "ffffffffffffffffffffffffffffffffffffffffffffff~~ffffffffffffffff"
    "fffffff~~~~~~~~~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "vvvv~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~~~~~~~~~"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~vvvvvvvvvvvvvvvvvvvvvvv"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvggfffvvvgggggg{{{{{{{{fffff"
    "fffvvfffffffvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvffffvvvvvvvvvvvvvvvvvv"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~~~~~~~~~~~~~~~~~~~~"
    "vvfffv~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "kkkkkkkkkkkkkkkkkkkk~~~~~~~~~~~~kkkkkkkkkkkkkkkkkkkk~~~~~~~~~~~~"
    "vvvvvvvvvvvvvvvvvvvvvvv~~~~~~~~~kkkkkkkkkkkkkkkkkkkkkkkkk~~~~~~~"
    "aaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbaaaaaaaaaaaa"
    "aaaaaaaaaaaaaabbbbbbb~bbbbbbbbbbbbbbbbbbaaaaaaaaaaaaaaaaaaaaaaaa"
    "aabbbbbbbbbbbbbbbbbbbbbbbbbba~aa~~a~~aa~~aaaa~aaaaaaaabbbb~b~bbb"
    "bbbb~bbbbbbbbbbbaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbb"
    "bbbbaa~aaaa~~aaaaaaaa~aaaaaaa~bbbbbbbbbbbbbbbbbbbbbbbbbbaa~aaaa~"
    "aaaaa~a~~~aaaaaaa~bbbbbbbbbbbbbbbbbbbbbbbbbbaaaaaaaaaaaaaaaaaaaa"
    "aaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbb"
    "bbbbbbbbbbbbbbbbbbbbaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbb"
    "bbbbbbbbaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbaaaa"
    "aaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbaaaaaaaaaaaaaaaa"
    "aaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbb~~aaaaaaaaaaaaaaaaaaaaaaaa"
    "asbbbbbbbbbbbbbbbbbbbbbbbbbsbbbbbbaaaaaaaaaaaaaaaaaaaaaaaaasbbbb"
    "bbbbbbbbbbbbbbbbbbbbbsbbbbbbaaaaaaaaaaaaaaaaaaaaaaaaasbbbbbbbbbb"
    "bbbbbbbbbbbbbbbsbbbbbbaaaaaaaaaaaaaaaaaaaaaaaaasbbbbbbbbbbbbbbbb"
    "bbbbbbbbbsbbbbbbaaaaaaaaaaaaaaaaaaaaaaaaasbbbbbbbbbbbbbbbbbbbbbb"
    "bbbsbbbbbbab~~iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii"
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffvvvvfffff"
    "fffffffffffffffffffffffffffffffffffffffffffffvvvvvvvvfvvvvvvvvvv"
    "vvvvfvvrrrrr~~~~~~~~~~~~~~~fffff~fffffffffffffff~~~~~~~~~~~~~~~~"
    "bbbbbbbbbbebbbbbbbbbbbbbbbbbbbb~~~~~~bbbbbb~~~~~~~~~~~~~~~~~~~~~"
    "fffffff~fffffffffffffffff~~fffffff~ff~fffff~~~~~dddddddddddddddd"
    "dddddddddddddddddddddddddddddddddddddddddddddd~~~~~~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~f~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~fffffffddddddd~~"
    "iiiiiiiiii~~~~ev~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeef~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeffffiiiiiiiiii~~~~~t"
    "~~~~~~~~~~~~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeedffffiiiiiiiiii~~~~~~"
    "~~~~~~~~~~~~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeffeiiiiiiiiii~~~~r"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~eeeeeee~eeee~ee~eeeeeeeeeeeeeee~"
    "eeeee~~kkkkkkkkkfffffff~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    "bbbbfffffffd~~~~iiiiiiiiii~~~~rr~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~kkkkkkkkkkkkkkk"
    "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkvkkktkkkk~~~~~~~~~~~"
    "~kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkvkkkkkkkkkkkkkkk~~"
    "eeee~eeeeeeeeeeeeeeeeeeeeeeeeeee~ee~e~~e~eeeeeeeeee~eeee~e~e~~~~"
    "~~e~~~~e~e~e~eee~ee~e~~e~e~e~e~e~ee~e~~eeee~eeeeeee~eeee~eeee~e~"
    "eeeeeeeeee~eeeeeeeeeeeeeeeee~~~~~eee~eeeee~eeeeeeeeeeeeeeeee~~~~"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ss~~~~~~~~~~~~~~"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~~~vvvvvvvvvvvvvvvv"
    "vvvvvvvvvvvvvvvvvvvv~~~~~~~~~~~~vvvvvvvvvvvvvvv~~vvvvvvvvvvvvvvv"
    "~vvvvvvvvvvvvvvv~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~~~~~~~~~"
    "kkkkkkkkkkkkkvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~~~~~~~~~~~~~~~~~"
    "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~vvvvvvvvvvvvvvvvvvvvvvvvvv"
    "vvv~~~~~~~~~~~~~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~~~"
    "vvvvvvvvv~~~~~~~vv~~~~~~~~~~~~~~vvvvvv~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvuuuuu"
    "vvvvvvvvvvvvvvvvvvvvvvvv~~~~vvvvvvvvvvvvvvvvv~~~vvvvvvvvvvvvv~~~"
    "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~~~vvvvv"
    "vvvvvvvvvvvvvvvvvvvvvvvvvv~~~~~~vvvvvvvvvvvv~~~~v~~~~~~~~~~~~~~~"
    "vvvvvvvvvvvv~~~~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "vvvvvvvv~~~~~~~~vvvvvvvvvv~~~~~~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "vvvvvvvv~~~~~~~~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvv~~vvvvvvvvvvvv~~~~"
    "vv~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "vvvvvvvvvvvvvvvvvvvv~~~~~~~~~~~~vvvvvvvvvvvvvv~~vvvvvvvvvvvvv~~~"
    "vvvvvvvvvv~~~~~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "vvvvvvv~~~~~~~vvvvvvvvvvvvvvv~~vvvvvvvvvvv~~~~~~vvvvvvvvv~~~~~~~"
    "vvvvvvvvvvvvvvvvvvv~vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~~~~~eeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~~~~~~eeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
    "eeeeeeeeeee~~~~~eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee~~~~~~~~~~~~~~~~"
    "~{~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{"
    "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{"
    "ffffffffffffffffffffffffffffffffffffffffffffffff~~~~~~~~~~~~~~~~"
    "}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}~~";

}  // namespace

Category category(char32_t code) {
  if (code >= 0x110000) return Category::Cn;
  const uint16_t small = kSmallOf[kLargeOf[code / 2048]][code / 64 % 32];
  return static_cast<Category>(kCategories[small * 64 + code % 64] - 'a');
}

}  // namespace gyre
