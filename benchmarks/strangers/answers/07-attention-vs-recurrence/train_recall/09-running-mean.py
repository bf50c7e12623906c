def train_recall(model, steps, pairs, seed):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    running_loss = 0.0
    for i in range(1, steps + 1):
        tokens, query, answer = recall_batch(64, pairs, 16, 4, seed + i)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(tokens, query), answer)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
        losses.append(running_loss / i)
    return losses
