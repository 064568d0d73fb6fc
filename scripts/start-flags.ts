// What `npm start` gives to node, for programs that start the gateway as an operator does and need its process itself.
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string };
};

export const startFlags: readonly string[] = scripts.start.split(' ').filter((word) => word.startsWith('--'));
