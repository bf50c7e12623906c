"""Right ways to train and to measure."""

from functools import partial

from autograder.bank import Variant

train = partial(Variant, "train_recall")
measure = partial(Variant, "recall_by_length")

TRAINING = (
    train(
        "seeds drawn from a generator",
        """
        import torch
        import torch.nn.functional as F

        def train_recall(model, steps, pairs, seed):
            model.train()
            opt = torch.optim.Adam(model.parameters(), 1e-2)
            g = torch.Generator().manual_seed(seed)
            losses = []
            for _ in range(steps):
                own = torch.randint(2**31, (), generator=g).item()
                batch = recall_batch(64, pairs, model.num_keys, model.num_values, own)
                tokens, query, answer = batch
                opt.zero_grad(set_to_none=True)
                loss = F.cross_entropy(model(tokens, query), answer)
                loss.backward()
                opt.step()
                losses += [float(loss)]
            return losses
        """,
    ),
    train(
        "the loss by hand",
        """
        import torch

        def train_recall(model, steps, pairs, seed):
            parameters = [p for p in model.parameters() if p.requires_grad]
            optimizer = torch.optim.Adam(parameters, lr=0.01)
            losses = []
            for step in range(steps):
                own = seed + 1009 * step
                t, q, a = recall_batch(64, pairs, model.num_keys, model.num_values, own)
                logs = model(t, q).log_softmax(-1)
                loss = -logs[torch.arange(len(a)), a].mean()
                for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
                    parameter.grad = gradient
                optimizer.step()
                losses.append(loss.detach().item())
            return losses
        """,
    ),
    train(
        "larger batches, and a module for the loss",
        """
        import torch
        from torch import nn

        def train_recall(model: nn.Module, steps: int, pairs: int, seed: int) -> list[float]:
            loss_of = nn.CrossEntropyLoss()
            optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.0)
            history = []
            for i in range(seed * 100_000, seed * 100_000 + steps):
                tokens, query, answer = recall_batch(
                    batch=96, pairs=pairs, num_keys=model.num_keys, num_values=model.num_values,
                    seed=i,
                )
                optimizer.zero_grad()
                loss = loss_of(model(tokens, query), answer)
                loss.backward()
                optimizer.step()
                history.append(loss)
            return [loss.item() for loss in history]
        """,
    ),
    train(
        "all sequences drawn at once",
        """
        import torch
        import torch.nn.functional as F

        def train_recall(model, steps, pairs, seed):
            drawn = recall_batch(64 * max(steps, 1), pairs, model.num_keys, model.num_values, seed)
            optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
            losses = []
            for tokens, query, answer in list(zip(*(part.split(64) for part in drawn)))[:steps]:
                loss = F.cross_entropy(model(tokens, query), answer)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            return losses
        """,
    ),
    train(
        "decay, clipped gradients and a schedule",
        """
        import torch
        import torch.nn.functional as F

        def train_recall(model, steps, pairs, seed):
            optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
            schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, max(steps, 1), 0.005)
            seeds = torch.randint(2**40, (steps,), generator=torch.Generator().manual_seed(seed))
            losses = []
            for own in seeds.tolist():
                t, q, a = recall_batch(32, pairs, model.num_keys, model.num_values, own)
                loss = F.cross_entropy(model(t, q), a)
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                losses.append(loss.item())
            return losses
        """,
    ),
)

MEASURING = (
    measure(
        "comprehensions",
        """
        import torch

        @torch.no_grad()
        def share(model, pairs, seed):
            model.eval()
            t, q, a = recall_batch(1000, pairs, model.num_keys, model.num_values, seed)
            return (model(t, q).argmax(1) == a).double().mean().item()

        def recall_by_length(models, pair_counts, seed):
            return {n: [share(m, pairs, seed) for pairs in pair_counts] for n, m in models.items()}
        """,
    ),
    measure(
        "counted in small batches",
        """
        import torch

        def recall_by_length(models, pair_counts, seed):
            result = {}
            for name in models:
                model, row = models[name], []
                for place, pairs in enumerate(pair_counts):
                    right = 0
                    for part in range(4):
                        own = seed * 10_000 + 10 * place + part
                        t, q, a = recall_batch(250, pairs, model.num_keys, model.num_values, own)
                        with torch.inference_mode():
                            right += int((model(t, q).max(dim=-1).indices == a).sum())
                    row.append(right / 1000)
                result[name] = row
            return result
        """,
    ),
    measure(
        "drawn once for all models, through NumPy",
        """
        import numpy as np
        import torch

        def recall_by_length(models, pair_counts, seed):
            accuracies = {name: [] for name in models}
            for pairs in pair_counts:
                for name, model in models.items():
                    tokens, query, answer = recall_batch(
                        2000, pairs, model.num_keys, model.num_values, seed + pairs
                    )
                    logits = model(tokens, query).detach().numpy()
                    hits = np.argmax(logits, axis=-1) == answer.numpy()
                    accuracies[name].append(float(np.mean(hits)))
            return accuracies
        """,
    ),
    measure(
        "in evaluation mode, which is put back",
        """
        import torch

        def recall_by_length(models, pair_counts, seed):
            shares, drawn = {}, {}
            for name, model in models.items():
                training = model.training
                model.eval()
                shares[name] = []
                for pairs in pair_counts:
                    sizes = (1200, pairs, model.num_keys, model.num_values)
                    if sizes not in drawn:
                        drawn[sizes] = recall_batch(*sizes, seed=seed)
                    t, q, a = drawn[sizes]
                    with torch.no_grad():
                        believed = model(t, q).softmax(-1).topk(1).indices.squeeze(-1)
                    shares[name].append(believed.eq(a).sum().item() / len(a))
                model.train(training)
            return shares
        """,
    ),
)

VARIANTS = (*TRAINING, *MEASURING)
