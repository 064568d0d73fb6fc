// import: takes over accounts, balances, keys, channels and prices of other gateways (contract-2 11).
import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { price as priceSchema, type Price } from '#contract/prices.ts';
import { amount } from '#contract/values/amounts.ts';
import { parseAmount } from '../../../server/src/billing/money.ts';
import { readListPrices } from '../../../server/src/catalogue/list-prices.ts';
import { Refused } from '../refused.ts';
import type { Program } from '../import/new-api/channels/channel-types.ts';
import type { RunOptions } from '../import/run-import.ts';

interface NewApiOptions extends RunOptions {
  as?: string;
  pricing?: string;
}

export function importCommand(): Command {
  return new Command('import')
    .description('take over what another gateway has (needs TOLLGATE_OPERATOR_KEY)')
    .addCommand(newApi('new-api'))
    .addCommand(newApi('one-api'))
    .addCommand(litellm());
}

function importer(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--dry-run', 'print every row and what cannot be taken over, change nothing, call no gateway')
    .option('--yes', 'do not ask')
    .option('--as <name>', `in front of external ids: tells two sources of one kind apart (default ${name})`);
}

function newApi(program: Program): Command {
  return importer(program, `take over a database of ${program}: a SQLite file, a MySQL dump, or postgres://...`)
    .argument('<source>', 'SQLite file, MySQL dump file, or database address')
    .option(
      '--pricing <file>',
      "the program's answer to GET /api/pricing: every ratio as it counted, built-in ones too",
    )
    .action(async (location: string, { as = program, pricing, ...options }: NewApiOptions) => {
      const { NEEDED, planNewApi } = await import('../import/new-api/plan.ts');
      const { runImport } = await import('../import/run-import.ts');
      const { openSource } = await import('../import/sources/open-source.ts');
      const source = await openSource(location, { kept: NEEDED, summed: ['quota'] });
      try {
        const plan = await planNewApi({
          source,
          program,
          label: as,
          pricing: pricing === undefined ? undefined : await readJson(pricing),
          listed: await listPrices(),
          now: Math.floor(Date.now() / 1000),
        });
        await runImport(plan, options);
      } finally {
        await source.close();
      }
    });
}

interface LitellmOptions extends RunOptions {
  as?: string;
  database?: string;
  credit?: bigint;
}

function litellm(): Command {
  return importer('litellm', 'take over a config.yaml of LiteLLM, and its keys from its database')
    .argument('<config>', 'config.yaml; the variables that it names are read from the environment')
    .option('--database <address>', 'postgres://... of LiteLLM, for its teams, users and keys')
    .option('--credit <amount>', 'balance of every account that has no total budget there', readAmount)
    .action(async (path: string, { as = 'litellm', database, credit, ...options }: LitellmOptions) => {
      const { readLitellmConfig } = await import('../import/litellm/config.ts');
      const { planLitellm } = await import('../import/litellm/plan.ts');
      const { runImport } = await import('../import/run-import.ts');
      const { openSource } = await import('../import/sources/open-source.ts');
      const config = await readLitellmConfig(path);
      if (database !== undefined && !/^postgres(?:ql)?:\/\//i.test(database))
        throw new Refused('--database must be postgres://...: LiteLLM keeps its keys in no other database.');
      const source = database === undefined ? undefined : await openSource(database, { kept: [], summed: [] });
      try {
        const listed = await listPrices();
        const input = { config, source, label: as, credit: credit ?? null, environment: process.env, listed };
        await runImport(await planLitellm(input), options);
      } finally {
        await source?.close();
      }
    });
}

function readAmount(text: string): bigint {
  const value = amount.safeParse(text).success ? parseAmount(text) : undefined;
  if (value === undefined) throw new InvalidArgumentError('It must be an amount such as 100 or 12.50.');
  return value;
}

async function listPrices(): Promise<(model: string) => Price | undefined> {
  const { prices } = await readListPrices();
  const byModel = new Map(prices.map(({ model, price }) => [model, price]));
  return (model) => {
    const found = byModel.get(model);
    return found === undefined ? undefined : priceSchema.parse(found);
  };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    throw new Refused(`${path}: ${(error as Error).message}`);
  }
}
