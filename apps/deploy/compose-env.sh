#!/bin/sh
# Writes .env for docker-compose.yml: the secret of the installation and a password for each user of Postgres. Never writes over a
# file, because an installation cannot be read with another secret. Keep a copy where the backups are not.
set -eu
cd "$(dirname "$0")/../.."
if [ -e .env ]; then
  echo '.env is there already, and nothing was changed. To begin anew, move it away and delete the volumes.' >&2
  exit 1
fi
random() { od -An -N 32 -tx1 /dev/urandom | tr -d ' \n'; }
umask 077
{
  for name in HOLDFAST_SECRET POSTGRES_PASSWORD HOLDFAST_OWNER_PASSWORD HOLDFAST_SERVICE_PASSWORD TEMPORAL_PASSWORD; do
    echo "$name=$(random)"
  done
} > .env
echo 'Wrote .env, for its owner alone. Next: docker compose up --build'
