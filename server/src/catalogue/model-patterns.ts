// Lists of models in the scope of a token, an account or a group: exact names, or a prefix followed by `*`.
/** undefined = every model; an empty list = none. */
export type ModelPatterns = readonly string[] | undefined;

export function allows(patterns: ModelPatterns, model: string): boolean {
  if (patterns === undefined) return true;
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : pattern === model,
  );
}

/** As the store keeps them: JSON text, null = every model. */
export function readPatterns(text: string | null): ModelPatterns {
  return text === null ? undefined : (JSON.parse(text) as string[]);
}
