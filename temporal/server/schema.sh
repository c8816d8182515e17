#!/bin/sh
# Makes Temporal's two databases and brings them to this version's schema. Does nothing when they are there.
set -eu
for database in temporal:temporal temporal_visibility:visibility; do
  name="${database%%:*}"
  schema="${database##*:}"
  temporal-sql-tool --db "$name" create
  temporal-sql-tool --db "$name" setup-schema -v 0.0
  temporal-sql-tool --db "$name" update-schema --schema-name "postgresql/v12/$schema"
done
