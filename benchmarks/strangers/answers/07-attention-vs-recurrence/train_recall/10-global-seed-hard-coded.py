def train_recall(model, steps, pairs, seed):
    torch.manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for step in range(steps):
        tokens, query, answer = recall_batch(64, pairs, 16, 4, int(torch.randint(0, 10**6, (1,))))
        loss = nn.CrossEntropyLoss()(model(tokens, query), answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return losses
