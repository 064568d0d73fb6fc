// How busy the event loop is.

/** Each call tells which part of the time since the last one the event loop had something to do. */
export function measureUtilisation(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
