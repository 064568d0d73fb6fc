// What Bedrock's frames say, as server-sent events: those of Converse under their own names, those of InvokeModel as the
// messages protocol writes them, byte for byte.
import { asText, parseRecord } from '../../protocols/json/json-value.ts';
import { StreamError } from '../../protocols/protocol.ts';
import { type EventMessage, eventStream } from '../framing/event-stream.ts';

/** As the service writes it; anything else is parsed. */
const PLAIN = /^\{"bytes":"([\w+/=]*)"/;
const BEGINS = /^\{"type":"([a-z_]+)"/;

/** The messages protocol has words of its own for what went wrong. */
const ERROR_TYPES: ReadonlyMap<string, string> = new Map([
  ['throttlingException', 'rate_limit_error'],
  ['validationException', 'invalid_request_error'],
  ['serviceUnavailableException', 'overloaded_error'],
  ['modelTimeoutException', 'timeout_error'],
]);

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export const converseEvents = eventStream(() => ({ name, payload }) => {
  if (name === '' || /[\r\n]/.test(name)) throw new StreamError('an event of the stream has no name');
  return `event: ${name}\ndata: ${oneLine(payload.toString('utf8'))}\n\n`;
});

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html */
export const invokeEvents = eventStream(() => {
  const order = new EventOrder();
  return (message) => {
    if (message.kind !== 'event') return writeError(message);
    if (message.name !== 'chunk') return ''; // unknown events are passed over (contract-2 9)
    const bytes =
      PLAIN.exec(message.payload.toString('latin1'))?.[1] ?? asText(parseRecord(message.payload)?.['bytes']);
    if (bytes === undefined) throw new StreamError('a chunk of the stream holds no bytes');
    const data = oneLine(Buffer.from(bytes, 'base64').toString('utf8'));
    const type = BEGINS.exec(data)?.[1] ?? asText(parseRecord(data)?.['type']);
    if (type === undefined || !data.endsWith('}')) throw new StreamError('a chunk of the stream is no event');
    order.check(type, data);
    return `event: ${type}\ndata: ${data}\n\n`;
  };
});

const BLOCK = /^\{"type":"[a-z_]+","index":(\d+)[,}]/;

/**
 * Frames carry no number. A message begins once and nothing comes behind its end; what a block says stands between its begin
 * and its end, and both before those of the message: frames in another order are not the model's.
 */
class EventOrder {
  #previous: string | undefined;
  #begun = -1;
  readonly #open = new Set<number>();

  check(type: string, data: string): void {
    if (type === 'ping' || type === 'error') return;
    if (!this.#isNext(type, data)) throw new StreamError('the events of the stream are out of order');
    this.#previous = type;
  }

  #isNext(type: string, data: string): boolean {
    if ((this.#previous === undefined) !== (type === 'message_start') || this.#previous === 'message_stop')
      return false;
    if (type === 'message_delta' || type === 'message_stop') return this.#open.size === 0;
    if (!type.startsWith('content_block_')) return true;
    const index = Number(BLOCK.exec(data)?.[1] ?? parseRecord(data)?.['index']);
    if (type === 'content_block_delta') return this.#open.has(index);
    if (type === 'content_block_stop') return this.#open.delete(index);
    if (type !== 'content_block_start') return true;
    const isNew = index > this.#begun && this.#previous !== 'message_delta';
    this.#begun = index;
    this.#open.add(index);
    return isNew;
  }
}

function writeError({ name, payload }: EventMessage): string {
  const message = asText(parseRecord(payload)?.['message']) ?? 'The stream ended with an error.';
  const error = { type: ERROR_TYPES.get(name) ?? 'api_error', message };
  return `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`;
}

/** A line end would end the event; outside of texts JSON does not need it, and inside it is escaped. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]+/g, ' ') : json;
}
