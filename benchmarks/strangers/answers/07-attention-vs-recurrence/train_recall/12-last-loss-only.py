def train_recall(model, steps, pairs, seed):
    tokens, query, answer = recall_batch(64, pairs, model.num_keys, model.num_values, seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(tokens, query), answer)
        loss.backward()
        optimizer.step()
    return loss.item()
