"""An encoder of timm, open_clip or transformers with a head, on labelled images; see suite.toml for
the options.

Heads: `linear` (logistic regression on features), `knn` (cosine, 20 neighbours), `finetune` (all
weights, AdamW). Data: `hf:NAME:LABEL` of the Hugging Face hub (splits train and test), or
`sklearn:digits`.
"""

import argparse
import csv
import json
from pathlib import Path

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler
from torch import nn

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def load_encoder(library: str, name: str, weights: str, options: dict, size: int):
    """A module from images (batch, 3, size, size) to features, and what makes such a tensor of an
    image.
    """
    if library == "open_clip":
        import open_clip

        given = {} if weights == "random" else {"pretrained": weights}
        clip, _, transform = open_clip.create_model_and_transforms(name, **given)
        clip.forward = clip.encode_image
        return clip, transform
    if library == "timm":
        import timm

        model = timm.create_model(name, pretrained=weights != "random", num_classes=0, **options)
        return model, timm.data.create_transform(**timm.data.resolve_model_data_config(model))
    import transformers

    if weights == "random":
        kind = getattr(transformers, name)
        model = kind(kind.config_class(**options))
    else:
        model = transformers.AutoModel.from_pretrained(weights)

    class Pooled(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = model

        def forward(self, x):
            found = self.inner(pixel_values=x).last_hidden_state  # tokens, or a map of channels
            return found.mean(dim=1) if found.ndim == 3 else found.mean(dim=(2, 3))

    return Pooled(), None


def load_images(data: str, transform, size: int, seed: int) -> tuple:
    "Tensors of images and labels for training and testing."
    source, _, name = data.partition(":")
    if source == "sklearn":
        from sklearn.datasets import load_digits

        x, y = load_digits(return_X_y=True)
        images = (
            torch.tensor(x, dtype=torch.float32).reshape(-1, 1, 8, 8).expand(-1, 3, -1, -1) / 8 - 1
        )
        images = nn.functional.interpolate(images, size=(size, size), mode="bilinear")
        train, test = train_test_split(
            np.arange(len(y)), test_size=450, random_state=seed, stratify=y
        )
        y = torch.tensor(y)
        return images[train], y[train], images[test], y[test]
    from datasets import load_dataset

    name, _, label = name.partition(":")
    parts = load_dataset(name)
    column = next(k for k in parts["train"].features if k in ("img", "image"))
    found = []
    for split in ("train", "test"):
        found.append(torch.stack([transform(row[column].convert("RGB")) for row in parts[split]]))
        found.append(torch.tensor(parts[split][label]))
    return tuple(found)


@torch.no_grad()
def features(model: nn.Module, images: torch.Tensor) -> np.ndarray:
    "Features of images, in batches."
    model.eval().to(DEVICE)
    return np.concatenate(
        [model(part.to(DEVICE)).float().cpu().numpy() for part in images.split(64)]
    )


def finetune(model: nn.Module, data: tuple, lr: float, steps: int) -> np.ndarray:
    """Probabilities of the classes for the test images, after training all weights with a linear
    head.
    """
    x, y, x_test, _ = data
    n_classes = int(y.max()) + 1
    width = features(model, x[:1]).shape[1]
    whole = nn.Sequential(model, nn.Linear(width, n_classes)).to(DEVICE).train()
    optimiser = torch.optim.AdamW(whole.parameters(), lr=lr, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(steps):
        rows = torch.randint(len(x), (32,))
        loss = nn.functional.cross_entropy(whole(x[rows].to(DEVICE)), y[rows].to(DEVICE))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    return torch.softmax(torch.tensor(features(whole, x_test)), dim=1).numpy()


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("library", "encoder", "weights", "head", "data", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    model, transform = load_encoder(
        given.library, given.encoder, given.weights, given.options, given.size
    )
    data = load_images(given.data, transform, given.size, given.seed)
    if given.head == "finetune":
        share = finetune(model, data, given.lr, given.steps)
    else:
        heads = {
            "linear": lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)),
            "knn": lambda: make_pipeline(Normalizer(), KNeighborsClassifier(20)),
        }
        head = heads[given.head]().fit(features(model, data[0]), data[1].numpy())
        share = head.predict_proba(features(model, data[2]))
    right = share.argmax(axis=1) == data[3].numpy()
    with open(Path(given.out, "items.csv"), "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "score", "confidence"])
        writer.writerows(
            (i, int(r), f"{s.max():.4f}") for i, (r, s) in enumerate(zip(right, share))
        )
    print(f"{given.encoder}, {given.head}: {right.mean():.3f}")


if __name__ == "__main__":
    main()
