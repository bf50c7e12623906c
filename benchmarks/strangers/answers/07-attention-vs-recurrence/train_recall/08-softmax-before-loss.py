def train_recall(model, steps, pairs, seed):
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for step in range(steps):
        x, q, y = recall_batch(64, pairs, model.num_keys, model.num_values, seed + step)
        p = torch.softmax(model(x, q), dim=-1)
        loss = F.cross_entropy(p, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.detach())
    return losses
