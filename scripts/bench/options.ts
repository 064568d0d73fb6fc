// The command line of the benchmark, checked once at the edge. Every limit on count and time that a run
// obeys is decided here, so that `--quick` and the full run differ in this file only.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Address, readAddresses } from './read-addresses.ts';
import { type Peers, readPeers } from './read-peers.ts';
import { readRows, type RowName, rowNames } from './row-names.ts';

export interface Options {
  rounds: number;
  seconds: number;
  /** Load that goes before each measured phase and is not counted: a relay that has rested is not what is measured. */
  warmSeconds: number;
  /** Small chats for each relay before the first round, so that what compiles as it runs has compiled. */
  settleSeconds: number;
  rows: readonly RowName[];
  /** Names of relays in small letters; undefined means all. */
  relays: readonly string[] | undefined;
  /** Measures the row of idle connections: so many requests, some times over, beside them. */
  timedRequests: number;
  /** Requests a second of the open-loop row. */
  rate: number;
  openStreams: number;
  idleConnections: number;
  slowReaders: number;
  /** Live video tasks of the tasks row, and the interval at which they are asked about. */
  liveTasks: number;
  taskPollMs: number;
  /** Gateways to measure by name: the entry file of this checkout and of any other one to compare with. */
  servers: readonly { name: string; file: string }[];
  addresses: readonly Address[];
  peers: Peers;
  /** Port of the canned upstream, for gateways at `addresses` that must know it; 0 means any. */
  upstreamPort: number;
  /** Whether peers that are not here yet may be fetched. */
  fetchPeers: boolean;
  profile: boolean;
  jsonFile: string | undefined;
  /** The document to write; undefined means none. */
  document: string | undefined;
}

export const usage = `npm run bench -- [options]
  --rounds N          interleaved rounds, the median counts (5)
  --seconds N         length of each measured phase (1.5)
  --quick             2 short rounds of everything: shows that it works, proves no figure
  --rows a,b          rows: ${rowNames.join(', ')};
                      "whole" stands for all rows that begin with whole-, "translated" for both translated rows
  --relays a,b        relays: direct, nginx, bare, +auth, +money, Tollgate, Tollgate-PG (on PostgreSQL), Bifrost, new-api,
                      Portkey, LiteLLM, or a name given below
  --peer NAME=FILE    a program that you have: bifrost, new-api and litellm are its commands, portkey is build/start-server.js
                      of its package. The benchmark starts it with a configuration of its own, counts its processor time and
                      that of its database, and ends it; may be repeated
  --no-fetch          leave out peers that are not in .cache/bench-peers yet, instead of fetching them
  --address URL       an OpenAI-compatible gateway beside them, http only; NAME=URL gives it a name; may be repeated
  --key KEY           its API key; --model MODEL its model (bench-upstream); --does TEXT what it does for each request, such as
                      "quota and log in SQLite"; the n-th of each belongs to the n-th address
  --pid N,N           its processes and those of its database, whose processor time is counted; without it that of the
                      process that listens on this machine, and none for another machine
  --upstream-port N   fixed port of the canned upstream, for the settings of such a gateway
  --rate N            requests a second of the open-loop row (1000)
  --streams N         open streams of the memory row (1000)
  --idle N            connections of the idle row (10000)
  --slow N            readers of the slow-readers row (1000)
  --tasks N           live video tasks of the tasks row (1000)
  --server FILE       gateway to measure (dist/server/src/main.js)
  --also NAME=FILE    a further gateway beside it, such as another checkout's dist/server/src/main.js; may be repeated
  --profile           no table: a V8 CPU profile of Tollgate for each of --rows (whole-64), in .cache/bench-profiles
  --json FILE         write the raw figures of every round
  --write             write docs/benchmarks.md, as a run without any option does; --to FILE another file`;

interface Limits {
  least: number;
  most: number;
}

function readNumber(name: string, text: string, limits: Limits): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= limits.least && value <= limits.most)) {
    throw new Error(`--${name} must be a number from ${limits.least} to ${limits.most}, not "${text}"`);
  }
  return value;
}

function readCount(name: string, text: string, limits: Limits): number {
  return Math.floor(readNumber(name, text, limits));
}

function readFurther(text: string): { name: string; file: string } {
  const cut = text.indexOf('=');
  if (cut < 1) throw new Error(`--also takes NAME=FILE, not "${text}"`);
  return { name: text.slice(0, cut), file: resolve(text.slice(cut + 1)) };
}

function parseWords(words: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const list = { type: 'string', multiple: true, default: [] as string[] } as const;
  const { values } = parseArgs({
    args: [...words],
    options: {
      rounds: text,
      seconds: text,
      quick: flag,
      rows: text,
      relays: text,
      'no-fetch': flag,
      address: list,
      key: list,
      model: list,
      does: list,
      pid: list,
      peer: list,
      'upstream-port': text,
      rate: text,
      streams: text,
      idle: text,
      slow: text,
      tasks: text,
      server: text,
      also: list,
      profile: flag,
      json: text,
      write: flag,
      to: text,
      help: flag,
    },
  });
  return values;
}

const reserved = 'direct,nginx,bare,+auth,+money,Tollgate-PG,Bifrost,new-api,Portkey,LiteLLM'.split(',');

function refuseSameNames(names: readonly string[]): void {
  const small = names.map((name) => name.toLowerCase());
  if (new Set(small).size < small.length) throw new Error('--also, --address: every relay needs a name of its own');
}

function readRelays(text: string | undefined, names: readonly string[]): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const asked = text.split(',').map((word) => word.trim().toLowerCase());
  const unknown = asked.find((word) => !names.some((name) => name.toLowerCase() === word));
  if (unknown !== undefined) throw new Error(`--relays: no relay "${unknown}"; relays are ${names.join(', ')}`);
  return asked;
}

/** The files that a run takes and writes where the command line does not say otherwise. */
export interface Paths {
  server: string;
  document: string;
}

/** Reads the command line; undefined means that only the help was asked for. */
export function readOptions(words: readonly string[], paths: Paths): Options | undefined {
  const values = parseWords(words);
  if (values.help) return undefined;
  const { quick } = values;
  const servers = [{ name: 'Tollgate', file: resolve(values.server ?? paths.server) }, ...values.also.map(readFurther)];
  const addresses = readAddresses(values);
  const names = [...reserved, ...servers.map(({ name }) => name), ...addresses.map(({ name }) => name)];
  refuseSameNames(names);
  const isWritten = values.write || values.to !== undefined || words.length === 0;
  return {
    rounds: readCount('rounds', values.rounds ?? (quick ? '2' : '5'), { least: 1, most: 50 }),
    seconds: readNumber('seconds', values.seconds ?? (quick ? '0.5' : '1.5'), { least: 0.2, most: 60 }),
    warmSeconds: quick ? 0.2 : 1.5,
    settleSeconds: quick ? 0.2 : 10,
    rows: values.profile && values.rows === undefined ? ['whole-64'] : readRows(values.rows),
    relays: values.profile ? ['tollgate'] : readRelays(values.relays, names),
    timedRequests: quick ? 200 : 1000,
    rate: readCount('rate', values.rate ?? '1000', { least: 10, most: 20_000 }),
    openStreams: readCount('streams', values.streams ?? (quick ? '100' : '1000'), { least: 1, most: 20_000 }),
    idleConnections: readCount('idle', values.idle ?? (quick ? '500' : '10000'), { least: 1, most: 50_000 }),
    slowReaders: readCount('slow', values.slow ?? (quick ? '100' : '1000'), { least: 1, most: 10_000 }),
    liveTasks: readCount('tasks', values.tasks ?? (quick ? '100' : '1000'), { least: 10, most: 20_000 }),
    taskPollMs: quick ? 1000 : 5000,
    servers,
    addresses,
    peers: readPeers(values.peer),
    upstreamPort: readCount('upstream-port', values['upstream-port'] ?? '0', { least: 0, most: 65_535 }),
    fetchPeers: !values['no-fetch'],
    profile: values.profile,
    jsonFile: values.json,
    document: isWritten ? resolve(values.to ?? paths.document) : undefined,
  };
}
