// Responses of translated calls, kept by the gateway itself: sealed, owned by their account, forgotten after a while
// (contract-2 7). A conversation is a chain of them; each holds only what its own request brought and what was answered.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Principal } from '../../access/principal.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { KeptResponse } from '../../protocols/openai-responses/kept/kept-response.ts';
import { type TurnSize, turnSize } from '../../protocols/openai-responses/kept/turn-size.ts';
import { type Clock, unixSeconds } from '../../shared/clock.ts';
import type { Release, Reserve } from '../../shared/reserve-memory.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import {
  deleteKeptResponse,
  findKeptResponse,
  insertKeptResponse,
  type KeptFacts,
  readKeptResponse,
  useKeptResponses,
} from '../../store/queries/kept-responses.ts';
import type { Store } from '../../store/store.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** No model remembers that many turns. */
const MOST_TURNS = 1_000;
const DAY_SECONDS = 86_400;

export interface KeptResponsesSettings {
  store: Store;
  box: SecretBox;
  clock: Clock;
  /** 0: nothing is kept. */
  days: number;
  /** Of a conversation that is gone on from: TOLLGATE_MAX_BODY_MB, as if it were sent whole. */
  maxBytes: number;
}

export interface FoundResponse extends KeptResponse {
  model: string;
}

export interface Conversation {
  /** Oldest first. */
  turns: FoundResponse[];
  /** Of the memory that they take. */
  release: Release;
}

export interface NewResponse {
  id: string;
  /** The kept one that it went on from. */
  previous: string | undefined;
  model: string;
  kept: KeptResponse;
}

type Owner = Pick<Principal, 'accountId' | 'mode'>;

interface Opening {
  /** A request of a few bytes can name the largest conversation. */
  reserve: Reserve;
  /** For a request that goes on from it, not to be shown as it was. */
  goesOn: boolean;
}

/** As bytes, as objects, and as the body that they are put into. */
const COPIES = 3;
/** What is smaller is read without asking for its size first. */
const SMALL_BYTES = 256 * 1024;
const MIB = 1024 * 1024;
const NOTHING: TurnSize = { inputBytes: 0, mediaCount: 0 };

export class KeptResponses {
  readonly #settings: KeptResponsesSettings;

  constructor(settings: KeptResponsesSettings) {
    this.#settings = settings;
  }

  get isOn(): boolean {
    return this.#settings.days > 0;
  }

  /** Durable when it resolves. */
  async keep(owner: Owner, { id, previous, model, kept }: NewResponse): Promise<void> {
    const { accountId, mode } = owner;
    const { store, box, clock } = this.#settings;
    const before = previous === undefined ? undefined : await this.size(owner, previous);
    const sealed = box.sealBytes(await pack(JSON.stringify(kept)));
    const used_at = unixSeconds(clock);
    const names = { account_id: accountId, id, previous: previous ?? null, model, mode };
    const own = turnSize(kept);
    const input_bytes = own.inputBytes + (before?.inputBytes ?? 0);
    const media_count = own.mediaCount + (before?.mediaCount ?? 0);
    await insertKeptResponse(store, { ...names, sealed, used_at, input_bytes, media_count });
  }

  /** undefined for one that nobody kept, for another account's, and for a real one asked about with a test token. */
  async find(owner: Owner, id: string): Promise<Pick<FoundResponse, 'model'> | undefined> {
    return this.#facts(owner, id);
  }

  /** undefined as above. */
  async read(owner: Owner, id: string, reserve: Reserve): Promise<FoundResponse | undefined> {
    const facts = await this.#facts(owner, id);
    return facts === undefined ? undefined : (await this.#open(owner, [facts], { reserve, goesOn: false })).turns[0];
  }

  /** The response and all that it went on from, to go on from it; undefined where the response itself is not kept. */
  async chain(owner: Owner, id: string, reserve: Reserve): Promise<Conversation | undefined> {
    return this.#chain(owner, id, { reserve, goesOn: true });
  }

  /** The same to be listed, however long it became. */
  async history(owner: Owner, id: string, reserve: Reserve): Promise<FoundResponse[] | undefined> {
    return (await this.#chain(owner, id, { reserve, goesOn: false }))?.turns;
  }

  /** What the conversation up to this response adds to a request that goes on from it; undefined as above. */
  async size(owner: Owner, id: string): Promise<TurnSize | undefined> {
    let [inputBytes, mediaCount, turns] = [0, 0, 0];
    for (let next: string | null = id; next !== null && turns < MOST_TURNS; turns++) {
      const row: KeptFacts | undefined = await this.#facts(owner, next);
      if (row === undefined) break;
      const known = knownSize(row);
      const found = known ?? (await this.#measure(owner, row));
      inputBytes += found.inputBytes;
      mediaCount += found.mediaCount;
      next = known === undefined ? row.previous : null;
    }
    return turns === 0 ? undefined : { inputBytes, mediaCount };
  }

  async forget({ accountId }: Owner, id: string): Promise<void> {
    await deleteKeptResponse(this.#settings.store, accountId, id);
  }

  async #chain(owner: Owner, id: string, opening: Opening): Promise<Conversation | undefined> {
    const rows: KeptFacts[] = [];
    for (
      let next: string | null = id;
      next !== null && rows.length < MOST_TURNS;
      next = rows.at(-1)?.previous ?? null
    ) {
      const row = await this.#facts(owner, next);
      if (row === undefined && rows.length === 0) return undefined;
      if (row === undefined) throw brokenChain(id, next, opening);
      rows.push(row);
    }
    const { store, clock } = this.#settings;
    const ids = rows.map((row) => row.id);
    await useKeptResponses(store, owner.accountId, ids, unixSeconds(clock));
    return this.#open(owner, rows.toReversed(), opening);
  }

  /** One turn alone, which an older version kept. */
  async #measure(owner: Owner, row: KeptFacts): Promise<TurnSize> {
    const [bytes] = await this.#packed(owner, [row], { goesOn: true });
    return bytes === undefined ? NOTHING : turnSize(JSON.parse((await unpack(bytes)).toString()) as KeptResponse);
  }

  async #facts({ accountId, mode }: Owner, id: string): Promise<KeptFacts | undefined> {
    const row = await findKeptResponse(this.#settings.store.reads, { accountId, id, after: this.#oldest() });
    return mode === 'live' || row?.mode === 'test' ? row : undefined;
  }

  #oldest(): number {
    const { clock, days } = this.#settings;
    return unixSeconds(clock) - days * DAY_SECONDS;
  }

  async #open(owner: Owner, rows: readonly KeptFacts[], opening: Opening): Promise<Conversation> {
    const { reserve, goesOn } = opening;
    const sealed = rows.reduce((sum, { bytes }) => sum + bytes, 0);
    let release = await reserve(sealed);
    let packed = await this.#packed(owner, rows, opening);
    const size = packed.reduce((sum, bytes) => sum + sizeUnpacked(bytes), 0);
    if (goesOn && rows.length > 1 && size > this.#settings.maxBytes) throw tooLong(this.#settings.maxBytes);
    if (size > SMALL_BYTES) {
      packed = []; // who waits holds nothing
      release();
      release = await reserve(COPIES * size, size);
      packed = await this.#packed(owner, rows, opening);
    }
    const turns: FoundResponse[] = [];
    // One after another: others run between two of them.
    for (const [index, bytes] of packed.entries()) {
      const kept = JSON.parse((await unpack(bytes)).toString()) as KeptResponse;
      turns.push({ ...kept, model: rows[index]?.model ?? '' });
    }
    return { turns, release };
  }

  async #packed({ accountId }: Owner, rows: readonly KeptFacts[], opening: Pick<Opening, 'goesOn'>): Promise<Buffer[]> {
    const { store, box } = this.#settings;
    const packed: Buffer[] = [];
    for (const { id } of rows) {
      const sealed = await readKeptResponse(store.reads, accountId, id);
      if (sealed === undefined) throw brokenChain(rows.at(-1)?.id ?? id, id, opening);
      packed.push(box.openBytes(sealed));
    }
    return packed;
  }
}

/** Of the whole conversation; undefined where nobody has measured it. */
function knownSize({ input_bytes: inputBytes, media_count: mediaCount }: KeptFacts): TurnSize | undefined {
  return inputBytes === null || mediaCount === null ? undefined : { inputBytes, mediaCount };
}

/** The last four bytes of gzip say it (RFC 1952), and these are our own. */
function sizeUnpacked(packed: Buffer): number {
  return packed.readUInt32LE(packed.length - 4);
}

function tooLong(most: number): GatewayError {
  const message = `'previous_response_id': the conversation has more than ${most / MIB} MB. Begin a shorter one.`;
  return new GatewayError('body_too_large', { message, param: 'previous_response_id' });
}

function brokenChain(id: string, missing: string, { goesOn }: Pick<Opening, 'goesOn'>): GatewayError {
  if (!goesOn)
    return new GatewayError('not_found', {
      message: `The input of the response "${id}" is not complete: "${missing}" is not kept any more.`,
    });
  const message = `The response "${id}" cannot be continued: "${missing}", which it goes on from, is not kept any more. Send the whole conversation.`;
  return new GatewayError('not_found', { message, param: 'previous_response_id' });
}
