// Parameters hidden in a prompt, as older models of family beta take them: `a cat --dur 10 --rs 1080p`. They change what a
// task costs behind the back of its body, so a hold must know of them.
export interface PromptSuffixes {
  /** Of several, the largest: which of them counts, only the upstream knows. */
  seconds: number | undefined;
  frames: number | undefined;
  resolutions: readonly string[];
  namesRatio: boolean;
}

const SUFFIX = /--(duration|dur|frames|resolution|rs|ratio|rt)[\s=]+(\S{1,20})/giu;

export function readSuffixes(prompt: string): PromptSuffixes {
  const values = new Map<string, string[]>();
  for (const [, name = '', value = ''] of prompt.matchAll(SUFFIX)) {
    const known = values.get(name.toLowerCase());
    if (known === undefined) values.set(name.toLowerCase(), [value]);
    else known.push(value);
  }
  const all = (...names: string[]): string[] => names.flatMap((name) => values.get(name) ?? []);
  return {
    seconds: largest(all('duration', 'dur')),
    frames: largest(all('frames')),
    resolutions: all('resolution', 'rs').filter((value) => /^\d+[pk]$/i.test(value)),
    namesRatio: all('ratio', 'rt').length > 0,
  };
}

function largest(values: readonly string[]): number | undefined {
  const numbers = values.filter((value) => /^\d{1,6}$/.test(value)).map(Number);
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}
