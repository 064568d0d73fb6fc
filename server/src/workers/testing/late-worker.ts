// A worker that is ready at once and stays, or, when asked to, one that cannot start and takes long to find that out.
import type { FromPrimary, FromWorker } from '../messages.ts';

const tell = (message: FromWorker): void => void process.send?.(message);
const failsAfterMs = Number(process.argv[2] ?? 0);

process.on('message', (message: FromPrimary) => {
  if (message.kind !== 'orders') return;
  if (failsAfterMs > 0) setTimeout(() => process.exit(1), failsAfterMs);
  else tell({ kind: 'ready', welcome: 'here' });
});
tell({ kind: 'hello' });
