// The entry: keeps compiled modules between starts, which makes later starts faster and smaller, then runs the gateway.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `tollgate: Node 24 or newer is needed, this is ${process.version}. Start with "npm start", which brings it.`,
  );
  process.exit(1);
}
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
await import('./run.ts');
