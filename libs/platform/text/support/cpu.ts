/** Returns the CPU time of this process in milliseconds. Other processes on the machine do not change it. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
