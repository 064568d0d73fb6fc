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
  let previous: string | undefined;
  return (message) => {
    if (message.kind !== 'event') return writeError(message);
    if (message.name !== 'chunk') return ''; // unknown events are passed over (contract-2 9)
    const bytes =
      PLAIN.exec(message.payload.toString('latin1'))?.[1] ?? asText(parseRecord(message.payload)?.['bytes']);
    if (bytes === undefined) throw new StreamError('a chunk of the stream holds no bytes');
    const data = oneLine(Buffer.from(bytes, 'base64').toString('utf8'));
    const type = BEGINS.exec(data)?.[1] ?? asText(parseRecord(data)?.['type']);
    if (type === undefined || !data.endsWith('}')) throw new StreamError('a chunk of the stream is no event');
    checkOrder(type, previous);
    previous = type;
    return `event: ${type}\ndata: ${data}\n\n`;
  };
});

/** A message begins once, and nothing comes behind its end: frames in another order are not the model's. */
function checkOrder(type: string, previous: string | undefined): void {
  if (type === 'ping' || type === 'error') return;
  if ((previous === undefined) !== (type === 'message_start') || previous === 'message_stop')
    throw new StreamError('the events of the stream are out of order');
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
