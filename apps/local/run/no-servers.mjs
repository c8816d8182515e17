/** Takes the place of Jest's set-up and tear-down for tests that need no server, so that nothing must be built for them. */
export default function startNothing() {}
