"""What a reader of evidence runs: one file that is handed out as it is and imports nothing of this product."""
