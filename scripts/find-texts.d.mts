export function findTexts(
  file: string,
  source: string,
  names?: ReadonlySet<string>,
): { keys: { key: string; line: number }[]; loose: { text: string; line: number }[] };
