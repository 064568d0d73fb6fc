// For tests: an upstream client without a network. Each call is answered as the script says, by real calls with their time
// limits and aborts.
import { UpstreamCall, UpstreamClient } from '../providers/call-upstream.ts';
import type { UpstreamRequest, UpstreamSink } from '../providers/upstream-request.ts';

export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** In the pieces in which it comes. */
  body?: readonly string[];
  /** How the connection breaks after that; undefined: the answer ends well. */
  breaksWith?: NodeJS.ErrnoException;
  /** It never ends. */
  hangs?: boolean;
}

export type Script = (request: UpstreamRequest, asked: number) => ScriptedAnswer;

export const json = (value: object, status = 200): ScriptedAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: [JSON.stringify(value)],
});

export const events = (...values: (object | string)[]): ScriptedAnswer => ({
  headers: { 'content-type': 'text/event-stream' },
  body: values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`),
});

export const broken = (code: string, body: readonly string[] = []): ScriptedAnswer => ({
  ...(body.length > 0 && { headers: { 'content-type': 'text/event-stream' }, body }),
  ...(body.length === 0 && { status: 0 }),
  breaksWith: Object.assign(new Error(code), { code }),
});

export class ScriptedClient extends UpstreamClient {
  readonly requests: UpstreamRequest[] = [];
  readonly aborted: string[] = [];
  readonly #script: Script;

  constructor(script: Script) {
    super();
    this.#script = script;
  }

  override call(request: UpstreamRequest, sink: UpstreamSink): UpstreamCall {
    const call = new UpstreamCall(sink, request.limits);
    const answer = this.#script(request, this.requests.push(request));
    const controller = {
      abort: (error: Error) => void this.aborted.push(error.message),
      pause: () => {},
      resume: () => {},
    };
    call.onRequestStart(controller);
    setImmediate(() => {
      const { status = 200, headers = {}, body = [], breaksWith, hangs = false } = answer;
      if (status > 0) call.onResponseStart(controller, status, headers);
      for (const piece of body) call.onResponseData(controller, Buffer.from(piece));
      if (breaksWith !== undefined) call.onResponseError(controller, breaksWith);
      else if (!hangs) call.onResponseEnd();
    });
    return call;
  }
}

/** Of a request with a small body. */
export const bodyOf = ({ body }: UpstreamRequest): Record<string, unknown> =>
  JSON.parse(Buffer.isBuffer(body) ? body.toString() : '{}') as Record<string, unknown>;
