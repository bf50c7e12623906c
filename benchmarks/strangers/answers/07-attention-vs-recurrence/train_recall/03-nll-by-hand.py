import random

def train_recall(model: "AttentionRecall | LSTMRecall", steps: int, pairs: int, seed: int) -> list[float]:
    rnd = random.Random(seed)
    adam = torch.optim.Adam(list(model.parameters()), lr=0.01)

    def one_step():
        tokens, query, answer = recall_batch(
            batch=128, pairs=pairs, num_keys=model.num_keys, num_values=model.num_values,
            seed=rnd.randrange(2**40),
        )
        log_p = torch.log_softmax(model(tokens, query), dim=-1)
        loss = -log_p.gather(1, answer[:, None]).mean()
        for p in model.parameters():
            p.grad = None
        loss.backward()
        adam.step()
        return loss.detach().item()

    return [one_step() for _ in range(steps)]
