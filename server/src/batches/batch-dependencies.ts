// What batches work with.
import type { Principal } from '../access/principal.ts';
import type { Ledger, LedgerDependencies } from '../billing/ledger.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { FileDependencies } from '../files/file-dependencies.ts';
import type { InlineDependencies } from '../files/inline-files.ts';
import type { BodyReply } from '../relay/call.ts';
import type { KeptResponses } from '../relay/stored/kept-responses.ts';
import type { Clock } from '../shared/clock.ts';
import type { Store } from '../store/store.ts';

/** One line, ready to be answered as if its client had sent it to the path. */
export interface LineCall {
  endpoint: string;
  requestId: string;
  principal: Principal;
  headers: Readonly<Record<string, string>>;
  bodyBytes: number;
  readBody(): Promise<Buffer>;
  reply: BodyReply;
  /** The price that its hold was made at. */
  agreed: string | undefined;
  /** In the place of the process's own. */
  ledger: Ledger;
  onAnswer(answer: { status: number; body: Buffer }): void;
}

export interface BatchDependencies {
  store: Store;
  files: FileDependencies & InlineDependencies;
  kept: Pick<KeptResponses, 'size'>;
  catalogue: LiveCatalogue;
  clock: Clock;
  ledgerDependencies: LedgerDependencies;
  /** This process, as others know it. */
  owner: string;
  /** Lines under way at the same time, over all processes. */
  concurrency: number;
  /** Longest body of a line. */
  maxBodyBytes: number;
  /** Throws the error that the caller of such a path would get. */
  runLine(call: LineCall): Promise<void>;
  /** True while live requests wait for the processor: then no line begins. */
  isBusy(): boolean;
  /** Live requests under way on this node. */
  openRequests(): number;
  /** Batches that this process is making. */
  creating: Set<string>;
  /** There is something to do. */
  wake(): void;
  /** Called with what went wrong and will be tried again. */
  onError(error: unknown, what: string): void;
}
