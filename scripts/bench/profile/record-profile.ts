// Records a V8 CPU profile of a running Node process through its inspector, which it was started with. The process itself
// is the one that people run; only its main thread is looked at.
import { readFileSync } from 'node:fs';

const samplingMicroseconds = 200;
const timeoutMs = 20_000;

/** The inspector's address, as the process wrote it to its error output. */
export function findInspector(errorOutput: string): string | undefined {
  return /Debugger listening on (ws:\/\/127\.0\.0\.1:\S+)/.exec(errorOutput)?.[1];
}

interface Answer {
  id: number;
  result?: { profile?: object };
  error?: { message: string };
}

class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  static async open(address: string): Promise<Inspector> {
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('the inspector cannot be reached')));
    });
    return new Inspector(socket);
  }

  async ask(method: string, params: object = {}): Promise<NonNullable<Answer['result']>> {
    this.#last += 1;
    const id = this.#last;
    const answer = await new Promise<Answer>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${method} was not answered`)), timeoutMs);
      this.#waiting.set(id, (answer) => {
        clearTimeout(late);
        resolve(answer);
      });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result ?? {};
  }

  close(): void {
    this.#socket.close();
  }
}

/** Profiles the process with this error output while `work` goes on; resolves with the text of a .cpuprofile. */
export async function recordProfile(errorFile: string, work: () => Promise<void>): Promise<string> {
  const address = findInspector(readFileSync(errorFile, 'utf8'));
  if (address === undefined) throw new Error('the gateway was not started for a profile');
  const inspector = await Inspector.open(address);
  try {
    await inspector.ask('Profiler.enable');
    await inspector.ask('Profiler.setSamplingInterval', { interval: samplingMicroseconds });
    await inspector.ask('Profiler.start');
    await work();
    const { profile } = await inspector.ask('Profiler.stop');
    return JSON.stringify(profile);
  } finally {
    inspector.close();
  }
}
