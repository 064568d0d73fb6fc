// The settlement of one request that may go on at its upstream after its answer: decides, when its money is due, whether
// the hold stays open until the upstream is done.
import type { CallEnd, Settlement } from '../call.ts';
import { passedTiers } from '../drop-unpriced.ts';
import type { RelayDependencies } from '../relay-request.ts';
import { sentLimit, sentTiers, sentToolLimits } from '../sent-limit.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import type { BackgroundCalls } from './background-calls.ts';

export interface DeferDependencies {
  catalogue: RelayDependencies['catalogue'];
  background: Pick<BackgroundCalls, 'keep'>;
  protocol: Protocol;
  /** The id of an answer that says it is not over; undefined for all others. */
  idOfUnfinished(body: Buffer): string | undefined;
}

export class DeferredSettlement implements Settlement {
  /** The id that a stream named, where the upstream goes on without its client. */
  streamedId: string | undefined;
  readonly #dependencies: DeferDependencies;

  constructor(dependencies: DeferDependencies) {
    this.#dependencies = dependencies;
  }

  /** A whole answer waits when it says that it is not over, a stream when it broke off or its client left. */
  async defer({ kind, row, request, channelKey, answer }: CallEnd): Promise<boolean> {
    const { catalogue, background, protocol, idOfUnfinished } = this.#dependencies;
    const broken = row.error_code === null ? undefined : this.streamedId;
    const unfinished = kind === 'release' || answer === undefined ? undefined : idOfUnfinished(answer);
    const upstreamId = unfinished ?? broken;
    if (upstreamId === undefined || channelKey === undefined) return false;
    const { usage: _usage, usage_source: _source, charge: _charge, arithmetic: _arithmetic, ...logged } = row;
    const { choices, inputBytes, mediaCount } = request;
    const { channels, models } = catalogue.current;
    const channel = channels.find(({ id }) => id === channelKey.channelId);
    const sent = { protocol, request };
    const maxOutputTokens = channel === undefined ? request.maxOutputTokens : sentLimit(sent, channel);
    // Its body is not kept, so what it names is read now.
    const refersElsewhere = request.refersElsewhere === true || request.namesSource?.() === true;
    const model = models.get(row.model ?? '');
    const asked = channel === undefined ? request.serviceTiers : sentTiers(sent, channel);
    const serviceTiers = model && passedTiers({ serviceTiers: asked }, model);
    return background.keep({
      accountId: row.account_id,
      upstreamId,
      ...channelKey,
      bill: {
        operation: protocol.operation,
        request: logged,
        size: { maxOutputTokens, choices, inputBytes, mediaCount, refersElsewhere, serviceTiers },
        toolLimits: channel && sentToolLimits(sent, channel),
        maxOutputTokens: model?.maxOutputTokens,
      },
    });
  }
}
