// One realtime session between a client and an upstream: events both ways in their order, money before each response, and one
// end for both sides, whichever begins it.
import { GatewayError } from '../../errors/gateway-error.ts';
import { errorEvent, FIRST_SETTINGS } from '../../protocols/realtime/index.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';
import type { Candidate, Route } from '../../routing/route.ts';
import { makeId } from '../../shared/ids.ts';
import type { Member } from '../../shared/runtime/indexed-set.ts';
import type { WebSocket } from '../../shared/runtime/websockets.ts';
import type { SecretMask } from '../../shared/secret-mask.ts';
import { within } from '../../shared/wait.ts';
import { failureFacts } from '../failure-facts.ts';
import { hideUpstream } from '../hide-upstream.ts';
import { ClientSide, type RefusedEvent } from './client-side.ts';
import type { ContextSize } from './context-size.ts';
import { Heartbeat } from './heartbeat.ts';
import { PinnedSession } from './pinned-session.ts';
import { Pump } from './pump.ts';
import type { Responses } from './responses.ts';
import { closeSocket, isSendable, sendEvent } from './send-event.ts';
import type { SessionScope } from './session-scope.ts';
import { Transcripts } from './transcripts.ts';
import { UpstreamSide } from './upstream-side.ts';

export interface SessionDependencies {
  scope: SessionScope;
  context: ContextSize;
  responses: Responses;
  upstream: WebSocket;
  mask: SecretMask | undefined;
  candidate: Candidate;
  route: Route;
  idleMs: number;
  onError(error: unknown): void;
  /** All of it is over: both sides closed or asked to close, and its money ended. */
  onEnded(end: SessionEnd): void | Promise<void>;
}

export interface SessionEnd {
  by: 'client' | 'upstream' | 'gateway';
  code: number;
  reason: string;
}

const [NORMAL, GOING_AWAY, UNSUPPORTED, ABNORMAL, POLICY, FAILED, TRY_LATER] = [
  1000, 1001, 1003, 1006, 1008, 1011, 1013,
];
const LAST_EVENT_MS = 2_000;
const STOPPING = 'The gateway is stopping.';

export class RealtimeSession implements Member {
  index: number | undefined;
  readonly #dependencies: SessionDependencies;
  readonly #client: WebSocket;
  readonly #transcripts: Transcripts;
  readonly #clientSide: ClientSide;
  readonly #upstreamSide: UpstreamSide;
  readonly #clientPump: Pump;
  readonly #upstreamPump: Pump;
  readonly #heartbeat: Heartbeat;
  #settings = FIRST_SETTINGS;
  #isDraining = false;
  #end: Promise<void> | undefined;

  constructor(client: WebSocket, dependencies: SessionDependencies) {
    this.#client = client;
    this.#dependencies = dependencies;
    const { scope, context, responses, upstream, candidate, mask } = dependencies;
    const { model } = scope.options;
    this.#transcripts = new Transcripts(scope);
    const transcripts = this.#transcripts;
    const pinned = new PinnedSession({ model, facts: candidate.channel.facts, check: (name) => scope.check(name) });
    const settings = () => this.#settings;
    this.#clientSide = new ClientSide({
      context,
      responses,
      transcripts,
      pinned,
      settings,
      foresee: (changes) => void (this.#settings = { ...this.#settings, ...changes }),
      isDraining: () => this.#isDraining,
    });
    this.#upstreamSide = new UpstreamSide({
      responses,
      transcripts,
      pinned,
      clientSide: this.#clientSide,
      mask,
      settings,
      onSettings: (shown) => void (this.#settings = shown),
      onUnpaid: (id, error) => this.#cancelUnpaid(id, error),
      onDone: () => this.#onDone(),
      hide: (text) => hideUpstream(text, candidate, model),
    });
    this.#clientPump = new Pump(client, (bytes, isBinary) => this.#guard(this.#fromClient(bytes, isBinary)));
    this.#upstreamPump = new Pump(upstream, (bytes) => this.#guard(this.#fromUpstream(bytes)));
    this.#heartbeat = new Heartbeat({
      sides: [
        { socket: client, pump: this.#clientPump },
        { socket: upstream, pump: this.#upstreamPump },
      ],
      idleMs: dependencies.idleMs,
      onIdle: () => this.#close({ by: 'gateway', code: POLICY, reason: 'No event came for too long.' }),
      onTooLong: () =>
        this.#close({ by: 'gateway', code: POLICY, reason: 'The session has reached its longest time.' }),
    });
    this.#listen();
    upstream.resume();
  }

  #listen(): void {
    const { upstream } = this.#dependencies;
    this.#client.on('error', () => {}); // its close says the same
    upstream.on('error', () => {});
    this.#client.on('close', (code, reason) => this.#close({ by: 'client', code, reason: reason.toString() }));
    upstream.on('close', (code, reason) => {
      // What came before the end is handled before it: a response may be done.
      void this.#upstreamPump.idle().then(() => this.#close({ by: 'upstream', code, reason: reason.toString() }));
    });
    if (this.#client.readyState >= this.#client.CLOSING) this.#close({ by: 'client', code: ABNORMAL, reason: '' });
    if (upstream.readyState >= upstream.CLOSING) this.#close({ by: 'upstream', code: ABNORMAL, reason: '' });
  }

  /** No response begins any more; ends when none is under way. */
  drain(): void {
    this.#isDraining = true;
    this.#onDone();
  }

  /** Ends now; what is under way is charged as far as it came. */
  cut(): void {
    this.#close({ by: 'gateway', code: GOING_AWAY, reason: STOPPING });
  }

  #onDone(): void {
    // Not before the client has the event that is being handled.
    if (this.#isDraining && this.#dependencies.responses.active === 0)
      void this.#upstreamPump.idle().then(() => this.cut());
  }

  /** An accident ends the session, not the process. */
  #guard(work: void | Promise<void>): void | Promise<void> {
    if (work === undefined) return undefined;
    return work.catch((error: unknown) => {
      if (error instanceof GatewayError) return this.#fail(error);
      this.#dependencies.onError(error);
      return this.#fail(new GatewayError('internal_error'));
    });
  }

  #fail(error: GatewayError): void {
    this.#sendError(error, undefined);
    this.#close({ by: 'gateway', code: error.status === 503 ? TRY_LATER : FAILED, reason: error.code });
  }

  #fromClient(bytes: Buffer, isBinary: boolean): void | Promise<void> {
    this.#heartbeat.heard();
    if (isBinary) return this.#close({ by: 'gateway', code: UNSUPPORTED, reason: 'Send events as text.' });
    const passed = this.#clientSide.take(bytes);
    return passed instanceof Promise ? passed.then((one) => this.#pass(one)) : this.#pass(passed);
  }

  #pass(passed: Buffer | string | RefusedEvent | undefined): void | Promise<void> {
    if (passed === undefined || this.#end !== undefined) return undefined;
    if (typeof passed === 'string' || Buffer.isBuffer(passed)) return sendEvent(this.#dependencies.upstream, passed);
    this.#sendError(passed.error, passed.eventId);
    if (passed.isFinal) this.#close({ by: 'gateway', code: POLICY, reason: passed.error.code });
    return undefined;
  }

  #fromUpstream(bytes: Buffer): void | Promise<void> {
    this.#heartbeat.heard();
    const passed = this.#upstreamSide.take(bytes);
    if (passed instanceof Promise) return passed.then((event) => sendEvent(this.#client, event));
    return sendEvent(this.#client, passed);
  }

  #cancelUnpaid(id: string, error: GatewayError): void {
    void sendEvent(this.#dependencies.upstream, JSON.stringify({ type: 'response.cancel', response_id: id }));
    this.#sendError(error, undefined);
  }

  #sendError(error: GatewayError, eventId: string | undefined): void {
    void sendEvent(this.#client, errorEvent(error, makeId('event'), eventId));
  }

  #close(end: SessionEnd): void {
    this.#end ??= this.#finish(end).catch((error: unknown) => this.#dependencies.onError(error));
  }

  async #finish(end: SessionEnd): Promise<void> {
    const { upstream, onEnded } = this.#dependencies;
    this.#heartbeat.stop();
    this.#clientPump.stop();
    this.#upstreamPump.stop();
    if (end.by === 'client') closeSocket(upstream, end.code, end.reason);
    // A hold that is being made, or a response that is being settled, ends first.
    await within(LAST_EVENT_MS, Promise.all([this.#clientPump.idle(), this.#upstreamPump.idle()]));
    await this.#endMoney(end.by === 'client' ? 'left' : 'broken');
    if (end.by === 'upstream') this.#passEnd(end);
    if (end.by === 'gateway') {
      closeSocket(this.#client, end.code, end.reason);
      closeSocket(upstream, NORMAL, '');
    }
    await onEnded(end);
  }

  async #endMoney(why: 'left' | 'broken'): Promise<void> {
    await Promise.all([this.#dependencies.responses.end(why), this.#transcripts.end(why)]);
  }

  /** The client gets the upstream's code; a connection that broke is an error, and the channel's fault. */
  #passEnd({ code, reason }: SessionEnd): void {
    const { candidate, route, scope } = this.#dependencies;
    if (isSendable(code) || code === 1005)
      return closeSocket(this.#client, code, hideUpstream(reason, candidate, scope.options.model));
    const failure = new UpstreamError('unreachable', 'the connection of a session broke');
    route.fail(failure.errorClass, undefined, failureFacts(failure, route.current));
    this.#sendError(
      new GatewayError('upstream_error', { message: 'The model provider broke off the session.' }),
      undefined,
    );
    closeSocket(this.#client, FAILED, 'upstream_error');
  }
}
