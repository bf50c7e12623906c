"""Right ways to draw a batch."""

from functools import partial

from autograder.bank import Variant

batch = partial(Variant, "recall_batch")

VARIANTS = (
    batch(
        "a permutation for each sequence",
        """
        import torch

        def recall_batch(batch, pairs, num_keys, num_values, seed):
            if pairs < 1 or pairs > num_keys:
                raise ValueError(f"{pairs} pairs cannot have {num_keys} distinct keys")
            g = torch.Generator()
            g.manual_seed(seed)
            tokens, query, answer = [], [], []
            for _ in range(batch):
                keys = torch.randperm(num_keys, generator=g)[:pairs]
                values = torch.randint(0, num_values, (pairs,), generator=g)
                place = torch.randint(0, pairs, (), generator=g)
                tokens.append(keys * num_values + values)
                query.append(keys[place])
                answer.append(values[place])
            return torch.stack(tokens), torch.stack(query), torch.stack(answer)
        """,
    ),
    batch(
        "drawn without putting back",
        """
        import torch

        def recall_batch(batch, pairs, num_keys, num_values, seed):
            if not 0 < pairs <= num_keys:
                raise ValueError(f"pairs={pairs}, num_keys={num_keys}")
            g = torch.Generator().manual_seed(seed)
            keys = torch.multinomial(torch.ones(batch, num_keys), pairs, generator=g)
            tokens = keys * num_values + torch.randint(num_values, keys.shape, generator=g)
            place = torch.randint(pairs, (batch,), generator=g)
            asked = tokens[torch.arange(batch), place]
            return tokens, asked // num_values, asked % num_values
        """,
    ),
    batch(
        "the first pair of a shuffled sequence",
        """
        import torch

        def recall_batch(batch, pairs, num_keys, num_values, seed):
            if pairs > num_keys or pairs < 1:
                raise ValueError(f"{num_keys} keys are not enough for {pairs} pairs")
            g = torch.Generator().manual_seed(seed)
            keys = torch.rand(batch, num_keys, generator=g).topk(pairs).indices
            values = torch.randint(num_values, (batch, pairs), generator=g)
            order = torch.rand(batch, pairs, generator=g).argsort(1)
            tokens = (keys * num_values + values).gather(1, order)
            return tokens, keys[:, 0].clone(), values[:, 0].clone()
        """,
    ),
    batch(
        "Python's own generator",
        """
        import random
        import torch

        def recall_batch(batch, pairs, num_keys, num_values, seed):
            if not 1 <= pairs <= num_keys:
                raise ValueError(f"pairs is {pairs}, but num_keys is {num_keys}")
            dice = random.Random(seed)
            tokens, query, answer = [], [], []
            for _ in range(batch):
                keys = dice.sample(range(num_keys), pairs)
                row = {key: dice.randrange(num_values) for key in keys}
                asked = dice.choice(list(row))
                tokens.append([key * num_values + value for key, value in row.items()])
                query.append(asked)
                answer.append(row[asked])
            return torch.tensor(tokens), torch.tensor(query), torch.tensor(answer)
        """,
    ),
    batch(
        "NumPy's generator",
        """
        import numpy as np
        import torch

        def recall_batch(batch, pairs, num_keys, num_values, seed):
            if not 1 <= pairs <= num_keys:
                raise ValueError("pairs %d, num_keys %d" % (pairs, num_keys))
            rng = np.random.default_rng(seed)
            keys = rng.permuted(np.tile(np.arange(num_keys), (batch, 1)), axis=1)[:, :pairs]
            values = rng.integers(num_values, size=(batch, pairs))
            place = rng.integers(pairs, size=batch)
            rows = np.arange(batch)
            found = (keys * num_values + values, keys[rows, place], values[rows, place])
            return tuple(torch.from_numpy(np.ascontiguousarray(part)).long() for part in found)
        """,
    ),
    batch(
        "torch's own state, put back afterwards",
        """
        import torch

        def recall_batch(batch, pairs, num_keys, num_values, seed):
            if pairs < 1 or num_keys < pairs:
                raise ValueError(f"{pairs} > {num_keys}")
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(seed)
                keys = torch.stack([torch.randperm(num_keys)[:pairs] for _ in range(batch)])
                values = torch.randint(num_values, (batch, pairs))
                place = torch.randint(pairs, (batch, 1))
            query = torch.take_along_dim(keys, place, dim=1).flatten()
            answer = torch.take_along_dim(values, place, dim=1).flatten()
            return keys * num_values + values, query, answer
        """,
    ),
    batch(
        "keys exchanged place by place",
        """
        import torch

        def recall_batch(batch, pairs, num_keys, num_values, seed):
            if not 1 <= pairs <= num_keys:
                raise ValueError(f"pairs is {pairs}; it must be from 1 to num_keys, {num_keys}")
            g = torch.Generator().manual_seed(seed)
            keys = torch.arange(num_keys).repeat(batch, 1)
            for place in range(pairs):  # Fisher and Yates
                other = torch.randint(place, num_keys, (batch, 1), generator=g)
                here = keys[:, place : place + 1].clone()
                keys[:, place : place + 1] = keys.gather(1, other)
                keys.scatter_(1, other, here)
            values = torch.randint(num_values, (batch, num_keys), generator=g)
            tokens = (keys * num_values + values)[:, :pairs]
            place = torch.randint(pairs, (batch, 1), generator=g)
            asked = tokens.gather(1, place)[:, 0]
            return tokens, torch.div(asked, num_values, rounding_mode="floor"), asked % num_values
        """,
    ),
    batch(
        "a value for every key, of which some come",
        """
        import torch

        def recall_batch(batch, pairs, num_keys, num_values, seed):
            if pairs < 1 or pairs > num_keys:
                raise ValueError(f"pairs={pairs} does not lie between 1 and num_keys={num_keys}")
            g = torch.Generator().manual_seed(seed)
            table = (num_values * torch.rand(batch, num_keys, generator=g)).long()
            order = torch.rand(batch, num_keys, generator=g).sort(dim=1, descending=True).indices
            keys = order[:, :pairs]
            query = keys[:, -1]
            tokens = keys * num_values + table.gather(1, keys)
            mixed = torch.rand(batch, pairs, generator=g).argsort(dim=1)
            return tokens.gather(1, mixed), query, table[torch.arange(batch), query]
        """,
    ),
    batch(
        "a generator for every sequence",
        """
        import torch

        def recall_batch(batch, pairs, num_keys, num_values, seed):
            if pairs not in range(1, num_keys + 1):
                raise ValueError(f"{pairs} pairs, {num_keys} keys")
            root = torch.Generator().manual_seed(seed)
            rows = []
            for own in torch.randint(2**62, (batch,), generator=root).tolist():
                g = torch.Generator().manual_seed(own)
                keys = torch.randperm(num_keys, generator=g)[:pairs]
                values = torch.randint(num_values, (pairs,), generator=g)
                place = int(torch.randint(pairs, (1,), generator=g))
                rows.append((keys * num_values + values, keys[place], values[place]))
            return tuple(map(torch.stack, zip(*rows)))
        """,
    ),
)
