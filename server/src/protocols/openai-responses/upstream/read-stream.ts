// A responses stream as parts, for callers of another protocol.
import type { StreamPart } from '../../../neutral/stream-part.ts';
import type { Extras, TokenUsage } from '../../../neutral/usage.ts';
import { asCount, asList, asRecord, asText, type JsonRecord, parseRecord } from '../../json/json-value.ts';
import { complaintOf } from '../../openai-chat/error.ts';
import { StreamError } from '../../protocol.ts';
import { eventName, type SseEvent } from '../../stream/sse.ts';
import type { PartsReader } from '../../text-protocol.ts';
import { readFinishReason } from '../finish-reason.ts';
import { isDoubtful, readResponseUsage } from '../read-answer.ts';
import { extrasOfResponse } from '../read-extras.ts';
import { endEvents, failureEvents } from '../wire.ts';
import { ItemReader } from './item-reader.ts';

export class ResponsesPartsReader implements PartsReader {
  usage: TokenUsage | undefined;
  isDoubtful = false;
  extras: Extras | undefined;
  #started = false;
  #ended = false;
  readonly #items = new ItemReader();

  push(event: SseEvent): StreamPart[] {
    if (event.data === undefined || this.#ended || event.data.trim() === '[DONE]') return [];
    const wire = parseRecord(event.data);
    if (wire === undefined) {
      if (this.#started) return [];
      throw new StreamError('the first event of the stream is not a JSON object');
    }
    const type = asText(wire['type']) ?? eventName(event) ?? '';
    const reported = asRecord(wire['response'])?.['usage'];
    this.usage = readResponseUsage(reported) ?? this.usage;
    this.isDoubtful = this.usage === undefined && (this.isDoubtful || isDoubtful(reported));
    if (failureEvents.includes(type)) {
      this.#ended = true;
      const complaint = complaintOf(wire['response'] ?? { ...wire, type: undefined });
      return [{ type: 'error', message: complaint.message ?? 'The provider reported an error.', code: complaint.code }];
    }
    const parts: StreamPart[] = [];
    if (!this.#started) {
      this.#started = true;
      parts.push({ type: 'start', id: asText(asRecord(wire['response'])?.['id']) });
    }
    const read = endEvents.includes(type) ? this.#finish(asRecord(wire['response']) ?? {}) : this.#read(type, wire);
    return [...parts, ...read];
  }

  /** Only the protocol's own events end it. */
  end(): StreamPart[] {
    return [];
  }

  #read(type: string, wire: JsonRecord): StreamPart[] {
    const position = { item: asCount(wire['output_index']) ?? 0, content: asCount(wire['content_index']) ?? 0 };
    const delta = asText(wire['delta']) ?? '';
    switch (type) {
      case 'response.output_text.delta':
        return this.#items.say(position, 'text', delta);
      case 'response.output_text.done':
        return this.#items.end(position, 'text', asText(wire['text']) ?? '');
      case 'response.output_text.annotation.added':
        return this.#items.cite(position, wire['annotation']);
      case 'response.refusal.delta':
        return this.#items.say(position, 'refusal', delta);
      case 'response.refusal.done':
        return this.#items.end(position, 'refusal', asText(wire['refusal']) ?? '');
      case 'response.function_call_arguments.delta':
        return this.#items.callDelta(position.item, delta);
      case 'response.reasoning_summary_part.added':
        return this.#items.nextSummary(position.item);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#items.reason(position.item, delta);
      case 'response.output_item.added':
        return this.#items.beginItem(position.item, asRecord(wire['item']) ?? {});
      case 'response.output_item.done':
        return this.#items.endItem(position.item, asRecord(wire['item']) ?? {});
      default:
        return [];
    }
  }

  #finish(response: JsonRecord): StreamPart[] {
    this.#ended = true;
    this.extras = extrasOfResponse(response);
    const parts: StreamPart[] = [];
    if (this.#items.isEmpty) {
      // Nothing was said on the way, so all of it is in the last event.
      for (const [index, item] of asList(response['output']).entries()) {
        parts.push(...this.#items.endItem(index, asRecord(item) ?? {}));
      }
    }
    parts.push(...this.#items.endAll());
    const finish = { reason: readFinishReason(response, this.#items.shown) };
    return [...parts, { type: 'finish', finish, usage: this.usage }];
  }
}
