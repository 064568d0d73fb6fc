// What a request asks for beside text, by the modalities that it names.

export type OutputMedia = readonly ('audio' | 'image')[];

const ALL: OutputMedia = ['audio', 'image'];

/** Of a list of modalities; what is none, or names one that is not known, may mean any of them. */
export function mediaAmong(modalities: unknown): OutputMedia {
  if (!Array.isArray(modalities)) return ALL;
  const names = modalities.map((one: unknown) => (typeof one === 'string' ? one.toLowerCase() : ''));
  const isKnown = (name: string): boolean => name === 'text' || ALL.some((medium) => medium === name);
  return names.every(isKnown) ? ALL.filter((medium) => names.includes(medium)) : ALL;
}
