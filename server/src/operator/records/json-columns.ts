// Lists and objects in JSON text columns, as this folder reads and writes them.
export function readList(text: string): string[];
export function readList(text: string | null): string[] | null;
export function readList(text: string | null): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]);
}

export function writeList(list: readonly string[]): string;
export function writeList(list: readonly string[] | null): string | null;
export function writeList(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}

export function readMap(text: string): Record<string, string> {
  return JSON.parse(text) as Record<string, string>;
}
