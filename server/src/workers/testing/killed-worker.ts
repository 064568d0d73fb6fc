// A worker that is killed while its questions to the primary are still unread.
import type { FromPrimary, FromWorker } from '../messages.ts';

const tell = (message: FromWorker | object): void => void process.send?.(message);

process.on('message', (message: FromPrimary) => {
  if (message.kind !== 'orders') return;
  tell({ kind: 'ready', welcome: 'here' });
  for (let id = 1; id <= 20; id++) tell({ rateQuestion: { kind: 'ping' }, id });
  process.kill(process.pid, 'SIGKILL');
});
tell({ kind: 'hello' });
