// A provider of videos in virtual time, which loses answers, fails and hangs by chance, and remembers what it was asked.
import type { UpstreamCall, UpstreamClient } from '../../../server/src/providers/call-upstream.ts';
import type { UpstreamRequest, UpstreamSink } from '../../../server/src/providers/upstream-request.ts';
import { UpstreamError } from '../../../server/src/providers/upstream-error.ts';
import type { Random } from '../random.ts';
import type { VirtualTime } from './virtual-time.ts';

interface MadeVideo {
  id: string;
  prompt: string;
  createdAt: number;
  doneAt: number;
  ending: 'succeeded' | 'failed';
}

interface ProviderAnswer {
  status: number;
  body: object | string;
}

export class SimulatedProvider {
  readonly videos = new Map<string, MadeVideo>();
  readonly #time: VirtualTime;
  readonly #random: Random;

  constructor(time: VirtualTime, random: Random) {
    this.#time = time;
    this.#random = random;
  }

  get client(): UpstreamClient {
    const call = (request: UpstreamRequest, sink: UpstreamSink): UpstreamCall => this.#call(request, sink);
    return { call, close: () => Promise.resolve() } as unknown as UpstreamClient;
  }

  #call(request: UpstreamRequest, sink: UpstreamSink): UpstreamCall {
    let isOver = false;
    const fail = (error: UpstreamError): void => {
      if (isOver) return;
      isOver = true;
      sink.onFail(error);
    };
    void this.#answer(request, sink, { fail, isOver: () => isOver, end: () => (isOver = true) });
    return { abort: fail } as unknown as UpstreamCall;
  }

  async #answer(
    request: UpstreamRequest,
    sink: UpstreamSink,
    { fail, isOver, end }: { fail(error: UpstreamError): void; isOver(): boolean; end(): void },
  ): Promise<void> {
    await this.#time.wait(this.#random.whole(1, 60));
    if (this.#random.chance(0.03)) return fail(new UpstreamError('unreachable', 'refused'));
    const answer = this.#say(request);
    await this.#time.wait(this.#random.whole(1, 300));
    if (this.#random.chance(0.05)) return fail(new UpstreamError('unreachable', 'the connection broke'));
    if (this.#random.chance(0.02)) {
      await this.#time.wait(30_000);
      return fail(new UpstreamError('timed-out', 'nothing came'));
    }
    if (isOver()) return;
    end();
    sink.onStart(answer.status, { 'content-type': 'application/json' });
    sink.onData(Buffer.from(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)));
    sink.onEnd();
  }

  #say({ method, path, body }: UpstreamRequest): ProviderAnswer {
    if (this.#random.chance(0.04)) return { status: 500, body: { error: { code: 'Odd', message: 'Odd.' } } };
    if (this.#random.chance(0.02)) return { status: 200, body: '<h1>Hello</h1>' };
    if (method === 'POST')
      return this.#make(JSON.parse((body as Buffer).toString()) as { content: { text?: string }[] });
    const [, id] = /\/tasks\/([^?]+)/.exec(path) ?? [];
    if (id === undefined)
      return { status: 200, body: { items: [...this.videos.values()].map((video) => this.#show(video)) } };
    const video = this.videos.get(id);
    if (video === undefined) return { status: 404, body: { error: { code: 'NotFound', message: 'No.' } } };
    return { status: 200, body: method === 'DELETE' ? {} : this.#show(video) };
  }

  #make({ content }: { content: { text?: string }[] }): ProviderAnswer {
    const video: MadeVideo = {
      id: `cgt-${this.videos.size}`,
      prompt: content[0]?.text ?? '',
      createdAt: Math.floor(this.#time.now() / 1000),
      doneAt: this.#time.now() + this.#random.whole(500, 15_000),
      ending: this.#random.chance(0.7) ? 'succeeded' : 'failed',
    };
    this.videos.set(video.id, video);
    return { status: 200, body: { id: video.id } };
  }

  #show({ id, createdAt, doneAt, ending }: MadeVideo): object {
    const facts = { id, model: 'upstream-model', created_at: createdAt };
    if (this.#time.now() < doneAt) return { ...facts, status: this.#random.chance(0.5) ? 'queued' : 'running' };
    if (ending === 'failed') return { ...facts, status: 'failed', error: { code: 'Bad', message: 'Bad.' } };
    return {
      ...facts,
      status: 'succeeded',
      content: { video_url: 'https://x.example/v' },
      usage: { total_tokens: 1_000 },
    };
  }
}
