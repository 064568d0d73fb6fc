// A configuration of LiteLLM, and its table of keys where there is one, as a plan.
import type { Price } from '#contract/prices.ts';
import { Refused } from '../../refused.ts';
import type { ImportPlan, NotTaken, PlannedModel, PlannedToken } from '../import-plan.ts';
import { object, type Source, text } from '../sources/source.ts';
import { type AccountContext, defaultAccount } from './accounts.ts';
import { type Carried, readDeployments } from './channels.ts';
import { type Deployment, type LitellmConfig, resolve } from './config.ts';
import { readCosts } from './costs.ts';
import { isLitellm, readKeys } from './keys.ts';

export interface LitellmInput {
  config: LitellmConfig;
  /** Its database, where it was given. */
  source: Source | undefined;
  label: string;
  credit: bigint | null;
  environment: NodeJS.ProcessEnv;
  listed: (model: string) => Price | undefined;
}

export async function planLitellm({
  config,
  source,
  label,
  credit,
  environment: around,
  listed,
}: LitellmInput): Promise<ImportPlan> {
  const environment = { ...around, ...config.variables };
  if (source !== undefined && !(await isLitellm(source)))
    throw new Refused('the database has no table "LiteLLM_VerificationToken": it is no database of LiteLLM.');
  const notTaken: NotTaken[] = [];
  const context: AccountContext = { label, credit, notTaken };
  const common = defaultAccount(context);
  const read = readDeployments(withAliases(config), environment);
  const models = planModels(read.carried, listed);
  const keys =
    source === undefined
      ? { accounts: [], tokens: [] }
      : await readKeys(source, { ...context, defaultAccount: common.externalId });
  const master = masterToken(config, { account: common.externalId, environment, notTaken });
  const tokens = [...(master === undefined ? [] : [master]), ...keys.tokens];
  const accounts = [common, ...keys.accounts];
  if (source === undefined && text(config.general['database_url']) !== '')
    notTaken.push({ kind: 'token', name: 'keys', reason: 'are in its database; give its address with --database' });
  const sum = accounts.reduce((all, { balance }) => all + (balance ?? 0n), 0n);
  for (const { fields, balance } of accounts)
    if (balance === null)
      notTaken.push({
        kind: 'money',
        name: fields.name,
        reason: 'has no total budget there, so no balance here; give --credit, or credit it',
      });
  return {
    program: 'litellm',
    groups: [],
    models: models.models,
    channels: read.channels,
    accounts,
    tokens,
    notTaken: [...notTaken, ...read.notTaken, ...models.notTaken, ...otherSettings(config)],
    sumBefore: sum,
    sumNotTaken: 0n,
    history: await readHistory(source),
  };
}

/** `model_group_alias` gives a model a second name. */
function withAliases({ deployments, router }: LitellmConfig): Deployment[] {
  const aliases = Object.entries(object(router['model_group_alias']) ?? {}).flatMap(([alias, target]) => {
    const model = text(object(target)?.['model'] ?? target);
    return deployments.filter(({ name }) => name === model).map((one) => ({ ...one, name: alias }));
  });
  return [...deployments, ...aliases];
}

function planModels(
  carried: readonly Carried[],
  listed: (model: string) => Price | undefined,
): { models: PlannedModel[]; notTaken: NotTaken[] } {
  const models: PlannedModel[] = [];
  const notTaken: NotTaken[] = [];
  for (const id of [...new Set(carried.map(({ model }) => model))].toSorted()) {
    const own = carried.filter(({ model }) => model === id);
    const cost = own
      .map(({ deployment: { params, info } }) => readCosts({ ...info, ...params }))
      .find((one) => one !== undefined);
    const names = [...own.flatMap(({ upstream, deployment: { info } }) => [text(info['base_model']), upstream]), id];
    const price = names.map((name) => listed(name) ?? listed(plain(name))).find((one) => one !== undefined);
    if (cost !== undefined) models.push({ id, ...cost });
    else if (price !== undefined) models.push({ id, price, arithmetic: 'public list price: no cost in the file' });
    else
      notTaken.push({
        kind: 'price',
        name: id,
        reason: 'no cost in the file, and the public list has no price for it',
      });
  }
  return { models, notTaken };
}

/** Without vendor and region. */
function plain(name: string): string {
  return (name.split('/').at(-1) ?? '').replace(/^(?:us|eu|apac|global)\./, '');
}

function masterToken(
  { general }: LitellmConfig,
  { account, environment, notTaken }: { account: string; environment: NodeJS.ProcessEnv; notTaken: NotTaken[] },
): PlannedToken | undefined {
  const { value, missing } = resolve(general['master_key'] ?? 'os.environ/LITELLM_MASTER_KEY', environment);
  const say = (reason: string): undefined => void notTaken.push({ kind: 'token', name: 'litellm-master', reason });
  if (value === '') return say(`${missing ?? 'master_key'} is not set here, so there is no token for it`);
  if (!/^[\x21-\x7e]{8,200}$/.test(value)) return say('the master key must have 8 to 200 visible characters here');
  return { account, fields: { name: 'litellm-master', key: value } };
}

/** Settings that change where calls go. */
function otherSettings({ router, litellm }: LitellmConfig): NotTaken[] {
  return ['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks', 'default_fallbacks'].flatMap((name) => {
    const value = router[name] ?? litellm[name];
    return Array.isArray(value) && value.length > 0
      ? [
          {
            kind: 'setting',
            name,
            reason: 'one model standing in for another has no equivalent here; channels of one model do that',
          },
        ]
      : [];
  });
}

async function readHistory(source: Source | undefined): Promise<ImportPlan['history']> {
  if (source === undefined) return [];
  const rows = await source.count('LiteLLM_SpendLogs');
  const stored = await source.count('LiteLLM_ProxyModelTable');
  return [
    ...(rows === 0 ? [] : [{ what: 'spend log lines', rows, amount: null }]),
    ...(stored === 0 ? [] : [{ what: 'models kept in its database, sealed', rows: stored, amount: null }]),
  ];
}
