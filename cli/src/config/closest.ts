// The name that was probably meant by one with a slip in it.

/** undefined = none is near enough. */
export function closestOf(name: string, known: readonly string[]): string | undefined {
  const farthest = Math.max(1, Math.floor(name.length / 3));
  const near = known
    .map((one) => ({ one, steps: stepsBetween(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ steps }) => steps <= farthest)
    .sort((a, b) => a.steps - b.steps);
  return near[0]?.one;
}

/** Letters put in, left out or changed, and neighbours that changed places. */
function stepsBetween(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row++) {
    const steps = [row];
    rows.push(steps);
    for (let column = 1; column <= to.length; column++) {
      const change = from[row - 1] === to[column - 1] ? 0 : 1;
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      steps.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + change,
          isSwap ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
