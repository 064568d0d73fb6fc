// Which of the things found for an earlier text fit the text as it is now, while the gateway still searches for it.
interface Named {
  id: string;
  name: string;
}

/** The whole name first, as the gateway orders them. */
export function matchingText<Thing extends Named>(found: readonly Thing[], text: string): Thing[] {
  const wanted = text.trim().toLowerCase();
  const isWhole = ({ name }: Thing): boolean => name.toLowerCase() === wanted;
  return found
    .filter((one) => one.name.toLowerCase().includes(wanted) || one.id === text.trim())
    .toSorted((a, b) => Number(isWhole(b)) - Number(isWhole(a)));
}
