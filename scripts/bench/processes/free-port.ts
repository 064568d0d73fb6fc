// Finds a loopback port for a relay that must be given its port before it starts. The port is free at the time
// of asking; a stranger taking it in between shows as a relay that does not get ready.
import { createServer } from 'node:net';

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no loopback port'));
        else resolve(address.port);
      });
    });
  });
}
