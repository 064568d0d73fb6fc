// Every way in which the sandbox can be asked to misbehave, as data: directive name -> behaviour.
// docs/sandbox.md describes the same list for integrators; a test holds the two together.
import { type VideoBehaviour, videoScenarios } from './video/scenarios.ts';

/** What happens instead of an answer. */
export type Substitute =
  | { kind: 'failure'; status: number; retryAfterSeconds?: number }
  | { kind: 'hang' | 'reset' | 'garbage' | 'empty' | 'redirect' };

/** How an answer breaks off; `after` counts content chunks, 0 means before the first event. */
export type Breakage = {
  kind: 'stall' | 'cut' | 'end' | 'error-event' | 'throttled' | 'damaged' | 'truncated';
  after: number;
};

export type Behaviour = VideoBehaviour & {
  waitMs?: number;
  paceMs?: number;
  substitute?: Substitute;
  breakage?: Breakage;
  usage?: 'absent' | 'negative' | 'absurd' | 'text' | 'fraction';
  cachedTokens?: number;
  cacheWriteTokens?: number;
  /** Counts of the cache come with the last event of a stream only. */
  lateCache?: boolean;
  /** Calls of tools whose arguments cannot be read. */
  malformedCall?: boolean;
  reasoningTokens?: number;
  omitDone?: boolean;
  errorFinish?: boolean;
  refusal?: 'answer' | 'prompt';
  gzip?: boolean;
  split?: boolean;
  crlf?: boolean;
  ignoreStream?: boolean;
  longTokens?: number;
  bigBytes?: number;
  rerankShape?: 'jina';
  servedTier?: 'priority' | 'flex';
  toolUses?: number;
  /** Of a WebSocket: closed with it where an answer would begin. */
  closeCode?: number;
  /** Of a realtime response: its last event comes twice. */
  doneTwice?: boolean;
  /** As Azure: a stream of a chat begins with what the filter thinks of the prompt. */
  promptFilter?: boolean;
};

type Argument = { name: string; fallback: number; least: number; most: number };

export type Scenario = { argument?: Argument; behave(argument: number): Behaviour };

const milliseconds = { name: 'MS', fallback: 1000, least: 0, most: 3_600_000 };
const chunks = { name: 'N', fallback: 1, least: 0, most: 1_000_000 };
const noChunks = { ...chunks, fallback: 0 };

export const scenarios: Readonly<Record<string, Scenario>> = {
  slow: { argument: milliseconds, behave: (waitMs) => ({ waitMs }) },
  pace: { argument: { ...milliseconds, fallback: 100 }, behave: (paceMs) => ({ paceMs }) },

  fail: {
    argument: { name: 'STATUS', fallback: 500, least: 400, most: 599 },
    behave: (status) => ({ substitute: { kind: 'failure', status } }),
  },
  'rate-limited': {
    argument: { name: 'SECONDS', fallback: 1, least: 0, most: 86_400 },
    behave: (retryAfterSeconds) => ({ substitute: { kind: 'failure', status: 429, retryAfterSeconds } }),
  },
  unauthorised: { behave: () => ({ substitute: { kind: 'failure', status: 401 } }) },
  forbidden: { behave: () => ({ substitute: { kind: 'failure', status: 403 } }) },
  hang: { behave: () => ({ substitute: { kind: 'hang' } }) },
  reset: { behave: () => ({ substitute: { kind: 'reset' } }) },
  garbage: { behave: () => ({ substitute: { kind: 'garbage' } }) },
  empty: { behave: () => ({ substitute: { kind: 'empty' } }) },
  redirect: { behave: () => ({ substitute: { kind: 'redirect' } }) },

  stall: { argument: chunks, behave: (after) => ({ breakage: { kind: 'stall', after } }) },
  cut: { argument: chunks, behave: (after) => ({ breakage: { kind: 'cut', after } }) },
  end: { argument: chunks, behave: (after) => ({ breakage: { kind: 'end', after } }) },
  'error-event': { argument: noChunks, behave: (after) => ({ breakage: { kind: 'error-event', after } }) },
  'throttle-event': { argument: noChunks, behave: (after) => ({ breakage: { kind: 'throttled', after } }) },
  'damaged-frame': { argument: chunks, behave: (after) => ({ breakage: { kind: 'damaged', after } }) },
  truncated: { argument: noChunks, behave: (after) => ({ breakage: { kind: 'truncated', after } }) },
  'no-done': { behave: () => ({ omitDone: true }) },
  'error-finish': { behave: () => ({ errorFinish: true }) },
  refusal: { behave: () => ({ refusal: 'answer' }) },
  blocked: { behave: () => ({ refusal: 'prompt' }) },

  'no-usage': { behave: () => ({ usage: 'absent' }) },
  'usage-negative': { behave: () => ({ usage: 'negative' }) },
  'usage-absurd': { behave: () => ({ usage: 'absurd' }) },
  'usage-text': { behave: () => ({ usage: 'text' }) },
  'usage-fraction': { behave: () => ({ usage: 'fraction' }) },
  cached: {
    argument: { name: 'N', fallback: 1, least: 0, most: 1_000_000 },
    behave: (cachedTokens) => ({ cachedTokens }),
  },
  'cache-write': {
    argument: { name: 'N', fallback: 1, least: 0, most: 1_000_000 },
    behave: (cacheWriteTokens) => ({ cacheWriteTokens }),
  },
  'late-cache': { behave: () => ({ lateCache: true }) },
  'malformed-call': { behave: () => ({ malformedCall: true }) },
  reasoning: {
    argument: { name: 'N', fallback: 1, least: 0, most: 1_000_000 },
    behave: (reasoningTokens) => ({ reasoningTokens }),
  },

  'served-priority': { behave: () => ({ servedTier: 'priority' }) },
  'served-flex': { behave: () => ({ servedTier: 'flex' }) },
  'tool-uses': {
    argument: { name: 'N', fallback: 1, least: 0, most: 1000 },
    behave: (toolUses) => ({ toolUses }),
  },

  gzip: { behave: () => ({ gzip: true }) },
  split: { behave: () => ({ split: true }) },
  crlf: { behave: () => ({ crlf: true }) },
  json: { behave: () => ({ ignoreStream: true }) },
  long: {
    argument: { name: 'N', fallback: 1000, least: 0, most: 1_000_000 },
    behave: (longTokens) => ({ longTokens }),
  },
  big: {
    argument: { name: 'N', fallback: 65_536, least: 1, most: 32 * 1024 * 1024 },
    behave: (bigBytes) => ({ bigBytes }),
  },
  'shape-jina': { behave: () => ({ rerankShape: 'jina' }) },

  close: {
    argument: { name: 'CODE', fallback: 1011, least: 1000, most: 4999 },
    behave: (closeCode) => ({ closeCode }),
  },
  'done-twice': { behave: () => ({ doneTwice: true }) },

  ...videoScenarios,
};

/** How each directive is written in a path, for messages. */
export const directiveForms: readonly string[] = Object.entries(scenarios).map(([name, { argument }]) =>
  argument === undefined ? name : `${name}-${argument.name}`,
);
