// Clients that call on and on, at random: whole and streamed, quick and slow, chat and videos.
import { pause } from '../../../support/wait.ts';
import type { JournalEntry } from '../../chat-client.ts';
import type { Random } from '../../random.ts';
import type { Rig } from '../rig.ts';
import type { StubScript } from '../providers/stub-provider.ts';
import { submitVideo } from '../providers/video-side.ts';

export interface LoadOptions {
  clients: number;
  random: Random;
  /** Part of the clients that ask for videos. */
  videoShare?: number;
  /** Rests after each call. */
  pauseMs?: number;
  /** Streams go on for seconds, as those of people do. */
  isLong?: boolean;
  /** Only this one is called; else any of them. */
  gateway?: number;
  /** What goes wrong at the provider with a call, and is laid over its script. */
  spoil?: (call: { stream: boolean }) => StubScript;
}

export class Load {
  /** Tasks whose id a client was given. */
  readonly taskIds: string[] = [];
  /** Submits of videos, as they were answered. */
  readonly submits: { status: number | undefined }[] = [];
  /** What its calls have shown; the rig has it too. */
  readonly journal: JournalEntry[] = [];
  calls = 0;
  /** May be changed on the way. */
  pauseMs: number | undefined;
  readonly #rig: Rig;
  readonly #options: LoadOptions;
  readonly #clients: Promise<void>[];
  #running = true;

  constructor(rig: Rig, options: LoadOptions) {
    this.#rig = rig;
    this.#options = options;
    this.pauseMs = options.pauseMs;
    const videos = Math.round(options.clients * (options.videoShare ?? 0));
    this.#clients = Array.from({ length: options.clients }, (_, index) => this.#callOnAndOn(index, index < videos));
  }

  /** Resolves when every client has had its last answer. */
  async end(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#clients);
  }

  async #callOnAndOn(index: number, isVideo: boolean): Promise<void> {
    const { random, gateway: only } = this.#options;
    while (this.#running) {
      this.calls++;
      const gateway = only ?? random.whole(0, this.#rig.gateways.length - 1);
      const status = isVideo ? await this.#submit(index, gateway) : await this.#chat(gateway);
      if (status === undefined) await pause(50);
      if (this.pauseMs !== undefined) await pause(this.pauseMs);
    }
  }

  async #chat(gateway: number): Promise<number | undefined> {
    const { random, isLong = false } = this.#options;
    const stream = random.chance(0.5);
    const slow = isLong || random.chance(0.5);
    const pieces = isLong ? random.whole(50, 400) : random.whole(1, 40);
    const script = stream
      ? { pieces, ...(slow && { paceMs: random.whole(1, 40) }) }
      : { pieces, ...(slow && { delayMs: random.whole(1, 600) }) };
    const entry = await this.#rig.call({ stream, gateway, ...script, ...this.#options.spoil?.({ stream }) });
    this.journal.push(entry);
    return entry.status;
  }

  async #submit(index: number, gateway: number): Promise<number | undefined> {
    const { address } = this.#rig.gateway(gateway);
    const { status, id } = await submitVideo(address, this.#rig.key, `${address} ${index} ${this.calls}`);
    this.submits.push({ status });
    if (id !== undefined) this.taskIds.push(id);
    await pause(100);
    return status;
  }
}
