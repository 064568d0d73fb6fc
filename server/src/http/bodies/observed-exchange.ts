// An exchange of which a span will tell: the settings of the request, and id, model and finish reasons of the answer, in the
// names of the semantic conventions. Only where a collector is named. Read when the exchange is over; no text of a prompt or
// an answer is kept.
import type { Exchange } from '../../endpoints/endpoint.ts';
import type { BodyReply } from '../../relay/call.ts';
import { ForwardingReply } from '../../relay/forwarding-reply.ts';
import { type JsonObject, readField, scanJsonObject } from '../../shared/json-fields.ts';
import { plainText } from '../../shared/plain-text.ts';
import type { ObservedCall } from '../../telemetry/tracing.ts';
import { type AnswerField, answerFields } from './answer-fields.ts';

type Attributes = ObservedCall['request'];

/** Longer requests are not looked at. */
const MOST_READ = 256 * 1024;
/** At the beginning and at the end of an answer. */
const KEPT = 4096;
const ID_LENGTH = 200;

export class ObservedExchange {
  readonly exchange: Exchange;
  readonly #reply: ObservingReply;
  #body: Buffer | undefined;

  constructor(exchange: Exchange) {
    this.#reply = new ObservingReply(exchange.reply);
    this.exchange = {
      ...exchange,
      reply: this.#reply,
      readJson: async () => {
        const body = await exchange.readJson();
        if (body.length <= MOST_READ) this.#body = body;
        return body;
      },
    };
  }

  read(): ObservedCall {
    const { isStream, head, rest } = this.#reply;
    return { isStream, request: this.#request(), response: readAnswer(head, rest) };
  }

  #request(): Attributes {
    try {
      return this.#body === undefined ? {} : readRequest(scanJsonObject(this.#body));
    } catch {
      return {}; // it was refused for the same reason
    }
  }
}

class ObservingReply extends ForwardingReply<BodyReply> implements BodyReply {
  isStream = false;
  #whole: Buffer | undefined;
  #head = '';
  #tail = '';
  #length = 0;

  override sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    if (body.length <= MOST_READ) this.#whole = body;
    else this.#see(body);
    super.sendWhole(status, headers, body);
  }

  /** From the beginning on; all of it where nothing is lost between beginning and end. */
  get head(): string {
    return this.#whole?.toString('latin1') ?? (this.#isAll ? this.#head + this.#unseen : this.#head);
  }

  /** Else the last whole events; the end of a long JSON does not say what it is the end of. */
  get rest(): string {
    const start = this.#isAll ? -1 : this.#unseen.search(/\ndata:/);
    return start < 0 ? '' : this.#unseen.slice(start + 1);
  }

  get #isAll(): boolean {
    return this.#length <= 2 * KEPT;
  }

  /** What the tail has and the head has not. */
  get #unseen(): string {
    const length = Math.min(KEPT, this.#length - this.#head.length);
    return length === 0 ? '' : this.#tail.slice(-length);
  }

  override beginStream(contentType?: string): void {
    this.isStream = true;
    super.beginStream(contentType);
  }

  beginBody(status: number, headers: Record<string, string>): void {
    this.inner.beginBody(status, headers);
  }

  override write(bytes: Buffer): boolean {
    this.#see(bytes);
    return super.write(bytes);
  }

  override end(bytes: Buffer | undefined): void {
    if (bytes !== undefined) this.#see(bytes);
    super.end(bytes);
  }

  #see(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#head.length < KEPT) this.#head += bytes.toString('latin1', 0, KEPT - this.#head.length);
    const last = bytes.toString('latin1', Math.max(0, bytes.length - KEPT));
    this.#tail = last.length === KEPT ? last : (this.#tail + last).slice(-KEPT);
  }
}

/** Field of a request -> name of the conventions; numbers only. */
const NUMBERS: Readonly<Record<string, string>> = {
  max_tokens: 'gen_ai.request.max_tokens',
  max_completion_tokens: 'gen_ai.request.max_tokens',
  max_output_tokens: 'gen_ai.request.max_tokens',
  maxOutputTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  top_p: 'gen_ai.request.top_p',
  topP: 'gen_ai.request.top_p',
  top_k: 'gen_ai.request.top_k',
  topK: 'gen_ai.request.top_k',
  frequency_penalty: 'gen_ai.request.frequency_penalty',
  frequencyPenalty: 'gen_ai.request.frequency_penalty',
  presence_penalty: 'gen_ai.request.presence_penalty',
  presencePenalty: 'gen_ai.request.presence_penalty',
  seed: 'gen_ai.request.seed',
  dimensions: 'gen_ai.embeddings.dimension.count',
  outputDimensionality: 'gen_ai.embeddings.dimension.count',
};

function readRequest(body: JsonObject): Attributes {
  const config = asObject(fieldOf(body, 'generationConfig'));
  const attributes: Attributes = {};
  for (const [field, name] of Object.entries(NUMBERS)) {
    const value = config[field] ?? fieldOf(body, field);
    if (typeof value === 'number') attributes[name] = value;
  }
  const choices = config['candidateCount'] ?? fieldOf(body, 'n');
  if (typeof choices === 'number' && choices !== 1) attributes['gen_ai.request.choice.count'] = choices;
  const encoding = fieldOf(body, 'encoding_format');
  if (typeof encoding === 'string') attributes['gen_ai.request.encoding_formats'] = [plainText(encoding, ID_LENGTH)];
  const outputType = formatOf(body, config);
  if (outputType !== undefined) attributes['gen_ai.output.type'] = outputType;
  const conversation = fieldOf(body, 'conversation');
  const id = typeof conversation === 'string' ? conversation : asObject(conversation)['id'];
  if (typeof id === 'string') attributes['gen_ai.conversation.id'] = plainText(id, ID_LENGTH);
  return attributes;
}

/** Where the request says in which form it wants the answer. */
function formatOf(body: JsonObject, config: Record<string, unknown>): string | undefined {
  const asked = asObject(fieldOf(body, 'response_format'))['type'] ?? formatType(fieldOf(body, 'text'));
  if (asked === 'json_object' || asked === 'json_schema' || config['responseMimeType'] === 'application/json')
    return 'json';
  return asked === 'text' || config['responseMimeType'] === 'text/plain' ? 'text' : undefined;
}

function formatType(text: unknown): unknown {
  return asObject(asObject(text)['format'])['type'];
}

/** Long values are texts, which nobody looks at here. */
function fieldOf(body: JsonObject, name: string): unknown {
  const field = body.fields.get(name);
  return field === undefined || field.valueEnd - field.valueStart > KEPT ? undefined : readField(body, name);
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

const NAMED = {
  id: ['id', 'responseId'],
  model: ['model', 'modelVersion'],
  reason: ['finish_reason', 'stop_reason', 'finishReason'],
};
/** Objects that are the answer itself, or one of those that were generated. */
const ANSWERS = ['', 'message', 'response'];
const GENERATED = [...ANSWERS, 'delta', 'choices', 'candidates'];
const REASON = /^[A-Za-z_]{1,50}$/;
/** Words of events and of an answer's status; never a model's. */
const ENDED = /^response\.(completed|incomplete|failed|cancelled)$/;
const INCOMPLETE = /"incomplete_details": ?\{"reason": ?"(\w{1,50})"/;

function readAnswer(head: string, tail: string): Attributes {
  const attributes: Attributes = {};
  const fields = [...answerFields(head), ...answerFields(tail)];
  const first = (names: readonly string[]): string | undefined =>
    fields.find(({ parent, name }) => names.includes(name) && ANSWERS.includes(parent))?.value;
  const id = first(NAMED.id);
  const model = first(NAMED.model);
  const conversation = fields.find(({ parent, name }) => parent === 'conversation' && name === 'id')?.value;
  const reasons = reasonsOf(fields, `${head}${tail}`);
  if (id !== undefined) attributes['gen_ai.response.id'] = id;
  if (model !== undefined) attributes['gen_ai.response.model'] = model;
  if (conversation !== undefined) attributes['gen_ai.conversation.id'] = conversation;
  if (reasons.length > 0) attributes['gen_ai.response.finish_reasons'] = reasons;
  return attributes;
}

/** One for each answer that was generated, as far as they are at the end; responses have a status instead. */
function reasonsOf(fields: readonly AnswerField[], text: string): string[] {
  const isReason = ({ parent, name, value }: AnswerField): boolean =>
    NAMED.reason.includes(name) && GENERATED.includes(parent) && REASON.test(value);
  const reasons = fields.filter(isReason).map(({ value }) => value);
  if (reasons.length > 0) return reasons;
  const incomplete = INCOMPLETE.exec(text)?.[1];
  if (incomplete !== undefined) return [incomplete];
  const event = fields.findLast(({ parent, name, value }) => parent === '' && name === 'type' && ENDED.test(value));
  if (event !== undefined) return [event.value.replace('response.', '')];
  const isResponse = fields.some(
    ({ parent, name, value }) => parent === '' && name === 'object' && value === 'response',
  );
  const status = fields.find(
    ({ parent, name, value }) => parent === '' && name === 'status' && /^\w{1,50}$/.test(value),
  );
  return !isResponse || status === undefined || status.value === 'in_progress' ? [] : [status.value];
}
