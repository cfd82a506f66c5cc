"""Where the database comes from (embedded, or DATABASE_URL), its roles, and the check before serving."""
