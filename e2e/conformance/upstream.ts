// What an upstream was asked, in the words of no protocol, read from the bodies that the sandbox received.
import type { Sandbox, SandboxProvider, SandboxRecord } from '../../server/src/sandbox/server.ts';
import type { JsonObject } from './driver.ts';

export interface Upstream {
  name: string;
  provider: SandboxProvider;
  options: Record<string, unknown>;
  /** Of a cloud: options and credential that depend on the simulated one. */
  access?(sandbox: Sandbox): { options: Record<string, unknown>; keys: string[] };
  /** The upstream's own name of its model; newer ones are stricter. */
  model: string;
  /** The simulated service shows its reasoning as words, and wants its proof back with the results of tools. */
  showsReasoning: boolean;
  /** Its usage tells how much was reasoned. */
  countsReasoning: boolean;
  hasStop: boolean;
  read(record: SandboxRecord): Received;
}

export interface Received {
  streams: boolean;
  system: string;
  tools: { name: string; parameters: unknown }[];
  calls: { id: string | undefined; name: string; arguments: unknown }[];
  /** `text` holds what the tool gave, perhaps wrapped. */
  results: { id: string | undefined; text: string }[];
  /** Base64. */
  pictures: string[];
  schema: unknown;
  stop: unknown;
  maxTokens: unknown;
  /** A word, or a number of tokens. */
  effort: unknown;
  /** Signatures of reasoning that came back. */
  signatures: string[];
}

export function bodyOf({ body }: SandboxRecord): JsonObject {
  return objectOf(body);
}

export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

/** Words, whether they stand alone or in parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The bytes of a `data:` address. */
export function dataOf(url: unknown): string[] {
  const [, data] = /^data:image\/png;base64,(.*)$/s.exec(String(url)) ?? [];
  return data === undefined ? [] : [data];
}
