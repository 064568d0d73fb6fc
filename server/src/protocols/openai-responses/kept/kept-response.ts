// A response that the gateway keeps itself, because the upstream that answered speaks another protocol (contract-2 7): the
// response as its client read it, and what it was given.
import { asList, asRecord, asText, type JsonRecord, parseRecord } from '../../json/json-value.ts';

export interface KeptResponse {
  response: JsonRecord;
  /** What the request itself brought; earlier turns are kept with the responses before it. */
  input: JsonRecord[];
}

/** Ids of our own responses begin so: they are made of the request's id, which may be a line of a batch. */
const OWN = /^resp_(?:req|batch)/;

export function ownResponseId(requestId: string): string {
  return `resp_${requestId.replace(/[^A-Za-z0-9]/g, '')}`;
}

export function isOwnId(id: string): boolean {
  return OWN.test(id);
}

/** undefined where the answer is none that can be gone on from. */
export function keptOf(body: Buffer, answer: Buffer): KeptResponse | undefined {
  const response = parseRecord(answer);
  const wire = parseRecord(body);
  const id = asText(response?.['id']);
  const isEnded = response?.['status'] === 'completed' || response?.['status'] === 'incomplete';
  if (response === undefined || wire === undefined || id === undefined || !isEnded) return undefined;
  return { response, input: inputItems(wire['input'], id) };
}

/** As a list of items, each with an id. */
function inputItems(input: unknown, responseId: string): JsonRecord[] {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : asList(input);
  return items.flatMap((one, index) => {
    const item = asRecord(one);
    return item === undefined ? [] : [wholeItem(item, `${responseId.slice('resp_'.length)}i${index}`)];
  });
}

const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
  reasoning: 'rs',
};

function wholeItem(item: JsonRecord, id: string): JsonRecord {
  const type = asText(item['type']) ?? 'message';
  const own = asText(item['id']) ?? `${PREFIXES[type] ?? 'item'}_${id}`;
  if (type !== 'message') return { ...item, type, id: own };
  return { ...item, type, id: own, status: 'completed', content: wholeContent(item) };
}

function wholeContent({ role, content }: JsonRecord): unknown {
  if (typeof content !== 'string') return content;
  return role === 'assistant'
    ? [{ type: 'output_text', text: content, annotations: [], logprobs: [] }]
    : [{ type: 'input_text', text: content }];
}
