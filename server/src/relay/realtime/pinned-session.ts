// What a client may say of its session: the model is the one that it was opened with, transcripts are written by models that
// its token may use, and what an upstream keeps is the channel owner's. Names of models are the upstream's on its side.
import type { Catalogue, ChannelFacts, Model } from '../../catalogue/catalogue.ts';
import type { Principal } from '../../access/principal.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { asRecord, asText, type JsonRecord } from '../../protocols/json/json-value.ts';
import { foldName } from '../../shared/fold-name.ts';

export interface PinnedDependencies {
  /** The public name of the session's model. */
  model: string;
  facts: ChannelFacts;
  /** Throws where the token may not use a model. */
  check(model: string): Promise<{ principal: Principal; catalogue: Catalogue; model: Model }>;
}

const OWNED = new Set(['model', 'audio', 'prompt', 'input', 'transcription']);
const TRANSCRIPT_UNITS = new Set<string>(['tokens', 'audio_second']);

export class PinnedSession {
  readonly #dependencies: PinnedDependencies;
  /** The upstream's names of models that write transcripts, as they were asked for. */
  readonly #names = new Map<string, string>();

  constructor(dependencies: PinnedDependencies) {
    this.#dependencies = dependencies;
  }

  /** The upstream's name of the session's model. */
  get upstreamModel(): string {
    const { facts, model } = this.#dependencies;
    return facts.models.get(model) ?? model;
  }

  /** Settings as they may be sent, and the model that is to write transcripts: null for none, undefined where it is not said. */
  async update(
    session: JsonRecord,
    hasTranscripts: boolean,
  ): Promise<{ session: JsonRecord; writes: string | null | undefined }> {
    this.checkCommon(session, 'session');
    const own = session['model'] === undefined ? session : { ...session, model: this.upstreamModel };
    const audio = asRecord(session['audio']);
    const input = asRecord(audio?.['input']);
    if (audio !== undefined) checkSpelling(audio, 'session.audio');
    if (input !== undefined) checkSpelling(input, 'session.audio.input');
    const asked = input?.['transcription'];
    if (asked === undefined) return { session: own, writes: undefined };
    const transcription = asRecord(asked);
    if (transcription === undefined) return { session: own, writes: null };
    checkSpelling(transcription, 'session.audio.input.transcription');
    const name = asText(transcription['model']);
    if (name === undefined && hasTranscripts) return { session: own, writes: undefined };
    const model = await this.#upstreamTranscription(name);
    const changed = { ...input, transcription: { ...transcription, model } };
    return { session: { ...own, audio: { ...audio, input: changed } }, writes: name };
  }

  /** Of a session and of a response alike. */
  checkCommon(fields: JsonRecord, at: 'session' | 'response'): void {
    checkSpelling(fields, at);
    const { model, facts } = this.#dependencies;
    const asked = fields['model'];
    if (asked !== undefined && asked !== model)
      throw invalidRequest(
        `The model of this session is "${model}". Open another session for another model.`,
        `${at}.model`,
      );
    const prompt = asText(asRecord(fields['prompt'])?.['id']);
    if (prompt !== undefined && facts.options.accountId === undefined && !facts.options.sharedObjects)
      throw new GatewayError('not_found', {
        message: `'${at}.prompt.id' names what does not exist or was not made by this account.`,
        param: `${at}.prompt.id`,
      });
  }

  async #upstreamTranscription(name: string | undefined): Promise<string> {
    const param = 'session.audio.input.transcription.model';
    if (name === undefined) throw invalidRequest('Name the model that writes the transcript.', param);
    const { model } = await this.#dependencies.check(name).catch((error: unknown) => {
      if (!(error instanceof GatewayError) || error.details.param !== 'model') throw error;
      throw new GatewayError(error.code, { message: error.message, param });
    });
    if (!TRANSCRIPT_UNITS.has(model.price?.unit ?? ''))
      throw invalidRequest(`The model "${name}" is not sold per token or per second of audio.`, param);
    const upstream = this.#dependencies.facts.models.get(name);
    if (upstream === undefined)
      throw new GatewayError('model_not_found', {
        message: `The provider of this session does not have the model "${name}".`,
        param,
      });
    this.#names.set(upstream, name);
    return upstream;
  }

  /** Settings as the upstream shows them, in the client's names. */
  show(session: JsonRecord): JsonRecord {
    const shown = session['model'] === undefined ? session : { ...session, model: this.#dependencies.model };
    const audio = asRecord(session['audio']);
    const input = asRecord(audio?.['input']);
    const transcription = asRecord(input?.['transcription']);
    const name = this.#names.get(asText(transcription?.['model']) ?? '');
    if (name === undefined) return shown;
    return { ...shown, audio: { ...audio, input: { ...input, transcription: { ...transcription, model: name } } } };
  }

  /** The public name of a model that writes transcripts. */
  nameOf(upstream: string): string | undefined {
    return this.#names.get(upstream);
  }
}

/** Some readers compare names without case: what they would take for another field is refused. */
function checkSpelling(fields: JsonRecord, at: string): void {
  const wrong = Object.keys(fields).find((name) => !OWNED.has(name) && OWNED.has(foldName(name)));
  if (wrong !== undefined) throw invalidRequest(`"${at}.${wrong}" is not spelled in small letters.`, `${at}.${wrong}`);
}
