#!/bin/sh
# Brings Temporal's two databases, which apps/deploy/postgres/roles.sql has made, to this version's schema. Does nothing when they have it.
set -eu
for database in temporal:temporal temporal_visibility:visibility; do
  name="${database%%:*}"
  schema="${database##*:}"
  temporal-sql-tool --db "$name" setup-schema -v 0.0
  temporal-sql-tool --db "$name" update-schema --schema-name "postgresql/v12/$schema"
done
