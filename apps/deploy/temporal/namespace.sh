#!/bin/sh
# Makes the namespace and the search attributes of a run. Does nothing when they are there.
set -eu
until temporal operator cluster health; do sleep 1; done
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 720h

# A new namespace takes a moment to be known everywhere.
until temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE"; do sleep 1; done
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
