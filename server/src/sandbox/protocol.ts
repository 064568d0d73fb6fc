// What the HTTP part of the sandbox asks of a protocol folder: which paths it serves, how it words a refusal, where it
// keeps the user's text. A new protocol is one such object and one line in server.ts.
import type { Exchange } from './http/exchange.ts';
import type { Form } from './http/form/form.ts';
import type { Behaviour } from './scenarios.ts';
import type { Failure } from './refusal.ts';
import type { Head } from './http/head.ts';

/** All that can be known of who calls. */
export type Caller = {
  head: Head;
  method: string;
  /** Path below the protocol's prefix. */
  path: string;
  /** Path and query as they came. */
  url: string;
  /** The body of a request that is no form. */
  bytes: Buffer;
  now: number;
};

export type Call = {
  exchange: Exchange;
  /** Path below the protocol's prefix, e.g. `/v1/models/gpt-4o`. */
  path: string;
  query: URLSearchParams;
  key: string;
  /** The parsed JSON, or the text fields of a form by name. */
  body: unknown;
  /** Where the request came as multipart/form-data. */
  form: Form | undefined;
  behaviour: Behaviour;
  /** Written in the prompt like directives, but known to nobody. */
  unknownDirectives: readonly string[];
  /** Model names accepted besides the protocol's own. */
  models: readonly string[];
  now: number;
};

export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE';
  path: Pick<RegExp, 'test'>;
  /** What the body of a POST must be; JSON by default. */
  takes?: 'json' | 'form' | 'json or form' | 'nothing';
  answer(call: Call): Promise<void>;
};

export type SandboxProtocol = {
  /** What every path begins with, without slashes at its ends. */
  prefix: string;
  /** What a channel's base_url adds to the address; a channel may add the prefix itself. */
  basePath: string;
  endpoints: readonly Endpoint[];
  /** Where it takes a WebSocket for a realtime session, below its prefix. */
  realtime?: Pick<RegExp, 'test'>;
  readUserTexts(body: unknown): string[];
  wantsStream(body: unknown, head: Head): boolean;
  writeError(failure: Failure, about: { requestId: string; head: Head }): unknown;
  /** Where the key stands; a bearer token by default. */
  readKey?(head: Head): string | undefined;
  /** Judges a caller in another way than by its key; gives the key. Throws a Refusal. */
  authenticate?(caller: Caller): string;
  /** Headers of an error, beside the common ones. */
  errorHeaders?(failure: Failure): Record<string, string>;
  /** How a key is refused, where not with 401. */
  keyFailures?: { absent: Failure; wrong: Failure };
  /** The header that carries the request's id, besides `x-request-id`. */
  requestIdHeader?: string;
};
