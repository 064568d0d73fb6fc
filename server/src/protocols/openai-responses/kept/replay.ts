// The events of a response that is whole by now, as a stream of it has them (`GET /v1/responses/{id}?stream=true`).
import { asList, asRecord, asText, type JsonRecord } from '../../json/json-value.ts';

type Step = readonly [type: string, rest: JsonRecord];

/**
 * Those behind the number, where one is given. The stream that a client saw had more events, as its text came in pieces:
 * whatever number it goes on from, the end comes.
 */
export function replayEvents(response: JsonRecord, after = -1): string {
  const steps = stepsOf(response);
  const last = ENDS.has(response['status']) ? steps.length - 1 : undefined;
  return steps
    .map(([type, rest], index) => ({
      type,
      sequence_number: index === last ? Math.max(index, after + 1) : index,
      ...rest,
    }))
    .filter(({ sequence_number }) => sequence_number > after)
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

const ENDS: ReadonlySet<unknown> = new Set(['completed', 'incomplete', 'failed', 'cancelled']);

/** One that still goes on has no end: what it has come to so far is reported. */
function stepsOf(response: JsonRecord): Step[] {
  const { status } = response;
  const isOver = ENDS.has(status);
  const begun = { ...response, status: isOver ? 'in_progress' : status, completed_at: null, output: [], usage: null };
  const items = asList(response['output']).flatMap((one, index) => itemSteps(asRecord(one) ?? {}, index));
  const steps: Step[] = [['response.created', { response: begun }]];
  steps.push([status === 'queued' ? 'response.queued' : 'response.in_progress', { response: begun }]);
  steps.push(...items);
  if (isOver) steps.push([`response.${String(status)}`, { response }]);
  return steps;
}

function itemSteps(item: JsonRecord, output_index: number): Step[] {
  const position = { item_id: asText(item['id']) ?? '', output_index };
  return [
    ['response.output_item.added', { output_index, item: emptied(item) }],
    ...insideOf(item, position),
    ['response.output_item.done', { output_index, item }],
  ];
}

function emptied(item: JsonRecord): JsonRecord {
  switch (item['type']) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' };
    case 'reasoning':
      return { ...item, summary: [] };
    default:
      return item;
  }
}

function insideOf(item: JsonRecord, position: JsonRecord): Step[] {
  switch (item['type']) {
    case 'message':
      return asList(item['content']).flatMap((one, content_index) =>
        contentSteps(asRecord(one) ?? {}, { ...position, content_index }),
      );
    case 'function_call':
      return textSteps('response.function_call_arguments', asText(item['arguments']), {
        position,
        field: 'arguments',
        done: { name: item['name'] },
      });
    case 'custom_tool_call':
      return textSteps('response.custom_tool_call_input', asText(item['input']), { position, field: 'input' });
    case 'reasoning':
      return asList(item['summary']).flatMap((one, summary_index) =>
        summarySteps(asRecord(one) ?? {}, { ...position, summary_index }),
      );
    default:
      return [];
  }
}

function contentSteps(part: JsonRecord, position: JsonRecord): Step[] {
  const added: Step = ['response.content_part.added', { ...position, part: emptyPart(part) }];
  const done: Step = ['response.content_part.done', { ...position, part }];
  if (part['type'] === 'refusal')
    return [added, ...textSteps('response.refusal', asText(part['refusal']), { position, field: 'refusal' }), done];
  const logprobs = { logprobs: [] };
  const text = textSteps('response.output_text', asText(part['text']), { position, field: 'text', each: logprobs });
  const notes = asList(part['annotations']).map((annotation, annotation_index): Step => [
    'response.output_text.annotation.added',
    { ...position, annotation_index, annotation },
  ]);
  return [added, ...text.slice(0, 1), ...notes, ...text.slice(1), done];
}

function emptyPart(part: JsonRecord): JsonRecord {
  return part['type'] === 'refusal' ? { ...part, refusal: '' } : { ...part, text: '', annotations: [] };
}

function summarySteps(part: JsonRecord, position: JsonRecord): Step[] {
  return [
    ['response.reasoning_summary_part.added', { ...position, part: { ...part, text: '' } }],
    ...textSteps('response.reasoning_summary_text', asText(part['text']), { position, field: 'text' }),
    ['response.reasoning_summary_part.done', { ...position, part }],
  ];
}

interface TextEvent {
  position: JsonRecord;
  /** Where the last event has all of it. */
  field: string;
  /** In both events, and in the last one alone. */
  each?: JsonRecord;
  done?: JsonRecord;
}

function textSteps(type: string, text = '', { position, field, each = {}, done = {} }: TextEvent): [Step, Step] {
  return [
    [`${type}.delta`, { ...position, delta: text, ...each }],
    [`${type}.done`, { ...position, [field]: text, ...each, ...done }],
  ];
}
