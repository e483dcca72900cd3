"""Trees embedded in stereographic models."""

import itertools

import torch

__all__ = ["StereographicTreeDataset"]


class StereographicTreeDataset(torch.utils.data.Dataset):
    """Noisy observations of the nodes of a tree whose root is the origin of `ball`: a diffusion along the tree.

    Each node has `numberOfChildren` children at distance `dist_children` in random directions away from its own, and
    `numberOfsiblings` observations of variance `sigma_sibling` around it. An item is (point, labels of the path from
    the root with -1 below the node, label of the node)."""

    def __init__(self, ball, dim, depth, numberOfChildren=2, dist_children=1, sigma_sibling=2, numberOfsiblings=1):
        self.dim, self.depth = int(dim), int(depth)
        self.ball, self.root = ball, ball.origin(int(dim))
        self.numberOfChildren, self.numberOfsiblings = int(numberOfChildren), int(numberOfsiblings)
        self.dist_children, self.sigma_sibling = dist_children, sigma_sibling
        with torch.no_grad():
            self._grow()
        self.num_classes = self.origin_labels.max().item() + 1

    def __len__(self):
        return len(self.data)

    def __getitem__(self, idx):
        labels = self.labels[idx]
        return self.data[idx], labels, labels.max(-1).values

    def _grow(self):
        counter = itertools.count()
        path = torch.full((self.depth + 1,), -1)
        path[0] = next(counter)
        level, nodes = [(self.root, path)], []
        for below in range(1, self.depth + 2):
            nodes += level
            level = [(child, _extended(path, below, next(counter)))
                     for point, path in level for child in self._children(point)] if below <= self.depth else []
        points, paths = (torch.stack(part) for part in zip(*nodes))
        self.origin_data, self.origin_labels = points, paths
        self.data = torch.cat([self._observations(point) for point in points])
        self.labels = paths.repeat_interleave(self.numberOfsiblings, 0)

    def _children(self, point):
        along = point / point.norm().clamp_min(1e-15)
        binary = self.dim == 2 and self.numberOfChildren == 2
        directions = torch.randn(1 if binary else self.numberOfChildren, self.dim, dtype=point.dtype)
        directions = directions - (directions @ along).unsqueeze(-1) * along
        directions = torch.cat([directions, -directions]) if binary else directions
        return self.ball.geodesic_unit(torch.as_tensor(float(self.dist_children)), point, directions)

    def _observations(self, point):
        return self.ball.random(self.numberOfsiblings, self.dim, mean=point, std=self.sigma_sibling ** 0.5)


def _extended(path, place, label):
    path = path.clone()
    path[place] = label
    return path
