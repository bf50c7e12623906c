def train_recall(model, steps, pairs, seed):
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = torch.zeros(steps)
    for t in range(steps):
        batch = recall_batch(64, pairs, model.num_keys, model.num_values, seed=seed + t)
        logits = model(batch[0], batch[1])
        loss = F.nll_loss(F.log_softmax(logits, dim=1), batch[2])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses[t] = loss.detach()
    return losses.tolist()
