#!/bin/sh
# Makes the namespace and the search attributes of a run. Does nothing when they are there.
set -eu
# Asks again for at most three minutes, and says what it waits for.
ask_until_answered() {
  what="$1"
  shift
  ends=$(($(date +%s) + 180))
  until "$@"; do
    if [ "$(date +%s)" -ge "$ends" ]; then
      echo "Gave up after three minutes without an answer from $what. See: docker compose logs temporal" >&2
      exit 1
    fi
    echo "Waiting for $what at $TEMPORAL_ADDRESS ..." >&2
    sleep 1
  done
}

ask_until_answered Temporal temporal operator cluster health
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 720h

# A new namespace takes a moment to be known everywhere.
ask_until_answered "the namespace $TEMPORAL_NAMESPACE" temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE"
# The list is held to dynamic-config.ts by a test.
for attribute in \
  HoldfastWorkspace=Keyword \
  HoldfastWorkflow=Keyword \
  HoldfastWorkflowName=Keyword \
  HoldfastTrigger=Keyword \
  HoldfastState=Keyword \
  HoldfastVersion=Int; do
  temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" \
    --name "${attribute%%=*}" --type "${attribute##*=}"
done
