// A stream whose client writes down when each event came, until it breaks off.
import { TOKENS_MODEL } from '../../operator.ts';
import type { Rig } from '../rig.ts';
import type { StubScript } from '../providers/stub-provider.ts';

/** More than any of them makes. */
const NO_LIMIT = 1_000_000;

export interface TimedStream {
  requestId: string;
  maxTokens: number;
  /** performance.now() of each event. */
  times: number[];
}

/** Resolves with the head of the answer; undefined when there is none. */
export async function followStream(rig: Rig, script: StubScript, gateway = 0): Promise<TimedStream | undefined> {
  const maxTokens = rig.nextCall(script, NO_LIMIT);
  const entry = await open(rig, maxTokens, gateway).catch(() => undefined);
  if (entry?.status !== 200) return undefined;
  const stream: TimedStream = {
    requestId: entry.headers.get('x-request-id') ?? '',
    maxTokens,
    times: [],
  };
  void readOn(entry, stream.times).catch(() => {}); // it breaks off with the process
  return stream;
}

function open(rig: Rig, maxTokens: number, gateway: number): Promise<Response> {
  return fetch(`${rig.gateway(gateway).address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: TOKENS_MODEL,
      stream: true,
      max_tokens: maxTokens,
      messages: [{ role: 'user', content: 'Go on.' }],
    }),
  });
}

async function readOn(response: Response, times: number[]): Promise<void> {
  for await (const chunk of response.body ?? []) {
    const events = Buffer.from(chunk).toString().split('\n\n').length - 1;
    for (let event = 0; event < events; event++) times.push(performance.now());
  }
}
