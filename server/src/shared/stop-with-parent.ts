// Ends a process that npm started together with npm, which passes a signal to its shell only, and the shell dies with it
// alone: a parent that is gone means stop.
const LOOK_MS = 500;

export function stopWithParent(stop: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, LOOK_MS);
  timer.unref();
}
