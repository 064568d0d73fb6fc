// What `npm start` gives to node, for whoever starts the gateway as an operator does and needs its process itself.
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string };
};

export const startFlags: readonly string[] = scripts.start.split(' ').filter((word) => word.startsWith('--'));
