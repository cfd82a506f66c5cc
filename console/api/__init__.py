"""The HTTP API under /api/v1: one module per resource, its schemas in `console/api/schemas/` beside it."""
