// Stops parts one after another: one that fails keeps none behind it from being stopped.

/** What a part is called in the log, and how it is stopped. */
export type StopStep = readonly [name: string, stop: () => unknown];

/** Rejects at the end, with all errors, when something could not be stopped. */
export async function stopInOrder(
  steps: readonly StopStep[],
  onError: (error: unknown, name: string) => void,
): Promise<void> {
  const errors: unknown[] = [];
  const failed: string[] = [];
  for (const [name, stop] of steps) {
    try {
      await stop();
    } catch (error) {
      errors.push(error);
      failed.push(name);
      onError(error, name);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `could not be stopped cleanly: ${failed.join(', ')}`);
}
