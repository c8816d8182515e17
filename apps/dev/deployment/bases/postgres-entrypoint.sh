#!/bin/bash
# Stands in for the entrypoint of the image `postgres`: makes a new cluster, runs the scripts for a new volume, then serves.
set -euo pipefail
if [ "$(id -u)" = 0 ]; then
  install -d -o postgres -g postgres -m 700 "$PGDATA" /var/run/postgresql
  chown postgres "$(dirname "$PGDATA")" /var/lib/postgresql
  exec gosu postgres "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  user="${POSTGRES_USER:-postgres}"
  initdb --username "$user" --auth-local trust --auth-host scram-sha-256 --pwfile <(printf '%s\n' "$POSTGRES_PASSWORD") "$PGDATA"
  printf 'host all all all scram-sha-256\n' >> "$PGDATA/pg_hba.conf"
  pg_ctl --pgdata "$PGDATA" --options "-c listen_addresses=" --wait start
  export PGHOST=/var/run/postgresql POSTGRES_USER="$user"
  for script in /docker-entrypoint-initdb.d/*.sh; do
    if [ -x "$script" ]; then "$script"; else sh "$script"; fi
  done
  pg_ctl --pgdata "$PGDATA" --mode fast --wait stop
fi
exec "$@" -c listen_addresses='*'
