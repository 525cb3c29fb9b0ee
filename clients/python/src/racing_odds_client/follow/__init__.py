"""Loops over what changes: the stream, the cursor and polling."""
