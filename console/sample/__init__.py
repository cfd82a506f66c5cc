"""A made-up company to look around with: its question keys, policies and customers, loaded by `load_sample`."""
