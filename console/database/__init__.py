"""Where the database comes from: an embedded PostgreSQL or the server of DATABASE_URL, its roles, and the check before serving."""
