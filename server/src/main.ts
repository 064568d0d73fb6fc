// The entry: keeps compiled modules between starts, which makes later starts faster and smaller, then runs the gateway.
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import './shared/stop-with-parent.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
// The first releases of Node 24 lack an authorizer for SQLite. Older ones are to get here, so nothing that they lack is
// imported by name.
if (major < 24 || (major === 24 && minor < 10)) {
  console.error(
    `tollgate: Node 24.10 or newer is needed, this is ${process.version}. Start with "npm start", which brings it.`,
  );
  process.exit(1);
}
module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));
await import('./run.ts');
