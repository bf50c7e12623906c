"""What visible checks are written and run with: the engine's lowest room, which students carry."""
