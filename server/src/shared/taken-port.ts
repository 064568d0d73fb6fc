// Says that a port is taken before anything is made; asked by a process alone and by the primary of several.
import { createServer } from 'node:net';

export function refuseTakenPort({ port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
