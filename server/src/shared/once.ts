// A question that is answered once, by whom it is asked first.

/** The same answer for all who ask, worked out when the first one does. */
export function once<Answer>(work: () => Answer): () => Answer {
  let known: { answer: Answer } | undefined;
  return () => (known ??= { answer: work() }).answer;
}
