// A realtime session as the service keeps it: settings, conversation, audio that waits, and the response under way.
// https://platform.openai.com/docs/api-reference/realtime-client-events
import { findPromptDirectives, joinBehaviours, type Directive } from '../directives.ts';
import { isObject, type WireObject } from '../fields/refuse.ts';
import type { ToolFunction } from '../openai/chat/tools.ts';
import { Refusal } from '../refusal.ts';
import { composeAnswer } from '../text/compose-answer.ts';
import { countTokens, cutIntoTokens } from '../text/tokens.ts';
import { type Connection, textOf } from './connection.ts';
import { Conversation, type Item, readItem, textIn } from './conversation.ts';
import { InputAudio } from './input-audio.ts';
import { respond } from './respond.ts';
import {
  type AudioFormat,
  checkModalities,
  firstSettings,
  missing,
  refuseUnknown,
  updateSettings,
  wrong,
} from './session-settings.ts';

const lifeSeconds = 3600;
const mostOutput = 4096;
const msPerTokenHeard = 100;
const knownOfResponse = new Set(
  'audio conversation input instructions max_output_tokens metadata output_modalities parallel_tool_calls prompt reasoning tool_choice tools'.split(
    ' ',
  ),
);

type Options = { connection: Connection; model: string; directives: readonly Directive[]; now: number };

export class RealtimeSession {
  readonly #connection: Connection;
  readonly #directives: readonly Directive[];
  readonly #conversation = new Conversation();
  readonly #audio = new InputAudio();
  readonly #conversationId: string;
  /** By response; the one of the conversation under its own id too. */
  readonly #running = new Map<string, { cancel: AbortController; isOutOfBand: boolean }>();
  #settings: WireObject;

  constructor({ connection, model, directives, now }: Options) {
    this.#connection = connection;
    this.#directives = directives;
    this.#conversationId = connection.makeId('conv');
    const expires = Math.floor(now / 1000) + lifeSeconds;
    this.#settings = { ...firstSettings(model), id: connection.makeId('sess'), expires_at: expires };
    connection.send('session.created', { session: this.#settings });
  }

  /** One event of the client. */
  take(text: string): void {
    let event: WireObject = {};
    try {
      event = readEvent(text);
      this.#handle(event);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#connection.refuse(error.failure, textOf(event, 'event_id'));
    }
  }

  /** The client has gone. */
  end(): void {
    for (const { cancel } of this.#running.values()) cancel.abort('client_cancelled');
  }

  #handle(event: WireObject): void {
    switch (event['type']) {
      case 'session.update':
        this.#settings = updateSettings(this.#settings, event['session']);
        return this.#connection.send('session.updated', { session: this.#settings });
      case 'conversation.item.create':
        return this.#addItem(readItem(event['item'], () => this.#connection.makeId('item')));
      case 'conversation.item.retrieve':
        return this.#connection.send('conversation.item.retrieved', {
          item: this.#conversation.find(event['item_id']),
        });
      case 'conversation.item.delete':
        this.#conversation.remove(event['item_id']);
        return this.#connection.send('conversation.item.deleted', { item_id: event['item_id'] });
      case 'conversation.item.truncate':
        this.#conversation.find(event['item_id']);
        return this.#connection.send('conversation.item.truncated', {
          item_id: event['item_id'],
          content_index: event['content_index'],
          audio_end_ms: event['audio_end_ms'],
        });
      case 'input_audio_buffer.append':
        return this.#append(event['audio']);
      case 'input_audio_buffer.clear':
        this.#audio.take();
        return this.#connection.send('input_audio_buffer.cleared', {});
      case 'input_audio_buffer.commit':
        return this.#commit(this.#connection.makeId('item'));
      case 'response.create':
        return this.#respond(event['response'] ?? {});
      case 'response.cancel':
        return this.#cancel(event['response_id']);
      default:
        throw wrong('type', 'No such event.');
    }
  }

  get #input(): WireObject {
    return (this.#settings['audio'] as { input: WireObject }).input;
  }

  get #detection(): WireObject | undefined {
    const detection = this.#input['turn_detection'];
    return isObject(detection) ? detection : undefined;
  }

  #addItem(item: Item): void {
    const previous = { previous_item_id: this.#conversation.lastId };
    this.#conversation.items.push(item);
    this.#connection.send('conversation.item.added', { ...previous, item });
    this.#connection.send('conversation.item.done', { ...previous, item });
  }

  #append(audio: unknown): void {
    if (typeof audio !== 'string') throw missing('audio');
    const piece = Buffer.from(audio, 'base64');
    if (piece.length === 0 || piece.toString('base64').length !== audio.length)
      throw wrong('audio', 'Expected bytes in base64.');
    const format = this.#input['format'] as AudioFormat;
    this.#audio.append(piece, format);
    const detection = this.#detection;
    if (detection === undefined) return;
    const heard = this.#audio.hear(piece, format, Number(detection['silence_duration_ms'] ?? 200));
    const at = Math.round(this.#audio.totalMs);
    if (heard === 'started') {
      this.#connection.send('input_audio_buffer.speech_started', { audio_start_ms: at, item_id: 'item_next' });
      if (detection['interrupt_response'] !== false) this.#interrupt();
    } else if (heard === 'stopped') {
      const itemId = this.#connection.makeId('item');
      this.#connection.send('input_audio_buffer.speech_stopped', { audio_end_ms: at, item_id: itemId });
      this.#commit(itemId);
      if (detection['create_response'] !== false) this.#respond({});
    }
  }

  #commit(id: string): void {
    const ms = this.#audio.take();
    if (ms < 100) {
      const message = `Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, but buffer only has ${ms.toFixed(2)}ms of audio.`;
      throw new Refusal({ status: 400, code: 'input_audio_buffer_commit_empty', message });
    }
    this.#connection.send('input_audio_buffer.committed', {
      previous_item_id: this.#conversation.lastId,
      item_id: id,
    });
    this.#conversation.audioMs.set(id, ms);
    const content = [{ type: 'input_audio', transcript: null }];
    this.#addItem({ id, object: 'realtime.item', type: 'message', role: 'user', status: 'completed', content });
    if (isObject(this.#input['transcription']))
      this.#transcribe(id, ms, textOf(this.#input['transcription'], 'model') ?? '');
  }

  #transcribe(itemId: string, ms: number, model: string): void {
    const transcript = `Somebody spoke for ${(ms / 1000).toFixed(1)} seconds.`;
    const at = { item_id: itemId, content_index: 0 };
    const name = 'conversation.item.input_audio_transcription';
    for (const delta of cutIntoTokens(transcript)) this.#connection.send(`${name}.delta`, { ...at, delta });
    const audio = Math.ceil(ms / msPerTokenHeard);
    const output = countTokens(transcript);
    const usage = model.includes('whisper')
      ? { type: 'duration', seconds: Math.ceil(ms / 1000) }
      : {
          type: 'tokens',
          total_tokens: audio + output,
          input_tokens: audio,
          input_token_details: { text_tokens: 0, audio_tokens: audio },
          output_tokens: output,
        };
    this.#connection.send(`${name}.completed`, { ...at, transcript, usage });
  }

  #respond(response: unknown): void {
    if (!isObject(response)) throw wrong('response', 'Expected an object.');
    refuseUnknown(response, knownOfResponse, 'response');
    checkModalities(response['output_modalities']);
    const isOutOfBand = response['conversation'] === 'none';
    const active = [...this.#running].find(([, one]) => !one.isOutOfBand);
    if (!isOutOfBand && active !== undefined) {
      const message = `Conversation already has an active response in progress: ${active[0]}. Wait until the response is finished before creating a new one.`;
      throw new Refusal({ status: 400, code: 'conversation_already_has_active_response', message });
    }
    const id = this.#connection.makeId('resp');
    const cancel = new AbortController();
    this.#running.set(id, { cancel, isOutOfBand });
    void respond(this.#connection, this.#plan(id, response, cancel.signal)).finally(() => this.#running.delete(id));
  }

  #plan(id: string, response: WireObject, signal: AbortSignal): Parameters<typeof respond>[1] {
    const asked = { ...this.#settings, ...response };
    const own = Array.isArray(response['input']) ? response['input'].filter(isObject) : undefined;
    const items = own ?? this.#conversation.items;
    const last = items.at(-1) ?? {};
    const isToolResult = last['type'] === 'function_call_output';
    const text = isToolResult ? (textOf(last, 'output') ?? '') : textIn(last);
    const instructions = textOf(asked, 'instructions') ?? '';
    const { known, unknown } = findPromptDirectives([text, instructions]);
    const behaviour = joinBehaviours([...this.#directives, ...known]);
    const max = asked['max_output_tokens'];
    const answer = composeAnswer(
      {
        text: text || 'something that I heard',
        isToolResult,
        instructions: undefined,
        ...readTools(asked['tools'], asked['tool_choice']),
        parallelToolCalls: false,
        announcesCalls: false,
        answerSchema: undefined,
        stop: [],
        maxTokens: typeof max === 'number' ? max : mostOutput,
        thinkingLimit: undefined,
      },
      { behaviour, unknownDirectives: unknown },
    );
    const [modality] = asked['output_modalities'] as ['text' | 'audio'];
    const { output } = this.#settings['audio'] as { output: { format: AudioFormat; voice: unknown } };
    return {
      id,
      conversationId: response['conversation'] === 'none' ? null : this.#conversationId,
      modality,
      maxOutputTokens: max ?? 'inf',
      metadata: asked['metadata'],
      voice: output.voice,
      format: output.format,
      answer,
      prompt: this.#conversation.countPrompt(instructions, own),
      behaviour,
      signal,
      onItem: (item, ms) => {
        if (response['conversation'] === 'none') return;
        this.#conversation.items.push(item);
        if (ms > 0) this.#conversation.audioMs.set(item.id, ms);
      },
    };
  }

  #cancel(id: unknown): void {
    const found = [...this.#running].find(([one, { isOutOfBand }]) => (id === undefined ? !isOutOfBand : one === id));
    if (found === undefined) {
      const message = 'Cancellation failed: no active response found';
      throw new Refusal({ status: 400, code: 'response_cancel_not_active', message });
    }
    found[1].cancel.abort('client_cancelled');
  }

  #interrupt(): void {
    for (const { cancel, isOutOfBand } of this.#running.values()) if (!isOutOfBand) cancel.abort('turn_detected');
  }
}

function readEvent(text: string): WireObject {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw new Refusal({ status: 400, code: 'invalid_json', message: 'We could not parse the JSON of your event.' });
  }
  if (!isObject(event) || typeof event['type'] !== 'string') throw missing('type');
  return event;
}

function readTools(
  tools: unknown,
  choice: unknown,
): { tools: ToolFunction[]; toolChoice: 'auto' | 'none' | 'required' } {
  const list = Array.isArray(tools) ? tools.filter(isObject) : [];
  const toolChoice = choice === 'none' || choice === 'required' ? choice : 'auto';
  return {
    tools: list
      .filter(({ type }) => type === 'function')
      .map(({ name, parameters }) => ({
        name: String(name),
        parameters: isObject(parameters) ? parameters : { type: 'object', properties: {} },
      })),
    toolChoice,
  };
}
