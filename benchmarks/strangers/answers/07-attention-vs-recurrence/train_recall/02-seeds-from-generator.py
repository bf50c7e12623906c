def train_recall(model, steps, pairs, seed):
    model.train()
    dice = torch.Generator().manual_seed(seed)
    seeds = torch.randint(2**31, (steps,), generator=dice).tolist()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
    criterion = nn.CrossEntropyLoss()
    history = []
    for i, batch_seed in enumerate(seeds):
        x, q, y = recall_batch(64, pairs, model.num_keys, model.num_values, batch_seed)
        opt.zero_grad(set_to_none=True)
        loss = criterion(model(x, q), y)
        loss.backward()
        opt.step()
        history.append(float(loss))
        if i % 100 == 0:
            print(f"step {i}: {history[-1]:.3f}")
    return history
