// Filters in the address: plain text both ways, unknown names dropped, empty values left out.
import { writeQuery } from './api-client.ts';

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export const stringifySearch = writeQuery as (search: Record<string, unknown>) => string;

/** The named parameters, each text or absent. */
export function textSearch<Name extends string>(...names: Name[]) {
  return (given: Record<string, unknown>): { [name in Name]?: string } => {
    const search: { [name in Name]?: string } = {};
    for (const name of names) {
      const value = given[name];
      if (typeof value === 'string' && value !== '') search[name] = value;
    }
    return search;
  };
}
