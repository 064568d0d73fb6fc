// accounts, tokens, channels, models, requests, tasks and alerts: list, show, create, update, disable, as the operator API has them.
import { Command } from 'commander';
import type { z } from 'zod';
import { accountCreate, accountPatch, accountQuery, credit } from '#contract/accounts.ts';
import { alertQuery } from '#contract/alerts.ts';
import { channelCreate, channelPatch, channelQuery } from '#contract/channels.ts';
import { modelPut, modelQuery } from '#contract/models.ts';
import { requestQuery } from '#contract/requests.ts';
import { taskQuery } from '#contract/tasks.ts';
import { tokenCreate, tokenPatch, tokenQuery } from '#contract/tokens.ts';
import { callOperator } from '../connection.ts';
import { addFields, readFields } from '../fields.ts';
import { printFacts, printJson, printTable, withTimes } from '../output.ts';
import { Refused } from '../refused.ts';

type Row = Record<string, unknown>;
interface Page {
  data: Row[];
  next_cursor: string | null;
}

interface Noun {
  name: string;
  one: string;
  query: z.ZodObject;
  columns: readonly string[];
  create?: z.ZodType;
  patch?: z.ZodType;
  /** Put whole under a name of the operator's choice. */
  put?: z.ZodType;
  /** What `credit` takes. */
  credit?: z.ZodType;
  /** What `disable` sets. */
  disabled?: Row;
}

const nouns: readonly Noun[] = [
  {
    name: 'accounts',
    one: 'account',
    query: accountQuery,
    columns: ['id', 'name', 'group', 'status', 'balance', 'created_at'],
    create: accountCreate,
    patch: accountPatch,
    credit,
    disabled: { status: 'disabled' },
  },
  {
    name: 'tokens',
    one: 'token',
    query: tokenQuery,
    columns: ['id', 'name', 'account_id', 'status', 'mode', 'quota', 'used', 'key_hint'],
    create: tokenCreate,
    patch: tokenPatch,
    disabled: { status: 'disabled' },
  },
  {
    name: 'channels',
    one: 'channel',
    query: channelQuery,
    columns: ['id', 'name', 'provider', 'base_url', 'status', 'priority'],
    create: channelCreate,
    patch: channelPatch,
    disabled: { status: 'disabled' },
  },
  {
    name: 'models',
    one: 'model',
    query: modelQuery,
    columns: ['id', 'owned_by', 'enabled', 'endpoint_types', 'price'],
    put: modelPut,
    disabled: { enabled: false },
  },
  {
    name: 'requests',
    one: 'request',
    query: requestQuery,
    columns: ['id', 'created_at', 'status', 'error_code', 'endpoint', 'model', 'charge', 'total_ms'],
  },
  {
    name: 'tasks',
    one: 'task',
    query: taskQuery,
    columns: ['id', 'created_at', 'status', 'progress', 'model', 'charge', 'fail_reason'],
  },
  {
    name: 'alerts',
    one: 'alert',
    query: alertQuery,
    columns: ['id', 'opened_at', 'state', 'severity', 'rule', 'subject', 'title'],
  },
];

/** A noun that the words do not name is there for the help alone. */
export function nounCommands(words?: readonly string[]): Command[] {
  return nouns.map((noun) => {
    const command = new Command(noun.name).description(`${noun.one}s of the gateway (needs TOLLGATE_OPERATOR_KEY)`);
    if (words?.includes(noun.name) === false) return command.addCommand(showCommand(noun));
    command.addCommand(listCommand(noun));
    command.addCommand(showCommand(noun));
    if (noun.create !== undefined) command.addCommand(createCommand(noun, noun.create));
    if (noun.patch !== undefined) command.addCommand(updateCommand(noun, noun.patch));
    if (noun.put !== undefined) for (const one of putCommands(noun, noun.put)) command.addCommand(one);
    if (noun.credit !== undefined) command.addCommand(creditCommand(noun, noun.credit));
    if (noun.disabled !== undefined) command.addCommand(disableCommand(noun, noun.disabled));
    return command;
  });
}

const pathOf = (noun: Noun, id: string): string => `/${noun.name}/${encodeURIComponent(id)}`;

function listCommand(noun: Noun): Command {
  const command = new Command('list').description(`list ${noun.name}`).option('--all', 'all pages, not only the first');
  const fields = addFields(command, noun.query, { leaveOut: ['format'] });
  return command.action(async (options: Row) => {
    const query = Object.fromEntries(
      Object.entries(readFields(fields, options)).map(([name, value]) => [name, String(value)]),
    );
    const page = await callOperator<Page>(`/${noun.name}`, { query });
    while (options['all'] === true && page.next_cursor !== null) {
      const next = await callOperator<Page>(`/${noun.name}`, { query: { ...query, cursor: page.next_cursor } });
      page.data.push(...next.data);
      page.next_cursor = next.next_cursor;
    }
    if (options['json'] === true) return printJson(page);
    printTable(page.data.map(withTimes), noun.columns);
    if (page.next_cursor !== null) process.stderr.write(`There are more: --all, or --cursor ${page.next_cursor}\n`);
    return undefined;
  });
}

function showCommand(noun: Noun): Command {
  return new Command('show')
    .description(`show one ${noun.one}`)
    .argument('<id>')
    .action(async (id: string, options: Row) => print(await callOperator<Row>(pathOf(noun, id)), options));
}

function createCommand(noun: Noun, schema: z.ZodType): Command {
  const command = new Command('create').description(`create ${article(noun.one)}`);
  const fields = addFields(command, schema);
  return command.action(async (options: Row) =>
    print(await callOperator<Row>(`/${noun.name}`, { method: 'POST', body: readFields(fields, options) }), options),
  );
}

function updateCommand(noun: Noun, schema: z.ZodType): Command {
  const command = new Command('update').description(`change ${article(noun.one)}`).argument('<id>');
  const fields = addFields(command, schema);
  return command.action(async (id: string, options: Row) => {
    const body = readFields(fields, options);
    refuseNothing(body);
    print(await callOperator<Row>(pathOf(noun, id), { method: 'PATCH', body }), options);
  });
}

function refuseNothing(given: Row): void {
  if (Object.keys(given).length === 0) throw new Refused('nothing to change: give at least one field.');
}

function creditCommand(noun: Noun, schema: z.ZodType): Command {
  const command = new Command('credit').description(`add money to ${article(noun.one)}`).argument('<id>');
  const fields = addFields(command, schema);
  return command.action(async (id: string, options: Row) =>
    print(
      await callOperator<Row>(`${pathOf(noun, id)}/credits`, { method: 'POST', body: readFields(fields, options) }),
      options,
    ),
  );
}

/** Replaced whole: an update reads what is there, and is refused where somebody has changed it meanwhile. */
function putCommands(noun: Noun, schema: z.ZodType): Command[] {
  return (['create', 'update'] as const).map((verb) => {
    const command = new Command(verb).description(`${verb === 'create' ? 'create' : 'change'} ${article(noun.one)}`);
    command.argument('<id>');
    const fields = addFields(command, schema);
    return command.action(async (id: string, options: Row) => {
      const given = readFields(fields, options);
      if (verb === 'update') refuseNothing(given);
      print(verb === 'create' ? await make(noun, id, given) : await change(noun, id, { schema, given }), options);
    });
  });
}

function disableCommand(noun: Noun, disabled: Row): Command {
  return new Command('disable')
    .description(`disable ${article(noun.one)}`)
    .argument('<id>')
    .action(async (id: string, options: Row) => {
      const schema = noun.put;
      const changed =
        schema === undefined
          ? await callOperator<Row>(pathOf(noun, id), { method: 'PATCH', body: disabled })
          : await change(noun, id, { schema, given: disabled });
      print(changed, options);
    });
}

async function change(noun: Noun, id: string, { schema, given }: { schema: z.ZodType; given: Row }): Promise<Row> {
  const { etag, ...before } = await callOperator<Row>(pathOf(noun, id));
  const known = Object.keys((schema as z.ZodObject).shape);
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => known.includes(name)));
  return put(noun, id, { ...kept, ...given }, { 'if-match': `"${String(etag)}"` });
}

/** A put would replace what is there, its price too. */
async function make(noun: Noun, id: string, body: Row): Promise<Row> {
  const there = await callOperator<Row>(pathOf(noun, id)).catch((error: unknown) => {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  });
  if (there !== undefined)
    throw new Refused(`the ${noun.one} "${id}" is there already. Change it with: tollgate ${noun.name} update ${id}`);
  return put(noun, id, body);
}

function put(noun: Noun, id: string, body: Row, headers: Record<string, string> = {}): Promise<Row> {
  return callOperator<Row>(pathOf(noun, id), { method: 'PUT', body, headers });
}

function print(row: Row, options: Row): void {
  if (options['json'] === true) printJson(row);
  else printFacts(Object.entries(withTimes(row)));
}

function article(one: string): string {
  return `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`;
}
