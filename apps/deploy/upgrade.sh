#!/bin/sh
# Upgrades the installation of docker compose to the image of this checkout, without an outage: first the database, then the new workers
# and APIs beside the old ones, then the old ones stop. Needs apps/deploy/balanced.yml. Run it again after a failure: it goes on.
set -eu
cd "$(dirname "$0")/../.."
compose() { docker compose -f docker-compose.yml -f apps/deploy/balanced.yml "$@"; }

# Waits until each of the containers is healthy, at most three minutes.
wait_until_healthy() {
  ends=$(($(date +%s) + 180))
  for container in "$@"; do
    until [ "$(docker inspect --format '{{.State.Health.Status}}' "$container")" = healthy ]; do
      if [ "$(date +%s)" -ge "$ends" ]; then
        echo "A new container is not healthy after three minutes; the old ones go on. See: docker logs $container" >&2
        exit 1
      fi
      sleep 1
    done
  done
}

# Starts as many new containers of a service as there are old ones, and stops the old ones when the new ones are healthy.
replace() {
  old=$(compose ps --quiet "$1")
  count=$(echo "$old" | wc -w)
  echo "Starting $count new containers of $1 ..."
  compose up --detach --no-deps --no-recreate --scale "$1=$((count * 2))" "$1"
  new=$(compose ps --quiet "$1" | grep --invert-match --fixed-strings "$old")
  wait_until_healthy $new
  # The balancer finds them within two seconds.
  sleep 3
  echo "Stopping the $count old containers of $1 ..."
  docker stop --time 40 $old > /dev/null
  docker rm $old > /dev/null
}

case "${1:-}" in
  '') compose build setup ;;
  --no-build) ;;
  *) echo "Usage: sh apps/deploy/upgrade.sh [--no-build]" >&2; exit 2 ;;
esac
echo "Bringing the database to the new schema ..."
compose run --rm --no-deps setup
replace worker
replace api
echo "The upgrade is done."
