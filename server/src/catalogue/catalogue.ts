// What is offered, as one value: models, groups, flags and which channels carry what. Loaded whole, replaced whole;
// a request looks at one catalogue from its start to its end.
import type { Price } from './prices.ts';

export interface Model {
  id: string;
  ownedBy: string;
  endpointTypes: readonly string[];
  /** undefined = not for sale, and so not available. */
  price: Price | undefined;
  enabled: boolean;
  flag: string | undefined;
  /** Tokens held for output when the request names no maximum. */
  maxOutputTokens: number | undefined;
  /** Are service tiers and server-side tools without a price passed on? undefined = tools are, tiers are not. */
  passUnpriced?: boolean | undefined;
  created: number;
}

export interface Group {
  name: string;
  /** Decimal text and the same in billionths. */
  multiplier: string;
  multiplierNano: bigint;
  models: readonly string[] | undefined;
}

export interface Flag {
  name: string;
  enabled: boolean;
  accounts: readonly string[];
  groups: readonly string[];
}

export interface ChannelFacts {
  id: string;
  name: string;
  provider: string;
  baseUrl: string;
  /** Public model name -> upstream model name. */
  models: ReadonlyMap<string, string>;
  /** Empty = every group. */
  groups: readonly string[];
  priority: number;
  weight: number;
  enabled: boolean;
  /** A channel of the built-in sandbox: the only kind that test tokens reach. */
  sandbox: boolean;
  headers: Readonly<Record<string, string>>;
  options: ChannelOptions;
  /** Sealed upstream keys. */
  keys: readonly { id: string; ciphertext: string; isDisabled: boolean }[];
}

export interface ChannelOptions {
  connectMs: number;
  firstByteMs: number;
  idleMs: number;
  totalMs: number;
  concurrency: number | undefined;
  rpm: number | undefined;
  dropFields: readonly string[];
  speaks: readonly string[] | undefined;
  /** Copies of finished videos; undefined = as the provider declares. */
  archive: boolean | undefined;
  /** The only account that it serves; undefined = all. */
  accountId: string | undefined;
  /** What it keeps is for everybody who reaches it: the operator's own prompts and stores. */
  sharedObjects: boolean;
  /** Its calls go through it; undefined = as the environment says. */
  proxy?: string | undefined;
  /** Of clouds; each kind of upstream lists those that count for it. */
  apiVersion?: string | undefined;
  region?: string | undefined;
  project?: string | undefined;
  location?: string | undefined;
  tokenUrl?: string | undefined;
}

export interface Catalogue {
  models: ReadonlyMap<string, Model>;
  groups: ReadonlyMap<string, Group>;
  flags: ReadonlyMap<string, Flag>;
  channels: readonly ChannelFacts[];
  /** False when TOLLGATE_SANDBOX is off: then sandbox channels and models do not exist. */
  sandbox: boolean;
}
