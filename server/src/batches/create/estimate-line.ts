// What one line may cost at most, at the price of a batch, with all that it names: the conversation that it goes on from and
// the account's files are put into it only when it runs. Throws what is wrong with its body or its model.
import { LRUCache } from 'lru-cache';
import type { Principal } from '../../access/principal.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { FileSizes } from '../../files/measure-files.ts';
import { continueFrom } from '../../protocols/openai-responses/kept/continue-response.ts';
import { isOwnId } from '../../protocols/openai-responses/kept/kept-response.ts';
import type { TurnSize } from '../../protocols/openai-responses/kept/turn-size.ts';
import type { RelayRequest } from '../../protocols/protocol.ts';
import { admitQuote } from '../../relay/admit.ts';
import { Bill } from '../../relay/bill.ts';
import type { BatchDependencies } from '../batch-dependencies.ts';
import type { JsonPath } from '../../protocols/paths.ts';
import { MOST_LINES } from './batch-plan.ts';

export interface LineEstimate {
  amount: bigint;
  /** Price and multiplier in force now, as JSON text. */
  price: string;
}

export type EstimateDependencies = Pick<BatchDependencies, 'catalogue' | 'files' | 'kept'>;

/** For the lines of one batch: each conversation and each file is looked up once. */
export class LineEstimator {
  readonly #dependencies: EstimateDependencies;
  readonly #principal: Principal;
  readonly #files: FileSizes;
  readonly #conversations = new LRUCache<string, { size: TurnSize | undefined }>({ max: MOST_LINES });

  constructor(dependencies: EstimateDependencies, principal: Principal) {
    this.#dependencies = dependencies;
    this.#principal = principal;
    this.#files = new FileSizes(dependencies.files, principal.accountId);
  }

  async estimate({ protocol, read }: JsonPath, line: Buffer): Promise<LineEstimate> {
    const { body, size: files } = await this.#files.measure(line);
    const named = read(body);
    const conversation = await this.#conversation(named.previousResponseId);
    // As it is read when it runs; then with its turns.
    const request = conversation === undefined ? named : read(continueFrom(body, []));
    if (request.stream) throw invalidRequest("'stream' must not be true in a batch.", 'stream');
    if (request.background === true) throw invalidRequest("'background' must not be true in a batch.", 'background');
    const principal = this.#principal;
    const catalogue = this.#dependencies.catalogue.current;
    const { model, request: sent } = admitQuote(catalogue, principal, { protocol, request, strict: principal.strict });
    const alone = withMore(sent, files);
    // The turns may have marks for the upstream's cache: nobody has looked.
    const whole = conversation === undefined ? alone : { ...withMore(alone, conversation), marksCache: () => true };
    const bill = new Bill(catalogue, { model, group: principal.group, protocol, request: whole, isBatch: true });
    return { amount: bill.holdAmount, price: bill.priceText };
  }

  /** What is not kept here adds nothing: the line says so when it runs. */
  async #conversation(id: string | undefined): Promise<TurnSize | undefined> {
    if (id === undefined || !isOwnId(id)) return undefined;
    const known = this.#conversations.get(id);
    if (known !== undefined) return known.size;
    const size = await this.#dependencies.kept.size(this.#principal, id);
    this.#conversations.set(id, { size });
    return size;
  }
}

function withMore(request: RelayRequest, { inputBytes, mediaCount }: TurnSize): RelayRequest {
  if (inputBytes === 0 && mediaCount === 0) return request;
  return {
    ...request,
    inputBytes: request.inputBytes + inputBytes,
    mediaCount: request.mediaCount + mediaCount,
  };
}
