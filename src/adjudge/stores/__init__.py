"""Result folders that survive whatever happens to the program or the disk."""
