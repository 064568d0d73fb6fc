// A few calls in a hundred go wrong at the provider: errors, silence, connections cut in mid-answer.
import type { ServerResponse } from 'node:http';
import type { Random } from '../../random.ts';
import type { StubScript } from './stub-provider.ts';

/** Part of all calls. */
const SHARE = { error: 0.02, hang: 0.005, cut: 0.01 };
const PIECE =
  'data: {"id":"chatcmpl-stub","object":"chat.completion.chunk","created":1760000000,"model":"sandbox-chat","choices":[{"index":0,"delta":{"content":"xxxx "},"finish_reason":null}]}\n\n';

/** The script of one call, or an empty one. */
export function spoilCall(random: Random, { stream }: { stream: boolean }): StubScript {
  if (random.chance(SHARE.error)) return { status: random.chance(0.5) ? 500 : 503 };
  if (random.chance(SHARE.hang)) return stream ? { hangAfter: random.whole(1, 40) } : { answer: hang };
  if (random.chance(SHARE.cut)) return { answer: (response) => cut(response, stream ? random.whole(1, 40) : 0) };
  return {};
}

function hang(): Promise<void> {
  return new Promise(() => {});
}

/** After so many pieces, or in the middle of a whole answer. */
function cut(response: ServerResponse, pieces: number): void {
  if (pieces === 0) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"id":"chatcmpl-stub","choi');
  } else {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(PIECE.repeat(pieces));
  }
  setTimeout(() => response.socket?.resetAndDestroy(), 20);
}
