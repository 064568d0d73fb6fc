// Output items and the response around them, as a client of this protocol reads them.
import type { Citation, Picture } from '../../../neutral/conversation.ts';
import type { OutputFormat, OutputPart, Tool } from '../../../neutral/generation.ts';
import { type SignatureOrSeal, writeSignatureOrSeal } from '../../../neutral/signature.ts';
import type { TokenUsage } from '../../../neutral/usage.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { customNames } from '../../custom-tools/custom-tool.ts';
import { writeAnnotation } from '../../openai-shared/citations.ts';
import { writeCustomTool } from '../../openai-shared/custom-tools.ts';
import { responsesFrames } from '../../openai-shared/frames.ts';
import { writeOutputFormat, writeToolChoice } from '../../openai-shared/tools.ts';
import type { AnswerContext } from '../../text-protocol.ts';
import { NO_ECHO } from './echo.ts';
import { RESPONSES } from '../wire.ts';
import { writeTool } from '../write-tool.ts';

export function writeText(text: string, citations: readonly Citation[] = []): JsonRecord {
  return {
    type: 'output_text',
    text,
    annotations: citations.flatMap((one) => writeAnnotation(one, text)),
    logprobs: [],
  };
}

export function writeRefusal(refusal: string): JsonRecord {
  return { type: 'refusal', refusal };
}

export function writeMessageItem(id: string, content: JsonRecord[], status = 'completed'): JsonRecord {
  return { id: `msg_${id}`, type: 'message', status, role: 'assistant', content };
}

export function writeCallItem(
  id: string,
  { id: callId, name, arguments: text }: { id: string; name: string; arguments: string },
  status = 'completed',
): JsonRecord {
  return { id: `fc_${id}`, type: 'function_call', status, call_id: callId, name, arguments: text };
}

export function writeCustomCallItem(
  id: string,
  { id: callId, name, input }: { id: string; name: string; input: string },
  status = 'completed',
): JsonRecord {
  return { id: `ctc_${id}`, type: 'custom_tool_call', status, call_id: callId, name, input };
}

export function writePictureItem(id: string, { data, mediaType }: Picture): JsonRecord {
  const output_format = mediaType.slice(mediaType.indexOf('/') + 1);
  return { id: `ig_${id}`, type: 'image_generation_call', status: 'completed', output_format, result: data };
}

/** Whatever proves it is sealed in, marked with whose it is. */
export function writeReasoningItem(id: string, text: string, signature: SignatureOrSeal): JsonRecord {
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  const sealed = writeSignatureOrSeal(signature, RESPONSES);
  return { id: `rs_${id}`, type: 'reasoning', summary, ...(sealed !== undefined && { encrypted_content: sealed }) };
}

/** The items that one part of a whole result becomes. A call's signature goes before it, as reasoning without words. */
export function writeItems(part: OutputPart, id: string): JsonRecord[] {
  switch (part.type) {
    case 'text':
      return [writeMessageItem(id, [writeText(part.text, part.citations)])];
    case 'refusal':
      return [writeMessageItem(id, [writeRefusal(part.text)])];
    case 'reasoning':
      return [writeReasoningItem(id, part.text, part)];
    case 'picture':
      return [writePictureItem(id, part)];
    case 'tool-call': {
      const signature = part.signature === undefined ? [] : [writeReasoningItem(`${id}s`, '', part)];
      const { input } = part;
      if (input !== undefined) return [...signature, writeCustomCallItem(id, { ...part, input })];
      return [...signature, writeCallItem(id, { ...part, arguments: part.arguments || '{}' })];
    }
  }
}

export interface ResponseState {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  output: JsonRecord[];
  /** null unless it was cut short. */
  incomplete?: string | null;
  usage?: TokenUsage | undefined;
}

export function writeResponse({ id, created, now, generation }: AnswerContext, state: ResponseState): JsonRecord {
  const { settings, model, tools, echo = NO_ECHO } = generation;
  const { reasoning, format, verbosity, toolChoice } = settings;
  const { incomplete = null } = state;
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: created,
    completed_at: state.status === 'completed' ? (now?.() ?? created) : null,
    status: state.status,
    background: false,
    error: null,
    incomplete_details: incomplete === null ? null : { reason: incomplete },
    max_output_tokens: settings.maxOutputTokens ?? null,
    model,
    output: state.output,
    parallel_tool_calls: settings.parallelToolCalls ?? true,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.isShown === true ? 'auto' : null },
    service_tier: settings.serviceTier ?? 'default',
    temperature: settings.temperature ?? 1,
    text: {
      format: format === undefined ? { type: 'text' } : writeFormat(format),
      verbosity: verbosity ?? 'medium',
    },
    tool_choice: toolChoice === undefined ? 'auto' : writeToolChoice(toolChoice, responsesFrames, customNames(tools)),
    tools: tools.map((tool) => writeCustomTool(tool, responsesFrames) ?? writeOfferedTool(tool)),
    top_p: settings.topP ?? 1,
    truncation: 'disabled',
    usage: state.usage === undefined ? null : writeUsage(state.usage),
    metadata: settings.metadata ?? {},
    ...echo,
  };
}

/** Every field of it is required in an answer. */
function writeOfferedTool(tool: Tool): JsonRecord {
  return { ...writeTool(tool), description: tool.description ?? null };
}

function writeFormat(format: OutputFormat): JsonRecord {
  const written = writeOutputFormat(format, responsesFrames);
  return format.type === 'json' ? written : { ...written, strict: format.strict ?? false };
}

function writeUsage(usage: TokenUsage): JsonRecord {
  return {
    input_tokens: usage.input,
    input_tokens_details: {
      cached_tokens: usage.cachedInput,
      cache_write_tokens: usage.cacheWrite,
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  };
}
