// JSON for people to read; whatever else a body is stays as it is.
export function prettyOf(text: string): string | undefined {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined; // cut, or no JSON after all
  }
}
