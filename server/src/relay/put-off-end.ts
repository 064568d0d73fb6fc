// The end of one request that may go on at its upstream: decides, when its money is due, whether that must wait.
import type { Ledger } from '../billing/ledger.ts';
import type { Protocol } from '../protocols/protocol.ts';
import type { Place } from '../routing/candidates.ts';
import type { RequestRow } from '../store/ledger/operations.ts';
import type { RequestMetrics } from '../telemetry/metrics.ts';
import type { BackgroundCalls } from './background-calls.ts';
import type { BilledRequest } from './bill.ts';
import { passedTiers } from './drop-unpriced.ts';
import type { RelayParts } from './relay-request.ts';
import { type Sent, sentLimit, sentTiers } from './sent-limit.ts';

export interface PutOffParts {
  relay: RelayParts;
  background: BackgroundCalls;
  protocol: Protocol;
  /** The id of an answer that says it is not over; undefined for all others. */
  idOfUnfinished(body: Buffer): string | undefined;
  /** Where the answer came from. */
  place(): Place | undefined;
}

export class PutOffEnd {
  /** In place of the relay's own, for this request. */
  readonly ledger: Ledger;
  readonly metrics: RequestMetrics;
  readonly protocol: Protocol;
  /** What was asked; without it nothing is put off. */
  request: (BilledRequest & Sent['request']) | undefined;
  /** The id that a stream named, where it goes on without its client. */
  streamed: string | undefined;
  readonly #parts: PutOffParts;
  #unfinished: string | undefined;
  #isPutOff = false;

  constructor(parts: PutOffParts) {
    const { relay, protocol } = parts;
    this.#parts = parts;
    this.ledger = relay.ledger.deferring((row, end) => this.#putOff(row, end));
    // A request that waits has not ended yet: it is counted when it is settled.
    this.metrics = { ended: (row) => (this.#isPutOff ? undefined : relay.metrics.ended(row)) };
    this.protocol = {
      ...protocol,
      readAnswer: (body, contentType) => {
        this.#unfinished = parts.idOfUnfinished(body);
        return protocol.readAnswer(body, contentType);
      },
    };
  }

  /** A whole answer waits when it says that it is not over, a stream when it broke off or was left. */
  async #putOff(row: RequestRow, end: 'settle' | 'release'): Promise<boolean> {
    const broken = row.error_code === null ? undefined : this.streamed;
    const upstreamId = end === 'settle' ? (this.#unfinished ?? broken) : broken;
    const place = this.#parts.place();
    if (upstreamId === undefined || place === undefined || this.request === undefined) return false;
    const { relay, background } = this.#parts;
    const { usage: _usage, usage_source: _source, charge: _charge, arithmetic: _arithmetic, ...request } = row;
    const { choices, inputBytes, mediaCount } = this.request;
    const { channels, models } = relay.catalogue.current;
    const channel = channels.find(({ id }) => id === place.channelId);
    const sent = { protocol: this.protocol, request: this.request };
    const maxOutputTokens = channel === undefined ? this.request.maxOutputTokens : sentLimit(sent, channel);
    // Its body is not kept, so what it names is asked now.
    const refersElsewhere = this.request.refersElsewhere === true || this.request.namesSource?.() === true;
    const model = models.get(row.model ?? '');
    const asked = channel === undefined ? this.request.serviceTiers : sentTiers(sent, channel);
    const serviceTiers = model && passedTiers({ serviceTiers: asked }, model);
    this.#isPutOff = await background.keep({
      accountId: row.account_id,
      upstreamId,
      ...place,
      bill: {
        request,
        size: { maxOutputTokens, choices, inputBytes, mediaCount, refersElsewhere, serviceTiers },
        maxOutputTokens: model?.maxOutputTokens,
      },
    });
    return this.#isPutOff;
  }
}
