// What a client sends: events that cost nothing pass as they came, those that do pass when their money is held.
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { asCount, asRecord, type JsonRecord } from '../../protocols/json/json-value.ts';
import {
  msOfBase64,
  readClientEvent,
  readFormat,
  type RealtimeEvent,
  type SessionSettings,
  speaksAloud,
  textField,
  textLength,
} from '../../protocols/realtime/index.ts';
import { readField } from '../../shared/json-fields.ts';
import type { ContextSize } from './context-size.ts';
import type { PinnedSession } from './pinned-session.ts';
import { type Asked, largerLimit, type Responses } from './responses.ts';
import type { Transcripts } from './transcripts.ts';

export interface ClientSideDependencies {
  context: ContextSize;
  responses: Responses;
  transcripts: Transcripts;
  pinned: PinnedSession;
  /** As the upstream shows them. */
  settings(): SessionSettings;
  /** What was asked for holds until the upstream shows it. */
  foresee(settings: Partial<SessionSettings>): void;
  /** No response may begin any more. */
  isDraining(): boolean;
}

/** An event that was refused, with the id that the client gave it. */
export interface RefusedEvent {
  error: GatewayError;
  eventId: string | undefined;
  /** Nothing that follows can be served either. */
  isFinal: boolean;
}

type Passed = Buffer | string | undefined;

/** Errors after which a token has no session any more. */
const OF_TOKEN = new Set(['invalid_api_key', 'token_disabled', 'token_expired', 'account_disabled', 'ip_not_allowed']);

export class ClientSide {
  readonly #dependencies: ClientSideDependencies;
  #made = 0;
  /** Ids that were given to events of clients that gave none. */
  readonly #ownIds = new Set<string>();

  constructor(dependencies: ClientSideDependencies) {
    this.#dependencies = dependencies;
  }

  /** What is to be sent on, if anything; what is wrong with it instead. A promise only where it costs money. */
  take(bytes: Buffer): Passed | RefusedEvent | Promise<Passed | RefusedEvent> {
    let event: RealtimeEvent | undefined;
    const refuse = (error: unknown): RefusedEvent => {
      if (!(error instanceof GatewayError)) throw error;
      const eventId = event === undefined ? undefined : textField(event, 'event_id');
      const isAudio = event?.type === 'input_audio_buffer.append';
      const isFinal = OF_TOKEN.has(error.code) || (isAudio && error.code === 'insufficient_quota');
      return { error, eventId, isFinal };
    };
    try {
      event = readClientEvent(bytes);
      const passed = this.#handle(event);
      return passed instanceof Promise ? passed.catch(refuse) : passed;
    } catch (error) {
      return refuse(error);
    }
  }

  /** Takes off an id that the client does not know. */
  isOwnId(eventId: string): boolean {
    return this.#ownIds.delete(eventId);
  }

  #handle(event: RealtimeEvent): Passed | Promise<Passed> {
    const { object, type } = event;
    if (object.fields.has('session')) return this.#update(event);
    switch (type) {
      case 'response.create':
        return this.#create(event);
      case 'input_audio_buffer.append':
        return this.#append(event);
      case 'input_audio_buffer.commit':
        return this.#commit(event);
      case 'input_audio_buffer.clear':
        this.#dependencies.transcripts.mark('clear');
        return object.bytes;
      case 'conversation.item.create':
        this.#dependencies.context.add(this.#sizeOf(event));
        return object.bytes;
      default:
        return object.bytes;
    }
  }

  async #update(event: RealtimeEvent): Promise<Passed> {
    const { pinned, transcripts, context, foresee, settings } = this.#dependencies;
    const session = fieldOf(event, 'session');
    if (session === undefined) throw invalidRequest('The field "session" must be an object.', 'session');
    const changed = await pinned.update(session, transcripts.isOn);
    if (changed.writes !== undefined) transcripts.ask(changed.writes ?? undefined);
    context.add({ bytes: event.object.bytes.length });
    const audio = asRecord(session['audio']);
    const detection = asRecord(asRecord(audio?.['input'])?.['turn_detection']);
    const speaks = speaksAloud(session['output_modalities']);
    const format = readFormat(asRecord(audio?.['input'])?.['format']);
    const now = settings();
    foresee({
      ...('max_output_tokens' in session && {
        maxOutputTokens: largerLimit(now.maxOutputTokens, asCount(session['max_output_tokens'])),
      }),
      // The one in which the same bytes are the longer sound.
      ...(format !== undefined && format.bytesPerMs < now.inputFormat.bytesPerMs && { inputFormat: format }),
      ...(detection !== undefined && { respondsByItself: detection['create_response'] !== false }),
      ...(speaks === true && { speaks }),
    });
    return JSON.stringify({ ...restOf(event, 'session'), session: changed.session });
  }

  async #create(event: RealtimeEvent): Promise<Passed> {
    const { responses, context, pinned, settings } = this.#dependencies;
    this.#refuseWhileDraining();
    const asksNothing = event.object.fields.get('response') === undefined;
    const response = fieldOf(event, 'response');
    if (response === undefined && !asksNothing)
      throw invalidRequest('The field "response" must be an object.', 'response');
    if (response !== undefined) pinned.checkCommon(response, 'response');
    const own = this.#sizeOf(event);
    context.add(own);
    const given = textField(event, 'event_id');
    const eventId = given ?? this.#makeId();
    await responses.ask(eventId, askedOf(response ?? {}, settings()));
    if (given === undefined) this.#ownIds.add(eventId);
    const fields = { ...restOf(event, 'response'), event_id: eventId };
    return JSON.stringify(response === undefined ? fields : { ...fields, response });
  }

  #append(event: RealtimeEvent): Passed | Promise<Passed> {
    const { responses, transcripts, context, settings, isDraining } = this.#dependencies;
    if (isDraining()) return undefined; // it could begin a response
    const now = settings();
    const ms = msOfBase64(textLength(event, 'audio'), now.inputFormat);
    context.add({ audioMs: ms });
    const { bytes } = event.object;
    transcripts.hear(ms);
    if (!now.respondsByItself && !transcripts.isOn) return bytes;
    const holds: Promise<void>[] = [];
    if (now.respondsByItself) holds.push(responses.prepare(askedOf({}, now)));
    holds.push(transcripts.prepare());
    return Promise.all(holds).then(() => bytes);
  }

  async #commit({ object }: RealtimeEvent): Promise<Passed> {
    const { transcripts } = this.#dependencies;
    await transcripts.prepare();
    transcripts.mark('commit');
    return object.bytes;
  }

  /** Media inside is not text: it is recognised by its length. */
  #sizeOf({ object: { bytes, opaque } }: RealtimeEvent): { bytes: number; audioMs: number; images: number } {
    const text = bytes.length - opaque.bytes;
    if (opaque.count === 0) return { bytes: text, audioMs: 0, images: 0 };
    if (bytes.includes('"input_image"')) return { bytes: text, audioMs: 0, images: opaque.count };
    return { bytes: text, audioMs: msOfBase64(opaque.bytes, this.#dependencies.settings().inputFormat), images: 0 };
  }

  #makeId(): string {
    return `tollgate_${++this.#made}`;
  }

  #refuseWhileDraining(): void {
    if (this.#dependencies.isDraining())
      throw new GatewayError('overloaded', { message: 'The gateway is stopping. Open another session.' });
  }
}

export function askedOf(response: JsonRecord, settings: SessionSettings): Asked {
  const limit = response['max_output_tokens'];
  return {
    // "inf" lifts the limit of the session.
    maxOutputTokens: limit === undefined ? settings.maxOutputTokens : asCount(limit),
    isOwnLimit: limit !== undefined,
    speaks: speaksAloud(response['output_modalities']) ?? settings.speaks,
  };
}

function fieldOf({ object }: RealtimeEvent, name: string): JsonRecord | undefined {
  return asRecord(readField(object, name));
}

/** All other fields: they have been read once, and are sent as they were read. */
function restOf({ object }: RealtimeEvent, name: string): JsonRecord {
  const fields: JsonRecord = {};
  for (const one of object.fields.keys()) if (one !== name) fields[one] = readField(object, one);
  return fields;
}
