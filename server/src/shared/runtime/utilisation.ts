// Gain: the share of time that the event loop is busy, without a timer of its own. Removable with its users alone.

/** Each call returns the busy share of the time since the last call. */
export function measureUtilisation(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
