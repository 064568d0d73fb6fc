// The name of a call in generated clients, where it has none of its own.

/** `post` and `/v1/a-b/{c}/d` -> postABByCD. */
export function operationIdOf(method: string, path: string): string {
  const parts = path
    .replace(/^\/(?:(?:operator|portal)\/)?v\d+(?:beta)?/, '')
    .split(/[^A-Za-z{]+/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? `By${capital(part.slice(1))}` : capital(part)));
  return method + parts.join('');
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
