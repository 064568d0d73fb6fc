// What an upstream sends: events pass as they came. Those that begin a response, end one or report a transcript move money
// first; names and words that are the upstream's own are hidden.
import { asRecord, asText, type JsonRecord, parseRecord } from '../../protocols/json/json-value.ts';
import {
  msOfBase64,
  readServerEvent,
  readSettings,
  type RealtimeEvent,
  type SessionSettings,
  textField,
  textLength,
} from '../../protocols/realtime/index.ts';
import type { GatewayError } from '../../errors/gateway-error.ts';
import type { SecretMask } from '../../shared/secret-mask.ts';
import { askedOf, type ClientSide } from './client-side.ts';
import type { PinnedSession } from './pinned-session.ts';
import type { Responses } from './responses.ts';
import type { Transcripts } from './transcripts.ts';

export interface UpstreamSideDependencies {
  responses: Responses;
  transcripts: Transcripts;
  pinned: PinnedSession;
  clientSide: ClientSide;
  mask: SecretMask | undefined;
  settings(): SessionSettings;
  /** The upstream shows its settings. */
  onSettings(settings: SessionSettings): void;
  /** A response has begun that nobody can pay for, or that comes too fast. */
  onUnpaid(id: string, error: GatewayError): void;
  /** A response is over. */
  onDone(): void;
  /** Hides addresses, keys and names of the upstream. */
  hide(text: string): string;
}

type Passed = Buffer | string;

const TRANSCRIPT = 'conversation.item.input_audio_transcription';
const TEXT_DELTA =
  /^response\.(?:output_text|output_audio_transcript|function_call_arguments|mcp_call_arguments|text|audio_transcript)\.delta$/;
const AUDIO_DELTA = /^response\.(?:output_audio|audio)\.delta$/;

export class UpstreamSide {
  readonly #dependencies: UpstreamSideDependencies;

  constructor(dependencies: UpstreamSideDependencies) {
    this.#dependencies = dependencies;
  }

  /** What the client is sent. A promise only where money moves. */
  take(bytes: Buffer): Passed | Promise<Passed> {
    this.#dependencies.mask?.hide(bytes);
    const event = readServerEvent(bytes);
    if (event === undefined) return bytes;
    const { responses, transcripts, settings } = this.#dependencies;
    const { type } = event;
    if (TEXT_DELTA.test(type)) {
      responses.spoke(textField(event, 'response_id') ?? '', { text: 1 });
      return bytes;
    }
    if (AUDIO_DELTA.test(type)) {
      const audioMs = msOfBase64(textLength(event, 'delta'), settings().outputFormat);
      responses.spoke(textField(event, 'response_id') ?? '', { audioMs });
      return bytes;
    }
    switch (type) {
      case 'session.created':
      case 'session.updated':
        return this.#showSession(bytes);
      case 'response.created':
        return this.#created(bytes);
      case 'response.done':
        return this.#done(bytes);
      case 'input_audio_buffer.committed':
        return transcripts.committed(textField(event, 'item_id') ?? '').then(() => bytes);
      case 'input_audio_buffer.cleared':
        transcripts.cleared();
        return bytes;
      case `${TRANSCRIPT}.delta`:
        transcripts.spoke(textField(event, 'item_id') ?? '');
        return bytes;
      case `${TRANSCRIPT}.completed`:
        return this.#transcribed(event);
      case `${TRANSCRIPT}.failed`:
        return transcripts.failed(textField(event, 'item_id') ?? '').then(() => bytes);
      case 'error':
        return this.#error(bytes);
      default:
        return bytes;
    }
  }

  async #showSession(bytes: Buffer): Promise<Passed> {
    const event = parseRecord(bytes) ?? {};
    const session = asRecord(event['session']);
    if (session === undefined) return bytes;
    const { pinned, transcripts, onSettings } = this.#dependencies;
    const settings = readSettings(session);
    onSettings(settings);
    await transcripts.show(settings.transcription === undefined ? undefined : pinned.nameOf(settings.transcription));
    return JSON.stringify({ ...event, session: pinned.show(session) });
  }

  async #created(bytes: Buffer): Promise<Passed> {
    const { responses, settings, onUnpaid } = this.#dependencies;
    const response = asRecord(parseRecord(bytes)?.['response']) ?? {};
    const id = asText(response['id']) ?? '';
    const unpaid = await responses.created(id, askedOf(response, settings()));
    if (unpaid !== undefined) onUnpaid(id, unpaid);
    return bytes;
  }

  async #done(bytes: Buffer): Promise<Passed> {
    const { responses, onDone } = this.#dependencies;
    const response = asRecord(parseRecord(bytes)?.['response']) ?? {};
    await responses.done(asText(response['id']) ?? '', response);
    onDone();
    return bytes;
  }

  async #transcribed(event: RealtimeEvent): Promise<Passed> {
    const { bytes } = event.object;
    const usage = parseRecord(bytes)?.['usage'];
    const letters = textLength(event, 'transcript');
    await this.#dependencies.transcripts.completed(textField(event, 'item_id') ?? '', { usage, letters });
    return bytes;
  }

  /** The upstream refuses an event: the money of a response that does not begin is free again. */
  async #error(bytes: Buffer): Promise<Passed> {
    const event = parseRecord(bytes) ?? {};
    const error = asRecord(event['error']) ?? {};
    const { responses, clientSide, hide } = this.#dependencies;
    const eventId = asText(error['event_id']);
    if (eventId !== undefined) await responses.refused(eventId);
    const shown: JsonRecord = { ...error };
    if (eventId !== undefined && clientSide.isOwnId(eventId)) shown['event_id'] = null;
    const message = asText(error['message']);
    if (message !== undefined) shown['message'] = hide(message);
    return JSON.stringify({ ...event, error: shown });
  }
}
