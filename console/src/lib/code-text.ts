// What samples of code are made of: the call, and values written for a shell and for Python.
export interface SampleCall {
  path: string;
  body: Record<string, unknown>;
  /** Name of the field that takes a file; the call is then a form. */
  file?: string;
  /** The answer is not JSON but a file of this name. */
  output?: string;
}

export interface Sample {
  language: string;
  code: string;
}

/** Where samples expect the token. */
export const KEY = 'TOLLGATE_TOKEN';

/** In single quotes nothing has a meaning but the quote itself. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function pythonValue(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}
