// Responses of translated calls, kept by the gateway itself: sealed, owned by their account, forgotten after a while
// (contract-2 7). A conversation is a chain of them; each holds only what its own request brought and what was answered.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Principal } from '../../access/principal.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { KeptResponse } from '../../protocols/openai-responses/kept/kept-response.ts';
import { type Clock, unixSeconds } from '../../shared/clock.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import {
  deleteKeptResponse,
  findKeptResponse,
  insertKeptResponse,
  useKeptResponses,
} from '../../store/queries/kept-responses.ts';
import type { Store } from '../../store/store.ts';
import type { KeptResponsesTable } from '../../store/tables.ts';

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
}

export interface FoundResponse extends KeptResponse {
  model: string;
}

export interface NewResponse {
  id: string;
  /** The kept one that it went on from. */
  previous: string | undefined;
  model: string;
  kept: KeptResponse;
}

type Owner = Pick<Principal, 'accountId' | 'mode'>;

export class KeptResponses {
  readonly #settings: KeptResponsesSettings;

  constructor(settings: KeptResponsesSettings) {
    this.#settings = settings;
  }

  get isOn(): boolean {
    return this.#settings.days > 0;
  }

  /** Durable when it resolves. */
  async keep({ accountId, mode }: Owner, { id, previous, model, kept }: NewResponse): Promise<void> {
    const { store, box, clock } = this.#settings;
    const sealed = box.sealBytes(await pack(JSON.stringify(kept)));
    const used_at = unixSeconds(clock);
    const names = { account_id: accountId, id, previous: previous ?? null, model, mode };
    await insertKeptResponse(store, { ...names, sealed, used_at });
  }

  /** undefined for one that nobody kept, for another account's, and for a real one asked about with a test token. */
  async find(owner: Owner, id: string): Promise<FoundResponse | undefined> {
    const row = await this.#row(owner, id);
    return row === undefined ? undefined : this.#open(row);
  }

  /** The response and all that it went on from, oldest first; undefined where the response itself is not kept. */
  async chain(owner: Owner, id: string): Promise<FoundResponse[] | undefined> {
    const rows: KeptResponsesTable[] = [];
    for (
      let next: string | null = id;
      next !== null && rows.length < MOST_TURNS;
      next = rows.at(-1)?.previous ?? null
    ) {
      const row = await this.#row(owner, next);
      if (row === undefined && rows.length === 0) return undefined;
      if (row === undefined) throw brokenChain(id, next);
      rows.push(row);
    }
    const { store, clock } = this.#settings;
    const ids = rows.map((row) => row.id);
    await useKeptResponses(store, owner.accountId, ids, unixSeconds(clock));
    return Promise.all(rows.toReversed().map((row) => this.#open(row)));
  }

  async forget({ accountId }: Owner, id: string): Promise<void> {
    await deleteKeptResponse(this.#settings.store, accountId, id);
  }

  async #row({ accountId, mode }: Owner, id: string): Promise<KeptResponsesTable | undefined> {
    const { store, clock, days } = this.#settings;
    const after = unixSeconds(clock) - days * DAY_SECONDS;
    const row = await findKeptResponse(store.reads, { accountId, id, after });
    return mode === 'live' || row?.mode === 'test' ? row : undefined;
  }

  async #open({ sealed, model }: KeptResponsesTable): Promise<FoundResponse> {
    const text = (await unpack(this.#settings.box.openBytes(sealed))).toString();
    return { ...(JSON.parse(text) as KeptResponse), model };
  }
}

function brokenChain(id: string, missing: string): GatewayError {
  const message = `The response "${id}" cannot be continued: "${missing}", which it goes on from, is not kept any more. Send the whole conversation.`;
  return new GatewayError('not_found', { message, param: 'previous_response_id' });
}
