"""The op table has the ops that a deep learning library needs, under their usual names."""

import unittest

from command import CommandTest

# By kind. `name=op` if the op table uses another name.
WANTED = {
    "elementwise": """add sub mul div pow neg abs sign min=minimum max=maximum clamp exp exp2 expm1 log log1p log2
        sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf sigmoid relu leaky_relu elu gelu
        silu softplus floor ceil round eq ne lt le gt ge logical_and logical_or logical_xor logical_not where lerp
        floor_divide remainder shift_left shift_right""",
    "reductions": """sum mean prod max min argmax argmin var std norm logsumexp any all cumsum cumprod sort topk""",
    "linear algebra": """matmul einsum linear outer conv1d conv2d conv_transpose1d conv_transpose2d max_pool1d
        max_pool2d avg_pool1d avg_pool2d adaptive_max_pool2d adaptive_avg_pool2d unfold im2col fold=col2im cholesky qr
        svd eigh solve triangular_solve inverse det slogdet lstsq""",
    "fused pairs": "add_relu mul_relu affine linear_act",
    "shape": """reshape permute transpose squeeze unsqueeze expand cat stack split chunk flip roll pad tile diagonal
        tril triu slice select""",
    "index": """gather scatter scatter_add scatter_reduce index_select index index_put take where masked_fill embedding
        one_hot nonzero unique searchsorted bincount""",
    "norm and loss": """softmax log_softmax layer_norm rms_norm group_norm batch_norm dropout mse l1 huber bce
        cross_entropy nll kl=kl_div cosine_similarity""",
    "attention": "scaled_dot_product_attention rope",
    "random": "rand randn randint",
    "dtypes": "to",
}


class OpList(CommandTest):
    def test_all_ops_exist(self):
        table = {op["name"] for op in self.json("ops")}
        for kind, names in WANTED.items():
            for name in names.split():
                with self.subTest(kind=kind):
                    self.assertIn(name.rpartition("=")[2], table)

    def test_definitions_tell_locality_version_and_devices(self):
        table = {op["name"]: op for op in self.json("ops")}
        wanted = {"add": "element", "dropout": "element", "softmax": "row", "cumsum": "row", "matmul": "any"}
        self.assertEqual({name: table[name]["local"] for name in wanted}, wanted)
        self.assertEqual({op["version"] for op in table.values()}, {1})
        self.assertEqual(table["cholesky"]["host_only"], "LAPACK runs on the CPU")
        self.assertIsNone(table["add"]["host_only"])


if __name__ == "__main__":
    unittest.main()
