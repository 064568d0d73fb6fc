// A list of allowed models without one of them. Lists only allow, so a pattern that covers the model becomes the models that it covers
// today.
export interface WithoutModel {
  models: string[];
  /** Patterns that became plain names: models to come are not in the list. */
  expanded: string[];
}

/** `allowed`: null = every model. `known`: all models that there are. */
export function withoutModel(allowed: readonly string[] | null, known: readonly string[], model: string): WithoutModel {
  const models: string[] = [];
  const expanded: string[] = [];
  for (const pattern of allowed ?? ['*']) {
    if (!covers(pattern, model)) models.push(pattern);
    else if (pattern !== model) {
      expanded.push(pattern);
      models.push(...known.filter((id) => id !== model && covers(pattern, id)));
    }
  }
  return { models: [...new Set(models)], expanded };
}

export function covers(pattern: string, model: string): boolean {
  return pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : pattern === model;
}
