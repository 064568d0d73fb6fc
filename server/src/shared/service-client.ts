// HTTP exchanges with a service of the operator's own, a bucket or a database: connections are kept for the next exchange, and
// go through the proxy that the environment names for the address.
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Agent as HttpAgent, request as httpRequest } from './runtime/node-http.ts';

export type ChooseServiceProxy = (origin: string) => string | undefined;

interface ServiceRequest {
  method: string;
  headers: Readonly<Record<string, string | number>>;
}

export interface ServiceExchange {
  /** Its body is still to be written. */
  outgoing: ClientRequest;
  /** The head of any answer. */
  answered: Promise<IncomingMessage>;
}

/** Without a byte in either direction. */
const IDLE_MS = 30_000;

export class ServiceClient {
  /** As errors call it. */
  readonly #name: string;
  readonly #agent: Agent;
  readonly #request: typeof httpRequest;
  readonly #idleMs: number;
  /** Of calls without an answer: one that waits for its tunnel hears of no other end. */
  readonly #waiting = new Set<(error: Error) => void>();

  constructor(name: string, origin: string, chooseProxy: ChooseServiceProxy, idleMs = IDLE_MS) {
    this.#name = name;
    this.#idleMs = idleMs;
    const proxy = chooseProxy(origin);
    const options = {
      keepAlive: true,
      ...(proxy !== undefined && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
    };
    const isPlain = origin.startsWith('http:');
    this.#agent = isPlain ? new HttpAgent(options) : new HttpsAgent(options);
    this.#request = isPlain ? httpRequest : httpsRequest;
  }

  begin(url: URL, { method, headers }: ServiceRequest): ServiceExchange {
    // The option bounds the time until there is a connection, which a proxy with TLS has to make first; the call what follows.
    const outgoing = this.#request(url, { method, headers, agent: this.#agent, timeout: this.#idleMs });
    outgoing.setTimeout(this.#idleMs, () => outgoing.destroy(new Error(`${this.#name} does not answer`)));
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    this.#waiting.add(reject);
    const settled = (): boolean => this.#waiting.delete(reject);
    outgoing
      .on('response', (answer) => (settled(), resolve(answer)))
      .on('error', (error) => (settled(), reject(error)));
    return { outgoing, answered };
  }

  close(): void {
    this.#agent.destroy();
    for (const reject of this.#waiting) reject(new Error(`${this.#name} is no longer needed`));
  }
}

export async function readText(answer: IncomingMessage): Promise<string> {
  let text = '';
  answer.setEncoding('utf8');
  for await (const piece of answer) text += piece as string;
  return text;
}
