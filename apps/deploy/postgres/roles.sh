#!/bin/sh
# Makes the users and databases of docker-compose.yml when its volume is new.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set owner_password="$HOLDFAST_OWNER_PASSWORD" \
  --set service_password="$HOLDFAST_SERVICE_PASSWORD" \
  --set temporal_password="$TEMPORAL_PASSWORD" \
  --file /holdfast/roles.sql
# Only a superuser may make this extension; the set-up of Holdfast, which is none, needs it.
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname holdfast --command 'create extension if not exists vector'
