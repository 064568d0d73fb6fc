// What the primary and its workers say to each other.
import type { SandboxProvider } from '../sandbox/server.ts';

/** The series of one process, as prom-client gives and takes them. */
export type MetricSeries = readonly { name: string; type: unknown }[];

/** What a worker must know before it starts. */
export interface WorkerOrders {
  /** 1 to the number of workers; a worker's successor has the same. */
  slot: number;
  /** Address of the one sandbox by provider; undefined = off. */
  sandbox: Record<SandboxProvider, string> | undefined;
  /** Where the primary has a port that listens already; undefined: that of the settings is taken. */
  listenFd: number | undefined;
}

export type FromWorker =
  | { kind: 'hello' }
  | { kind: 'ready'; welcome: string }
  | { kind: 'metrics'; question: number; series: MetricSeries }
  | { kind: 'all-metrics-wanted'; question: number }
  /** An operator changed something: the others are to know it. */
  | { kind: 'refresh-all-wanted'; question: number }
  | { kind: 'refreshed'; question: number }
  /** The last word of one that ends in good order: its counters go on counting in the sums. */
  | { kind: 'farewell'; series: MetricSeries };

export type FromPrimary =
  | { kind: 'orders'; orders: WorkerOrders }
  | { kind: 'metrics-wanted'; question: number }
  | { kind: 'all-metrics'; question: number; text: string }
  | { kind: 'refresh-wanted'; question: number }
  | { kind: 'all-refreshed'; question: number }
  /** Another one serves in its place: end what runs, take nothing new. */
  | { kind: 'retire' };
