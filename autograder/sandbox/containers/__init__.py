"""Student code in containers of Podman or Docker, where there is no Linux."""
