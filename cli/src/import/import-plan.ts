// What an import would put into the gateway, and what it cannot: made from a source alone, before anything is called.
import type { z } from 'zod';
import type { accountCreate } from '#contract/accounts.ts';
import type { channelCreate } from '#contract/channels.ts';
import type { Price } from '#contract/prices.ts';
import type { tokenCreate } from '#contract/tokens.ts';

export interface PlannedGroup {
  name: string;
  multiplier: string;
}

export interface PlannedModel {
  id: string;
  price: Price;
  /** How the price came about, for people. */
  arithmetic: string;
}

export interface PlannedAccount {
  /** Known by it in later runs, whatever it is called by then. */
  externalId: string;
  fields: z.input<typeof accountCreate>;
  /** What it had in the source, in nano-units, never negative; null: the source says nothing, so no money is moved. */
  balance: bigint | null;
  /** How the balance came about, for people. */
  arithmetic: string;
}

export interface PlannedToken {
  /** `externalId` of its account. */
  account: string;
  fields: Omit<z.input<typeof tokenCreate>, 'account_id'>;
}

export type PlannedChannel = z.input<typeof channelCreate>;

/** Something of the source that is not in the gateway afterwards, or not as it was. */
export interface NotTaken {
  kind: string;
  name: string;
  reason: string;
}

export interface ImportPlan {
  /** The program, such as `new-api`. */
  program: string;
  groups: PlannedGroup[];
  models: PlannedModel[];
  channels: PlannedChannel[];
  accounts: PlannedAccount[];
  tokens: PlannedToken[];
  notTaken: NotTaken[];
  /** Sum of all balances in the source, and of those that cannot be taken over, in nano-units. */
  sumBefore: bigint;
  sumNotTaken: bigint;
  /** What is counted and left where it is, such as logs. */
  history: { what: string; rows: number; amount: string | null }[];
}
