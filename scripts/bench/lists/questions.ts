// What operators ask of long lists: every filter, by a name that no line has, that few have and that most have, alone, in a
// range of time, and together with others.
import { listAccounts } from '../../../server/src/store/queries/accounts.ts';
import { listAudit } from '../../../server/src/store/queries/audit.ts';
import { listLedger } from '../../../server/src/store/queries/ledger.ts';
import { listRequests, type RequestListing } from '../../../server/src/store/queries/requests.ts';
import { countTimes } from '../../../server/src/store/queries/request-times.ts';
import { listTasks, type TaskListing } from '../../../server/src/store/queries/tasks.ts';
import { namesOf } from '../../../server/src/store/queries/names.ts';
import { searchAll } from '../../../server/src/store/queries/search.ts';
import { listLedgerGroups } from '../../../server/src/store/queries/folded-ledger.ts';
import { listTokens } from '../../../server/src/store/queries/tokens.ts';
import { listUsage } from '../../../server/src/store/queries/usage.ts';
import type { Reads } from '../../../server/src/store/store.ts';
import { DAY, idOf, SPAN, START } from './fill-lists.ts';

export type Questions = Record<string, () => Promise<unknown>>;

const limit = 51;
const idsOf = (kind: string) => Array.from({ length: 50 }, (_, number) => `${kind}_${number * 100}`);
const RANGES: Record<string, { from?: number; to?: number }> = {
  '': {},
  ', a day long ago': { from: START + DAY, to: START + 2 * DAY },
  ', a day to come': { from: START + SPAN + 7 * DAY },
  ', before all': { to: START - DAY },
};

/** Of every filter its values, in every range of time. */
function cross<Listing extends object>(
  list: string,
  filters: Record<string, Listing>,
  ask: (listing: Listing & { limit: number }) => Promise<unknown>,
): Questions {
  const questions: Questions = {};
  for (const [name, filter] of Object.entries(filters))
    for (const [range, times] of Object.entries(RANGES))
      questions[`${list}${name}${range}`] = () => ask({ ...filter, ...times, limit });
  return questions;
}

/** `none`, `few` and `most` of a name. */
function values<Key extends string>(key: Key, kind: string): Record<string, { [K in Key]: string }> {
  const named = (word: string) =>
    [` of ${key} ${word}`, { [key]: `${kind}_${word}` } as { [K in Key]: string }] as const;
  return Object.fromEntries(['none', 'few', 'most'].map(named));
}

export function requestQuestions(reads: Reads, rows: number): Questions {
  const filters: Record<string, Omit<RequestListing, 'limit'>> = {
    '': {},
    ' in the middle': { after: idOf('req', Math.floor(rows / 2), rows) },
    ' by id': { id: idOf('req', 7, rows) },
    ...values('accountId', 'acc'),
    ...values('tokenId', 'tok'),
    ...values('model', 'model'),
    ...values('channelId', 'chn'),
    ' failed': { least: 400 },
    ' of status 200': { status: 200 },
    ' of status 418 (few)': { status: 418 },
    ' of status 204 (none)': { status: 204 },
    ' of code upstream_error': { errorCode: 'upstream_error' },
    ' of code few': { errorCode: 'few' },
    ' of code none': { errorCode: 'none' },
    ' of most tokens and model none': { tokenId: 'tok_most', model: 'none' },
    ' of most tokens, model few': { tokenId: 'tok_most', model: 'model_few' },
    ' of most tokens, failed': { tokenId: 'tok_most', least: 400 },
    ' of most accounts, status 418': { accountId: 'acc_most', status: 418 },
    ' of few tokens, failed': { tokenId: 'tok_few', least: 400 },
    ' of most models and channel few': { model: 'model_most', channelId: 'chn_few' },
  };
  return cross('requests', filters, (listing) => listRequests(reads, listing));
}

export function otherQuestions(reads: Reads): Questions {
  const tasks: Record<string, Omit<TaskListing, 'limit'>> = {
    '': {},
    ...values('accountId', 'acc'),
    ...values('tokenId', 'tok'),
    ...values('model', 'model'),
    ...values('channelId', 'chn'),
    ' failed': { states: ['FAILURE'] },
    ' succeeded': { states: ['SUCCESS'] },
    ' queued (none)': { states: ['QUEUED'] },
    ' live (none)': { live: true },
  };
  const ledger = {
    '': {},
    ...values('accountId', 'acc'),
    ...values('tokenId', 'tok'),
    ' of kind credit (few)': { kind: 'credit' as const },
    ' of kind hold': { kind: 'hold' as const },
    ' of an account with most, credits': { accountId: 'acc_most', kind: 'credit' as const },
    ' in test mode (few)': { mode: 'test' as const },
    ' of a request': { requestId: 'none' },
  };
  const audit = {
    '': {},
    ...values('operator', 'operator'),
    ...values('action', 'action'),
    ...values('resource', 'resource'),
    ...values('resourceId', 'id'),
  };
  const overview = { from: START, to: START + SPAN + DAY, bucketLength: DAY, filters: {}, after: undefined };
  return {
    ...cross('ledger', ledger, (listing) => listLedger(reads, listing)),
    ...cross('tasks', tasks, (listing) => listTasks(reads, { ...listing, withDeleted: true })),
    ...cross('audit', audit, (listing) => listAudit(reads, listing)),
    'tokens by a part of the name': () => listTokens(reads, { q: 'NAME 77', limit }),
    'tokens by a name nobody has': () => listTokens(reads, { q: '%'.repeat(100), limit }),
    'accounts by a part of the name': () => listAccounts(reads, { q: 'name 77', limit }),
    ...Object.fromEntries(
      ['name', 'balance', 'created_at'].flatMap((column) =>
        [true, false].map((descending) => [
          `accounts by ${column} ${descending ? 'downwards' : 'upwards'}`,
          () => listAccounts(reads, { sorting: { column, descending, after: undefined }, limit }),
        ]),
      ),
    ),
    'accounts by name, in the middle': () =>
      listAccounts(reads, {
        sorting: { column: 'name', descending: false, after: { value: 'Name 5', id: 'acc_5' } },
        limit,
      }),
    'tokens by what they spent': () =>
      listTokens(reads, { sorting: { column: 'used', descending: true, after: undefined }, limit }),
    'search of everything, a part of a name': () => searchAll(reads, { q: 'name 77', limit: 5 }),
    'search of everything, nothing': () => searchAll(reads, { q: 'nobody has this', limit: 5 }),
    'search of accounts for a picker': () => searchAll(reads, { q: 'ame 9', kind: 'account', limit: 20 }),
    'names of the rows of a page': () => namesOf(reads, { accounts: idsOf('acc'), tokens: idsOf('tok') }),
    'ledger by request': () => listLedgerGroups(reads, { limit: 50 }),
    'ledger by request of an account with most': () => listLedgerGroups(reads, { accountId: 'acc_most', limit: 50 }),
    'audit by the beginning of an action': () => listAudit(reads, { action: 'action_m*', limit }),
    'audit by a beginning that none has': () => listAudit(reads, { action: 'none*', limit }),
    'requests by the beginning of a model that none has': () => listRequests(reads, { model: 'none*', limit }),
    'requests by the beginning of a model': () => listRequests(reads, { model: 'model_f*', limit }),
    'percentiles of a day': () => countTimes(reads, 'total_ms', { from: START, to: START + DAY, filters: {} }),
    'overview, 30 days by model': () => listUsage(reads, { ...overview, by: 'model', limit: 10_001 }),
  };
}
