// What kind of file it is: as its sender says, else by its first bytes, else by its name.
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['%PDF-', 'application/pdf'],
  ['\x89PNG', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
];
const ENDINGS: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  jsonl: 'application/jsonl',
};
/** What a sender says who does not know. */
export const UNKNOWN = 'application/octet-stream';

export function mediaTypeOf({ type, filename, bytes }: { type: string; filename: string; bytes: Buffer }): string {
  if (type !== UNKNOWN) return type;
  const head = bytes.toString('latin1', 0, 12);
  const [, known] = BEGINNINGS.find(([beginning]) => head.startsWith(beginning)) ?? [];
  if (known !== undefined) return known;
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp';
  return ENDINGS[filename.split('.').at(-1)?.toLowerCase() ?? ''] ?? UNKNOWN;
}
