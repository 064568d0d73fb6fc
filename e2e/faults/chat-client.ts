// A client that writes down all it sees: id, status, whether the answer came whole, and the usage in it.
export interface ChatOptions {
  address: string;
  key: string;
  model: string;
  /** Directives of docs/sandbox.md included. */
  text: string;
  stream: boolean;
  maxTokens?: number;
  signal?: AbortSignal;
}

export interface SeenUsage {
  input: number;
  cached: number;
  output: number;
}

export interface JournalEntry {
  maxTokens: number | undefined;
  stream: boolean;
  requestId: string | undefined;
  status: number | undefined;
  /** The code of an error answer. */
  code: string | undefined;
  /** Seconds, as the head says. */
  retryAfter: number | undefined;
  /** The whole body, or the stream up to its [DONE], was read. */
  complete: boolean;
  usage: SeenUsage | undefined;
  /** Of the body, as far as it came. */
  bytes: number;
  /** What broke the exchange, if anything did. */
  failure: string | undefined;
  milliseconds: number;
}

interface Answer {
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens?: number };
  } | null;
  error?: { code?: string };
}

/** Never throws: what went wrong is in the entry. */
export async function chat(options: ChatOptions): Promise<JournalEntry> {
  const startedAt = performance.now();
  const entry: JournalEntry = {
    maxTokens: options.maxTokens,
    stream: options.stream,
    requestId: undefined,
    status: undefined,
    code: undefined,
    retryAfter: undefined,
    complete: false,
    usage: undefined,
    bytes: 0,
    failure: undefined,
    milliseconds: 0,
  };
  try {
    const response = await fetch(`${options.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${options.key}`, 'content-type': 'application/json' },
      body: bodyOf(options),
      ...(options.signal !== undefined && { signal: options.signal }),
    });
    entry.status = response.status;
    entry.requestId = response.headers.get('x-request-id') ?? undefined;
    const retryAfter = response.headers.get('retry-after');
    if (retryAfter !== null) entry.retryAfter = Number(retryAfter);
    if (options.stream && response.status === 200) await readStream(response, entry);
    else readWhole(await response.text(), entry);
  } catch (error) {
    entry.failure =
      error instanceof Error
        ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
        : String(error);
  }
  entry.milliseconds = Math.round(performance.now() - startedAt);
  return entry;
}

function bodyOf({ model, text, stream, maxTokens }: ChatOptions): string {
  return JSON.stringify({
    model,
    messages: [{ role: 'user', content: text }],
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  });
}

function readWhole(text: string, entry: JournalEntry): void {
  entry.bytes = Buffer.byteLength(text);
  const answer = JSON.parse(text) as Answer;
  entry.complete = true;
  entry.code = answer.error?.code;
  entry.usage = usageOf(answer);
}

async function readStream(response: Response, entry: JournalEntry): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    entry.bytes += chunk.length;
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const data = line.slice(6).trim();
      if (data === '[DONE]') {
        entry.complete = true;
        continue;
      }
      const event = readEvent(data);
      if (event === undefined) {
        entry.failure = 'an event that cannot be read';
        continue;
      }
      entry.code = event.error?.code ?? entry.code;
      entry.usage = usageOf(event) ?? entry.usage;
    }
  }
}

function readEvent(data: string): Answer | undefined {
  try {
    return JSON.parse(data) as Answer;
  } catch {
    return undefined;
  }
}

function usageOf({ usage }: Answer): SeenUsage | undefined {
  if (usage === undefined || usage === null) return undefined;
  return {
    input: usage.prompt_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    output: usage.completion_tokens,
  };
}
