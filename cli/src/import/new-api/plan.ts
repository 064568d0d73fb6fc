// A whole database of new-api or one-api as a plan.
import type { Price } from '#contract/prices.ts';
import { groupPut } from '#contract/groups.ts';
import { formatAmount } from '../../../../server/src/billing/money.ts';
import { toNano, shown } from '../exact-decimal.ts';
import type { ImportPlan, NotTaken, PlannedGroup, PlannedModel } from '../import-plan.ts';
import { Refused } from '../../refused.ts';
import { object, type Row, type Source, text } from '../sources/source.ts';
import { readAccounts } from './accounts.ts';
import { type ReadChannels, readChannels } from './channels/read-channels.ts';
import type { Program } from './channels/channel-types.ts';
import { groupOf } from '../names.ts';
import { findPrice } from './prices.ts';
import { type Ratios, readRatios, withPricing } from './ratios.ts';
import { readTokens } from './tokens.ts';

export const NEEDED = ['users', 'tokens', 'channels', 'options'] as const;
/** Counted and summed, not read. */
const HISTORY: readonly [table: string, what: string][] = [
  ['logs', 'log lines'],
  ['redemptions', 'redemption codes'],
  ['top_ups', 'top-ups'],
  ['midjourneys', 'Midjourney tasks'],
  ['tasks', 'tasks'],
  ['user_subscriptions', 'subscriptions'],
];

/** Of a group here. */
const LARGEST_FACTOR = '1000';

export interface NewApiInput {
  source: Source;
  program: Program;
  /** In front of external ids. */
  label: string;
  /** Answer of GET /api/pricing, where it was given. */
  pricing: unknown;
  listed: (model: string) => Price | undefined;
  now: number;
}

export async function planNewApi({ source, program, label, pricing, listed, now }: NewApiInput): Promise<ImportPlan> {
  await refuseOther(source, program);
  const options = new Map((await source.rows('options')).map((row) => [text(row['key']), text(row['value'])]));
  const ratios = chooseRatios(options, pricing);
  const read = readChannels(await source.rows('channels'), program);
  const accounts = readAccounts(await source.rows('users'), { perUnit: ratios.perUnit, label });
  const tokens = readTokens(await source.rows('tokens'), { perUnit: ratios.perUnit, byUser: accounts.byUser, now });
  const models = planModels(read, { ratios, program, listed });
  const used = [
    ...accounts.accounts.map(({ fields }) => fields.group),
    ...tokens.tokens.map(({ fields }) => fields.group),
    ...read.channels.flatMap(({ groups }) => groups ?? []),
  ];
  const groups = planGroups(ratios, used);
  return {
    program,
    groups: groups.groups,
    models: models.models,
    channels: read.channels,
    accounts: accounts.accounts,
    tokens: tokens.tokens,
    notTaken: [
      ...accounts.notTaken,
      ...tokens.notTaken,
      ...read.notTaken,
      ...models.notTaken,
      ...groups.notTaken,
      ...otherOptions(options),
      { kind: 'sign-in', name: 'passwords', reason: 'are not taken over; invite people as members of their account' },
    ],
    sumBefore: accounts.sumBefore,
    sumNotTaken: accounts.sumNotTaken,
    history: await readHistory(source, ratios),
  };
}

async function refuseOther(source: Source, program: Program): Promise<void> {
  for (const table of NEEDED) {
    if ((await source.columns(table)).length === 0)
      throw new Refused(`the source has no table "${table}": it is no database of ${program}.`);
  }
  const isNewApi = (await source.columns('tokens')).includes('model_limits_enabled');
  const found: Program = isNewApi ? 'new-api' : 'one-api';
  if (found !== program) throw new Refused(`the source is a database of ${found}: use tollgate import ${found}.`);
}

function chooseRatios(options: ReadonlyMap<string, string>, pricing: unknown): Ratios {
  const saved = readRatios(options);
  if (pricing === undefined) return saved;
  const found = withPricing(saved, pricing);
  if (found === undefined) throw new Refused('--pricing is no answer of GET /api/pricing: it has no list "data".');
  return found;
}

function planModels(
  { channels }: ReadChannels,
  context: { ratios: Ratios; program: Program; listed: (model: string) => Price | undefined },
): { models: PlannedModel[]; notTaken: NotTaken[] } {
  const models: PlannedModel[] = [];
  const notTaken: NotTaken[] = [];
  const isVideo = (provider: string): boolean => ['kling', 'vidu', 'beta-video'].includes(provider);
  const text_ = new Set(
    channels.filter(({ provider }) => !isVideo(provider)).flatMap((one) => Object.keys(one.models ?? {})),
  );
  const all = new Set(channels.flatMap((one) => Object.keys(one.models ?? {})));
  for (const id of [...all].toSorted()) {
    const { price, arithmetic } = text_.has(id)
      ? findPrice(id, context)
      : {
          price: null,
          arithmetic: 'videos are charged by the second or by what the vendor reports here; set its price',
        };
    if (price === null) notTaken.push({ kind: 'price', name: id, reason: arithmetic });
    else models.push({ id, price, arithmetic });
  }
  return { models, notTaken };
}

function planGroups(
  ratios: Ratios,
  used: readonly (string | null | undefined)[],
): { groups: PlannedGroup[]; notTaken: NotTaken[] } {
  const groups = new Map<string, PlannedGroup>();
  const notTaken: NotTaken[] = [];
  for (const [name, ratio] of ratios.groups) {
    const group = { name: groupOf(name), multiplier: formatAmount(toNano(ratio)) };
    const isTaken = groupPut.safeParse({ multiplier: group.multiplier }).success;
    groups.set(group.name, isTaken ? group : { ...group, multiplier: LARGEST_FACTOR });
    if (!isTaken)
      notTaken.push({
        kind: 'group',
        name,
        reason: `its factor ${shown(ratio)} is more than ${LARGEST_FACTOR}, which it has here`,
      });
    if (group.name !== name) notTaken.push({ kind: 'group', name, reason: `is called "${group.name}" here` });
  }
  for (const name of used) {
    if (name !== null && name !== undefined && !groups.has(name)) groups.set(name, { name, multiplier: '1' });
  }
  return { groups: [...groups.values()], notTaken };
}

/** Settings that change what people pay or get. */
function otherOptions(options: ReadonlyMap<string, string>): NotTaken[] {
  const special = object(options.get('GroupGroupRatio')) ?? {};
  const rows = Object.entries(special).flatMap(([group, factors]) =>
    Object.keys((factors ?? {}) as Row).map((other) => `${group} using ${other}`),
  );
  return rows.map((name) => ({
    kind: 'group',
    name,
    reason: 'a factor for one group using another has no equivalent here',
  }));
}

async function readHistory(source: Source, { perUnit }: Ratios): Promise<ImportPlan['history']> {
  const history: ImportPlan['history'] = [];
  for (const [table, what] of HISTORY) {
    const rows = await source.count(table);
    if (rows === 0) continue;
    const isMoney = (await source.columns(table)).includes('quota');
    const sum = toNano({ digits: await source.sum(table, 'quota'), scale: 0 }, perUnit);
    history.push({ what, rows, amount: isMoney ? formatAmount(sum) : null });
  }
  return history;
}
