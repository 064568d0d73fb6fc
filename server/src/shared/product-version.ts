// The version of this Tollgate, from its package. Here because the documents of the API and the state of the process name it.
import { readFileSync } from 'node:fs';

export const productVersion = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
