// How long a slot stays empty after its worker died: a worker that dies at once must not be started without end.
const [FIRST_MS, LONGEST_MS] = [1_000, 30_000];

export const restartPause = {
  /** One that has lived for so long starts with the first pause again. */
  forgottenAfterMs: 60_000,
  /** `deaths`: in a row, this one included. */
  of: (deaths: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** (deaths - 1)),
};
