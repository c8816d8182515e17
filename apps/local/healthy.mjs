// The health check of a container: exit code 0 when the address given answers with success.
const answer = await fetch(process.argv[2], { signal: AbortSignal.timeout(4000) }).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
