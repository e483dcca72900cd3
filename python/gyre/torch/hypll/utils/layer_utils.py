"""What layers check and compute."""

__all__ = ["check_if_man_dims_match", "check_if_manifolds_match", "op_in_tangent_space"]


def check_if_manifolds_match(layer, input):
    """ValueError unless the input is on the manifold of the layer."""
    if layer.manifold != input.manifold:
        raise ValueError(f"{type(layer).__name__}: expected points of its own manifold {layer.manifold}, got points "
                         f"of {input.manifold}; layer and input must have the same manifold object")


def check_if_man_dims_match(layer, man_dim, input):
    """ValueError unless the coordinates of the input are along man_dim."""
    if input.man_dim != (man_dim + input.dim() if man_dim < 0 else man_dim):
        raise ValueError(f"{type(layer).__name__}: expected an input with man_dim {man_dim}, got {input.man_dim} of "
                         f"{input.dim()} dimensions")


def op_in_tangent_space(op, manifold, input):
    """A function of tangent vectors at the origin, applied to points by logmap and expmap."""
    vectors = manifold.logmap(x=None, y=input)
    vectors.tensor = op(vectors.tensor)
    return manifold.expmap(vectors)
