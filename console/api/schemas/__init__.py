"""The shapes of bodies and answers, for the OpenAPI description. Bodies are read by `drafts.decisions.reading`."""
