"""Embeddings."""

import torch

from gyre.torch.hypll.tensors import ManifoldParameter, TangentTensor

__all__ = ["HEmbedding"]


class HEmbedding(torch.nn.Module):
    """A table of num_embeddings points, initially exp0 of normally distributed vectors, selected by indices."""

    def __init__(self, num_embeddings, embedding_dim, manifold):
        super().__init__()
        self.num_embeddings, self.embedding_dim, self.manifold = num_embeddings, embedding_dim, manifold
        self.weight = ManifoldParameter(torch.empty(num_embeddings, embedding_dim), manifold)
        self.reset_parameters()

    def reset_parameters(self):
        """Draws the points again."""
        with torch.no_grad():
            table = self.weight.tensor
            vectors = torch.normal(torch.zeros_like(table), torch.ones_like(table))
            table.copy_(self.manifold.expmap(TangentTensor(vectors, manifold=self.manifold)).tensor)

    def forward(self, input):
        return self.weight[input]
