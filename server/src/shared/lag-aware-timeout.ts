// Time limits that count only while the event loop is awake: a process that was late itself must not take its own delay
// for the silence of another.
const STEPS = 5;

/** Each step ends after whatever had arrived by then was looked at. Gives back how to call it off. */
export function lagAwareTimeout(milliseconds: number, run: () => void): () => void {
  let left = STEPS;
  const timer = setInterval(() => {
    if (--left > 0) return;
    clearInterval(timer);
    run();
  }, milliseconds / STEPS);
  return () => clearInterval(timer);
}

/** Rejects when the answer takes longer. */
export function answeredWithin<T>(milliseconds: number, answer: Promise<T>, otherwise: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const callOff = lagAwareTimeout(milliseconds, () => reject(new Error(otherwise)));
    answer.finally(callOff).then(resolve, reject);
  });
}
