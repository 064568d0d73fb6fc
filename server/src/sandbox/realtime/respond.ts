// One realtime response: its events in the order of the service, at the pace and with the faults that were asked for.
import { setTimeout as pause } from 'node:timers/promises';
import type { WireObject } from '../fields/refuse.ts';
import { speak } from '../media/voice.ts';
import type { Behaviour } from '../scenarios.ts';
import type { Answer } from '../text/compose-answer.ts';
import { spoilUsage } from '../text/spoil-usage.ts';
import { countTokens } from '../text/tokens.ts';
import type { Connection } from './connection.ts';
import type { Item, PromptTokens } from './conversation.ts';
import { audioMs } from './input-audio.ts';
import type { AudioFormat } from './session-settings.ts';

export type ResponsePlan = {
  id: string;
  conversationId: string | null;
  modality: 'text' | 'audio';
  maxOutputTokens: unknown;
  metadata: unknown;
  voice: unknown;
  format: AudioFormat;
  answer: Answer;
  prompt: PromptTokens;
  behaviour: Behaviour;
  /** Fires with the reason when the response is cancelled or the client has gone. */
  signal: AbortSignal;
  onItem(item: Item, ms: number): void;
};

type Made = { text: number; audio: number; output: Item[] };

/** Nobody waits for thirteen seconds of speech. */
const talkSpeed = 4;
const msPerTokenSaid = 50;

/** Ends the response in some way: by its last event, or as its breakage says. */
export async function respond(connection: Connection, plan: ResponsePlan): Promise<void> {
  const { behaviour, answer } = plan;
  if (behaviour.closeCode !== undefined) return connection.close(behaviour.closeCode, 'the sandbox was asked to close');
  const made: Made = { text: 0, audio: 0, output: [] };
  connection.send('response.created', { response: writeResponse(plan, made, 'in_progress', undefined) });
  try {
    if (answer.texts.length > 0) await sendMessage(connection, plan, made);
    for (const call of answer.calls) await sendCall(connection, plan, made, call);
  } catch (error) {
    if (error instanceof Broken) return;
    if (!plan.signal.aborted) throw error;
    return finish(connection, plan, made, { status: 'cancelled', reason: String(plan.signal.reason) });
  }
  if (behaviour.breakage?.kind === 'error-event')
    return finish(connection, plan, made, { status: 'failed', reason: 'server_error' });
  const isShort = answer.ending === 'length';
  finish(
    connection,
    plan,
    made,
    isShort ? { status: 'incomplete', reason: 'max_output_tokens' } : { status: 'completed' },
  );
}

/** The connection is not what it was: nothing more is said. */
class Broken extends Error {}

function finish(
  connection: Connection,
  plan: ResponsePlan,
  made: Made,
  end: { status: string; reason?: string },
): void {
  const { prompt, behaviour } = plan;
  const input = prompt.text + prompt.audio + prompt.image;
  const cached = Math.min(input, behaviour.cachedTokens ?? 0);
  const cachedText = Math.min(prompt.text, cached);
  const usage = {
    total_tokens: input + made.text + made.audio,
    input_tokens: input,
    output_tokens: made.text + made.audio,
    input_token_details: {
      text_tokens: prompt.text,
      audio_tokens: prompt.audio,
      image_tokens: prompt.image,
      cached_tokens: cached,
      cached_tokens_details: { text_tokens: cachedText, audio_tokens: cached - cachedText, image_tokens: 0 },
    },
    output_token_details: { text_tokens: made.text, audio_tokens: made.audio },
  };
  const response = writeResponse(plan, made, end.status, { usage: spoilUsage(usage, behaviour), ...end });
  for (let times = behaviour.doneTwice === true ? 2 : 1; times > 0; times--)
    connection.send('response.done', { response });
  connection.send('rate_limits.updated', {
    rate_limits: [{ name: 'requests', limit: 1000, remaining: 999, reset_seconds: 60 }],
  });
}

function writeResponse(
  plan: ResponsePlan,
  { output }: Made,
  status: string,
  end: { usage: object | undefined; reason?: string } | undefined,
): WireObject {
  const details =
    end === undefined ? null : { type: status, ...(end.reason !== undefined && detailOf(status, end.reason)) };
  return {
    object: 'realtime.response',
    id: plan.id,
    status,
    status_details: status === 'completed' ? null : details,
    output,
    conversation_id: plan.conversationId,
    output_modalities: [plan.modality],
    max_output_tokens: plan.maxOutputTokens,
    audio: { output: { format: plan.format, voice: plan.voice } },
    usage: end?.usage ?? null,
    metadata: plan.metadata ?? null,
  };
}

function detailOf(status: string, reason: string): object {
  return status === 'failed' ? { error: { type: reason, code: reason } } : { reason };
}

async function sendMessage(connection: Connection, plan: ResponsePlan, made: Made): Promise<void> {
  const { modality, answer } = plan;
  const id = connection.makeId('item');
  const at = { response_id: plan.id, item_id: id, output_index: made.output.length, content_index: 0 };
  const item = { id, object: 'realtime.item', type: 'message', role: 'assistant' };
  const isAudio = modality === 'audio';
  const write = (status: string, text: string): Item => {
    const content = isAudio ? { type: 'output_audio', transcript: text } : { type: 'output_text', text };
    return { ...item, status, content: status === 'in_progress' ? [] : [content] };
  };
  beginItem(connection, plan, made, write('in_progress', ''));
  const part = (text: string): object => (isAudio ? { type: 'audio', transcript: text } : { type: 'text', text });
  connection.send('response.content_part.added', { ...at, part: part('') });
  let [text, spokenMs] = ['', 0];
  try {
    for (const [index, piece] of answer.texts.entries()) {
      await obey(connection, plan, index);
      text += piece;
      made.text += 1;
      connection.send(`response.output_${isAudio ? 'audio_transcript' : 'text'}.delta`, { ...at, delta: piece });
      if (!isAudio) continue;
      const sound = speak(piece, talkSpeed);
      spokenMs += audioMs(sound.length, plan.format);
      made.audio = Math.ceil(spokenMs / msPerTokenSaid);
      connection.send('response.output_audio.delta', { ...at, delta: sound.toString('base64') });
    }
    await obey(connection, plan, answer.texts.length);
  } catch (error) {
    if (!(error instanceof Broken)) endItem(connection, plan, made, { item: write('incomplete', text), ms: spokenMs });
    throw error;
  }
  if (isAudio) {
    connection.send('response.output_audio.done', at);
    connection.send('response.output_audio_transcript.done', { ...at, transcript: text });
  } else connection.send('response.output_text.done', { ...at, text });
  connection.send('response.content_part.done', { ...at, part: part(text) });
  endItem(connection, plan, made, { item: write('completed', text), ms: spokenMs });
}

async function sendCall(
  connection: Connection,
  plan: ResponsePlan,
  made: Made,
  { name, pieces }: Answer['calls'][number],
): Promise<void> {
  const id = connection.makeId('item');
  const callId = connection.makeId('call');
  const item = { id, object: 'realtime.item', type: 'function_call', name, call_id: callId };
  beginItem(connection, plan, made, { ...item, status: 'in_progress', arguments: '' });
  const at = { response_id: plan.id, item_id: id, output_index: made.output.length, call_id: callId };
  made.text += countTokens(name);
  let written = '';
  for (const [index, piece] of pieces.entries()) {
    await obey(connection, plan, index);
    written += piece;
    made.text += 1;
    connection.send('response.function_call_arguments.delta', { ...at, delta: piece });
  }
  connection.send('response.function_call_arguments.done', { ...at, name, arguments: written });
  endItem(connection, plan, made, { item: { ...item, status: 'completed', arguments: written }, ms: 0 });
}

function beginItem(connection: Connection, plan: ResponsePlan, made: Made, item: Item): void {
  const at = { response_id: plan.id, output_index: made.output.length };
  connection.send('response.output_item.added', { ...at, item });
  if (plan.conversationId !== null) connection.send('conversation.item.added', { previous_item_id: null, item });
}

function endItem(
  connection: Connection,
  plan: ResponsePlan,
  made: Made,
  { item, ms }: { item: Item; ms: number },
): void {
  connection.send('response.output_item.done', { response_id: plan.id, output_index: made.output.length, item });
  if (plan.conversationId !== null) connection.send('conversation.item.done', { previous_item_id: null, item });
  made.output.push(item);
  plan.onItem(item, ms);
}

/** Before each piece: the pace, and the fault that is due there. */
async function obey(connection: Connection, { behaviour, signal }: ResponsePlan, index: number): Promise<void> {
  signal.throwIfAborted();
  const { breakage, paceMs = 0 } = behaviour;
  if (breakage?.after === index) {
    if (breakage.kind === 'cut') connection.cut();
    if (breakage.kind === 'end') connection.close(1000, '');
    if (breakage.kind === 'stall') await pause(2 ** 30, undefined, { signal }).catch(() => {});
    if (breakage.kind !== 'error-event') throw new Broken();
  }
  // Without a pace too the loop turns, so that a cancellation is heard.
  await pause(paceMs, undefined, { signal });
}
