// Events of this protocol become neutral parts; events and blocks that nobody else knows are skipped.
import type { Finish } from '../../../neutral/generation.ts';
import type { StreamPart } from '../../../neutral/stream-part.ts';
import type { Extras, TokenUsage } from '../../../neutral/usage.ts';
import { asRecord, asText, type JsonRecord, parseRecord } from '../../json/json-value.ts';
import { StreamError } from '../../protocol.ts';
import { eventName, type SseEvent } from '../../stream/sse.ts';
import type { PartsReader } from '../../text-protocol.ts';
import { readStreamError } from '../error.ts';
import { readFinish } from '../finish-reason.ts';
import { isDoubtful, mergeUsage, readUsage, reportsOutput } from '../usage.ts';
import { readExtras } from '../read-extras.ts';
import { BlockReader, readBlockStart } from './block-reader.ts';
import { explain } from './read-result.ts';

export class MessagesPartsReader implements PartsReader {
  /** The first event tells the input, but nothing of the output that is still to come. */
  outputIsReported = false;
  /** By the upstream's index; ours count only what is passed on. */
  readonly #open = new Map<unknown, BlockReader>();
  #blocks = 0;
  #started = false;
  #over = false;
  #reported: JsonRecord = {};
  #finish: Finish | undefined;
  /** With the newest reason why the model stopped. */
  #stopped: JsonRecord = {};

  get usage(): TokenUsage | undefined {
    return readUsage(this.#reported);
  }

  get isDoubtful(): boolean {
    return isDoubtful(this.#reported);
  }

  get extras(): Extras | undefined {
    return readExtras(this.#reported);
  }

  push(event: SseEvent): StreamPart[] {
    if (event.data === undefined || this.#over) return [];
    const data = parseRecord(event.data);
    const type = asText(data?.['type']) ?? eventName(event);
    if (type === 'error') return this.#fail(data);
    if (type === 'ping') return [];
    if (!this.#started && (data === undefined || type !== 'message_start'))
      throw new StreamError('the stream is not one of messages');
    return data === undefined || type === undefined ? [] : this.#read(type, data);
  }

  end(): StreamPart[] {
    return this.#over || this.#finish === undefined ? [] : this.#end(this.#finish);
  }

  #read(type: string, data: JsonRecord): StreamPart[] {
    if (type === 'message_start') return this.#start(asRecord(data['message']) ?? {});
    if (type === 'content_block_start') return this.#begin(data);
    if (type === 'content_block_delta')
      return this.#open.get(data['index'])?.delta(asRecord(data['delta']) ?? {}) ?? [];
    if (type === 'content_block_stop') return this.#close(data['index']);
    if (type === 'message_delta') this.#stop(data);
    // A stream may end without saying why the model stopped.
    return type === 'message_stop' ? this.#end(this.#finish ?? { reason: 'other' }) : [];
  }

  #start(message: JsonRecord): StreamPart[] {
    if (this.#started) return [];
    this.#started = true;
    this.#reported = mergeUsage(this.#reported, message['usage']);
    return [{ type: 'start', id: asText(message['id']), usage: this.usage }];
  }

  #begin({ index, content_block }: JsonRecord): StreamPart[] {
    const reported = asRecord(content_block) ?? {};
    const block = readBlockStart(reported);
    if (block === undefined) return [];
    const before = this.#close(index); // two blocks of one index: the first must be over
    const reader = new BlockReader(this.#blocks++, block);
    this.#open.set(index, reader);
    return [...before, ...reader.begin(reported)];
  }

  #close(index: unknown): StreamPart[] {
    const parts = this.#open.get(index)?.end() ?? [];
    this.#open.delete(index);
    return parts;
  }

  #stop(data: JsonRecord): void {
    const delta = asRecord(data['delta']) ?? {};
    this.#reported = mergeUsage(this.#reported, data['usage']);
    this.outputIsReported ||= reportsOutput(data['usage']);
    if (asText(delta['stop_reason']) === undefined) return;
    this.#finish = readFinish(delta);
    this.#stopped = delta;
  }

  #end(finish: Finish): StreamPart[] {
    this.#over = true;
    const parts = [...this.#open.keys()].flatMap((index) => this.#close(index));
    return [...parts, ...explain(this.#stopped, this.#blocks), { type: 'finish', finish, usage: this.usage }];
  }

  #fail(data: JsonRecord | undefined): StreamPart[] {
    this.#over = true;
    const { message, code, status } = readStreamError(data);
    return [
      {
        type: 'error',
        message: message ?? 'The stream ended with an error.',
        code,
        ...(status !== undefined && { status }),
      },
    ];
  }
}
