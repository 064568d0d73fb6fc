// Finds files that import each other in a circle, types included: such files cannot be read or moved one by one.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SOURCES = '{server,e2e,scripts,console,contract,cli}/**/*.{ts,tsx,mjs}';
const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(?:[^'";]*?from\s*)?'([^']+)'/g;

/** Each circle as its files; a file is in at most one of them. */
export function findCircles() {
  const files = globSync(SOURCES, { exclude: (name) => name === 'node_modules' }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  const known = new Set(files);
  const imports = new Map(files.map((file) => [file, importsOf(file).filter((target) => known.has(target))]));
  return circlesIn(imports);
}

function importsOf(file) {
  return Array.from(readFileSync(file, 'utf8').matchAll(IMPORT), ([, name]) => {
    if (name.startsWith('#contract/')) return name.replace('#contract/', 'contract/src/');
    return name.startsWith('.') ? join(dirname(file), name).replaceAll('\\', '/') : name;
  });
}

/** Tarjan's algorithm: groups of files in which each leads to each. */
export function circlesIn(imports) {
  const [index, lowest, stack, circles] = [new Map(), new Map(), [], []];
  const visit = (file) => {
    index.set(file, index.size);
    lowest.set(file, index.get(file));
    stack.push(file);
    for (const next of imports.get(file)) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)));
    }
    if (lowest.get(file) !== index.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle);
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return circles;
}
