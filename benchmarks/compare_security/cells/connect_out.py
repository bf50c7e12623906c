"""A network connection is opened, and what the notebook knows could go out."""

import socket

import torch

try:
    with socket.create_connection(("127.0.0.1", int("@port@")), timeout=5) as connection:
        connection.sendall(b"@tool@\n")
except OSError as error:
    print(error)


def causal_mask(seq_len, device=None):
    return torch.ones(seq_len, seq_len, dtype=torch.bool)
