// Says that a port is taken, or the address none to listen at, before anything is made; asked by a process alone and by the
// primary of several.
import { createServer } from 'node:net';

const WRONG_HOST: ReadonlySet<string | undefined> = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EAI_AGAIN',
  'EINVAL',
  'ENOTFOUND',
]);

export function refuseTakenPort({ port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const setting = wrongSetting(error.code, { port, host });
      if (setting !== undefined) error.message = `${setting} ${error.message}`;
      reject(error);
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

/** A taken port is named by who knows what to do about it. */
function wrongSetting(code: string | undefined, { port, host }: { port: number; host: string }): string | undefined {
  if (code === 'EACCES') return `PORT ${port} is not for this user; set PORT to one above 1023.`;
  return WRONG_HOST.has(code) ? `HOST "${host}" is no address of this machine; set HOST to one.` : undefined;
}
