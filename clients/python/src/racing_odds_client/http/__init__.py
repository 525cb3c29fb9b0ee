"""One call: its address, its attempts and its answer."""
