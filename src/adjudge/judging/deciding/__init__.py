"""Which threshold and which policy to run: chosen on some weeks, paid on others."""
