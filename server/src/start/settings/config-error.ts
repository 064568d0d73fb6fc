// A setting that is wrong. Its message is one sentence that names the variable; it stops the start.
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export function refuse(sentence: string): never {
  throw new ConfigError(sentence);
}
