// The new side of an upgrade on one machine (`--take-over`): gets the listening socket of the process that serves the port, and
// says when it serves in its place.
import { HandlePipe, type NodeHandle } from '../shared/runtime/handle-pipe.ts';
import { refuseTakenPort } from '../shared/taken-port.ts';
import { productVersion } from '../shared/product-version.ts';
import { wait } from '../shared/wait.ts';
import type { Config } from './config.ts';
import { ConfigError } from './settings/config-error.ts';
import { type FromNew, type FromOld, HAND_OVER, handOverPath } from './hand-over-messages.ts';

export interface TakenOver {
  listener: NodeHandle;
  /** Resolves when the old process has released the unix socket. */
  ready(): Promise<void>;
}

/** A gateway that serves its port may still be starting its workers. */
const STARTING_MS = 10_000;
const LOOK_MS = 100;

/** undefined when no process is there to take over from. */
export async function takeOver(config: Pick<Config, 'dataFolder' | 'host' | 'port'>): Promise<TakenOver | undefined> {
  const pipe = await meet(config);
  if (pipe === undefined) return undefined;
  const talk = new Talk(pipe);
  pipe.send({ kind: 'wanted', protocol: HAND_OVER, version: productVersion } satisfies FromNew);
  const { message, handle } = await talk.next();
  if (message?.kind === 'refused') throw refused(message.reason);
  if (message?.kind !== 'listener' || handle === undefined) throw refused('it gave no answer');
  if (message.host !== config.host) {
    pipe.close();
    throw refused(`it listens at HOST ${message.host}, and this one is to listen at ${config.host}`);
  }
  return {
    listener: handle,
    async ready() {
      pipe.send({ kind: 'ready' } satisfies FromNew);
      await talk.next(); // or its end, which is as good
      pipe.close();
    },
  };
}

async function meet(config: Pick<Config, 'dataFolder' | 'host' | 'port'>): Promise<HandlePipe | undefined> {
  const path = handOverPath(config);
  if (path === undefined) return undefined;
  for (const until = performance.now() + STARTING_MS; ;) {
    const pipe = await HandlePipe.connect(path).catch(() => undefined);
    if (pipe !== undefined || performance.now() > until) return pipe;
    const isFree = await refuseTakenPort(config).then(
      () => true,
      () => false,
    );
    if (isFree) return undefined;
    await wait(LOOK_MS);
  }
}

function refused(reason: string): ConfigError {
  return new ConfigError(`the running gateway does not hand PORT over: ${reason}.`);
}

interface Answer {
  /** undefined: it has ended. */
  message: FromOld | undefined;
  handle: NodeHandle | undefined;
}

/** Messages one after another. */
class Talk {
  readonly #answers: Answer[] = [];
  #wake: () => void = () => {};

  constructor(pipe: HandlePipe) {
    const take = (answer: Answer): void => {
      this.#answers.push(answer);
      this.#wake();
    };
    pipe.onMessage = (message, handle) => take({ message: message as FromOld, handle });
    pipe.onEnd = () => take({ message: undefined, handle: undefined });
    pipe.read();
  }

  async next(): Promise<Answer> {
    for (;;) {
      const answer = this.#answers.shift();
      if (answer !== undefined) return answer;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
