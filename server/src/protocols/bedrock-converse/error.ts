// What Bedrock says when it refuses: `{"message"}`, its kind only in a header; inside a stream the event's name is the kind.
import { asText, type JsonRecord, parseRecord } from '../json/json-value.ts';
import type { UpstreamComplaint } from '../protocol.ts';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html#API_runtime_ConverseStream_ResponseElements */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['throttlingException', 429],
  ['serviceUnavailableException', 503],
  ['validationException', 400],
]);

export function readComplaint(body: Buffer): UpstreamComplaint {
  return complaintOf(parseRecord(body));
}

function complaintOf(reported: JsonRecord | undefined): UpstreamComplaint {
  const message = asText(reported?.['message']) ?? asText(reported?.['Message']);
  const code = asText(reported?.['__type'])?.replace(/^.*#/, '');
  return { message, code, param: undefined };
}

/** An event that is an exception; undefined for any other. */
export function readException(name: string | undefined, data: JsonRecord | undefined): UpstreamComplaint | undefined {
  if (name === undefined || !/Exception$|^error$/.test(name)) return undefined;
  const { message } = complaintOf(data);
  return { message, code: name, param: undefined, status: STATUSES.get(name) };
}
