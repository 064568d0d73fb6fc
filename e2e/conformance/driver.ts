// What every client library is asked for and what it shows, in the words of none: the grid compares these.
export interface Question {
  prompt: string;
  system?: string;
  /** A PNG in base64. */
  picture?: string;
  tools?: readonly ToolOffer[];
  /** JSON Schema of the answer. */
  schema?: JsonObject;
  /** Asks for a little reasoning, and to see it. */
  reasons?: boolean;
  stop?: string;
  maxTokens?: number;
  /** The answer that this question goes on from, and what its calls gave, in their order. */
  after?: { answer: Seen; results: readonly string[] };
}

export type JsonObject = Record<string, unknown>;

export interface ToolOffer {
  name: string;
  description: string;
  parameters: JsonObject;
}

export interface Ask {
  question: Question;
  model: string;
  stream: boolean;
  /** Rather be refused than lose a field. */
  strict?: boolean;
}

export interface Seen {
  text: string;
  reasoning: string;
  calls: { id: string | undefined; name: string; arguments: unknown }[];
  finish: string | undefined;
  usage: SeenUsage | undefined;
  /** Events of a stream that brought words, reasoning or a part of a call. */
  pieces: number;
  /** Names in `x-tollgate-dropped`. */
  dropped: string[];
  requestId: string | undefined;
  error: SeenError | undefined;
  /** The model's turn as a caller of this library sends it back. */
  turn: unknown;
}

export interface SeenUsage {
  /** With what was cached. */
  input: number;
  cached: number;
  /** With what was reasoned. */
  output: number;
  reasoning: number | undefined;
}

export interface SeenError {
  /** undefined when the answer had begun with a good one. */
  status: number | undefined;
  /** In the protocol's own words. */
  kind: string | undefined;
  message: string;
}

export interface ClientDriver {
  name: string;
  library: string;
  /** What must be said of how it is used, for readers of the table. */
  note?: string;
  /** Names of the protocol's own. */
  stopField: string;
  /** Its usage tells how much was reasoned. */
  countsReasoning: boolean;
  /** What an upstream's failure is called. */
  failure: string;
  /** Asks, and never throws what the library throws as its own error: that is what was seen. */
  ask(ask: Ask): Promise<Seen>;
}

export interface Caller {
  address: string;
  key: string;
}

/** For libraries that take a limit in every request; above the thinking that the grid asks for. */
export const USUAL_LIMIT = 4_096;
/** Tokens: what the word `low` stands for. */
export const LOW_BUDGET = 2_048;

export function nothingSeen(): Seen {
  return {
    text: '',
    reasoning: '',
    calls: [],
    finish: undefined,
    usage: undefined,
    pieces: 0,
    dropped: [],
    requestId: undefined,
    error: undefined,
    turn: undefined,
  };
}

export function seeHeaders(seen: Seen, header: (name: string) => string | null | undefined): void {
  seen.requestId = header('x-request-id') ?? undefined;
  seen.dropped = (header('x-tollgate-dropped') ?? '').split(', ').filter((name) => name !== '');
}

/** A `fetch` for libraries that take one, which notes the head of the last answer. */
export function watchHeads(seen: Seen): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    seeHeaders(seen, (name) => response.headers.get(name));
    return response;
  };
}

export function strictHeader(strict: boolean | undefined): Record<string, string> {
  return strict === true ? { 'x-tollgate-strict': 'true' } : {};
}
