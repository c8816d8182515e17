#!/bin/sh
# Upgrades the installation of docker compose to the image of this checkout, without an outage: first the database, then the new workers
# and APIs beside the old ones, then the old ones stop. Needs apps/deploy/balanced.yml. After a failure the old ones go on, and it can be run again.
set -eu
cd "$(dirname "$0")/../.."
compose() { docker compose -f docker-compose.yml -f apps/deploy/balanced.yml "$@"; }

# The service whose new containers have not taken over yet, and its old containers.
service='' old=''
get_new() { compose ps --all --quiet "$service" | grep --invert-match --fixed-strings "$old"; }

# Takes away the new containers of an upgrade that failed or was stopped, so that the next one begins with the old ones alone.
undo() {
  if [ -n "$service" ] && new=$(get_new); then
    echo "Taking the new containers of $service away; the old ones go on." >&2
    docker rm --force $new > /dev/null
  fi
}
trap undo EXIT
trap 'exit 1' INT TERM HUP

# Waits until each of the containers is healthy, at most three minutes.
wait_until_healthy() {
  ends=$(($(date +%s) + ${UPGRADE_WAIT_S:-180}))
  for container in "$@"; do
    until [ "$(docker inspect --format '{{.State.Health.Status}}' "$container")" = healthy ]; do
      if [ "$(date +%s)" -ge "$ends" ]; then
        docker logs --tail 20 "$container" >&2
        echo "A new container of $service is not healthy in time. Its last lines are above." >&2
        exit 1
      fi
      sleep 1
    done
  done
}

# Starts as many new containers of a service as there are old ones, and stops the old ones when the new ones are healthy.
replace() {
  old=$(compose ps --all --quiet "$1")
  service=$1
  count=$(echo "$old" | wc -w)
  echo "Starting $count new containers of $1 ..."
  compose up --detach --no-deps --no-recreate --scale "$1=$((count * 2))" "$1"
  wait_until_healthy $(get_new)
  # The balancer finds them within two seconds.
  sleep 3
  service=''
  echo "Stopping the $count old containers of $1 ..."
  docker stop --time 40 $old > /dev/null
  docker rm $old > /dev/null
}

for running in balancer api worker; do
  if [ -z "$(compose ps --quiet "$running")" ]; then
    echo "There is no container of $running to upgrade beside. Start the installation with apps/deploy/balanced.yml first:" >&2
    echo '  docker compose -f docker-compose.yml -f apps/deploy/balanced.yml up -d --build' >&2
    exit 1
  fi
done
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
