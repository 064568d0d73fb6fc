// What a message leaves with its upstream: the container that its code ran in, and the files that were made there.
import type { MadeObject, MadeReader } from '../../neutral/made-object.ts';
import type { JsonObject } from '../../shared/json-fields.ts';
import { asList, asRecord, parseRecord } from '../json/json-value.ts';
import { eventsOf } from '../stream/sse.ts';

const CODE_TOOL = 'code_execution';
const RESULT = /_tool_result$/;

/** undefined for a request that runs no code at its upstream. */
export function madeReader({ bytes, fields }: JsonObject): MadeReader | undefined {
  const tools = fields.get('tools');
  const runsCode = tools !== undefined && bytes.subarray(tools.valueStart, tools.valueEnd).includes(CODE_TOOL);
  return runsCode || fields.has('container') ? reader : undefined;
}

const reader: MadeReader = {
  whole: (body) => madeBy(parseRecord(body)),
  events(bytes) {
    if (!bytes.includes('"container"') && !bytes.includes('"file_id"')) return [];
    return eventsOf(bytes).flatMap(({ data = '' }) => {
      const event = parseRecord(data);
      return [
        ...madeBy(asRecord(event?.['message'])),
        ...madeBy(asRecord(event?.['delta'])),
        ...filesIn(asRecord(event?.['content_block']) ?? {}),
      ];
    });
  },
};

function madeBy(message: Record<string, unknown> | undefined): MadeObject[] {
  const id = asRecord(message?.['container'])?.['id'];
  return [
    ...(typeof id === 'string' ? [{ id, kind: 'container' as const }] : []),
    ...asList(message?.['content']).flatMap((block) => filesIn(asRecord(block) ?? {})),
  ];
}

/** `{type: "..._tool_result", content: {content: [{file_id}]}}`. */
function filesIn(block: Record<string, unknown>): MadeObject[] {
  if (!RESULT.test(String(block['type']))) return [];
  return asList(asRecord(block['content'])?.['content']).flatMap((one) => {
    const id = asRecord(one)?.['file_id'];
    return typeof id === 'string' ? [{ id, kind: 'file' as const }] : [];
  });
}
