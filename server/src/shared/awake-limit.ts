// A time limit for an answer that counts only while the event loop is awake: a process that was late itself must not take
// its own delay for the silence of another.
const STEPS = 5;

/** Rejects when the answer takes longer. Each step ends after whatever had arrived by then was looked at. */
export function answeredWithin<T>(milliseconds: number, answer: Promise<T>, otherwise: string): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = STEPS;
    const timer = setInterval(() => {
      if (--left > 0) return;
      clearInterval(timer);
      reject(new Error(otherwise));
    }, milliseconds / STEPS);
    answer.finally(() => clearInterval(timer)).then(resolve, reject);
  });
}
