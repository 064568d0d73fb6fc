// The settings of a realtime session as the service shows them, and what an update may change.
// https://platform.openai.com/docs/api-reference/realtime-sessions
import { isObject, type WireObject } from '../fields/refuse.ts';
import { Refusal } from '../refusal.ts';

export type AudioFormat = { type: string; rate?: number };

const pcm: AudioFormat = { type: 'audio/pcm', rate: 24_000 };
const serverVad = {
  type: 'server_vad',
  threshold: 0.5,
  prefix_padding_ms: 300,
  silence_duration_ms: 200,
  idle_timeout_ms: null,
  create_response: true,
  interrupt_response: true,
};
const known = new Set(
  'type model audio include instructions max_output_tokens output_modalities tools parallel_tool_calls prompt reasoning tool_choice tracing truncation'.split(
    ' ',
  ),
);
const knownOfInput = new Set(['format', 'noise_reduction', 'transcription', 'turn_detection']);
const knownOfOutput = new Set(['format', 'speed', 'voice']);

export function firstSettings(model: string): WireObject {
  return {
    type: 'realtime',
    object: 'realtime.session',
    model,
    output_modalities: ['audio'],
    instructions: 'You are the sandbox, a simulated model.',
    tools: [],
    tool_choice: 'auto',
    max_output_tokens: 'inf',
    tracing: null,
    truncation: 'auto',
    prompt: null,
    include: null,
    audio: {
      input: { format: pcm, transcription: null, noise_reduction: null, turn_detection: serverVad },
      output: { format: pcm, voice: 'marin', speed: 1 },
    },
  };
}

/** The settings after an update. Throws a Refusal that names the field. */
export function updateSettings(settings: WireObject, change: unknown): WireObject {
  if (!isObject(change)) throw missing('session');
  if (change['type'] === undefined) throw missing('session.type');
  if (change['type'] !== settings['type']) throw wrong('session.type', 'The type of a session cannot be changed.');
  if (change['model'] !== undefined && change['model'] !== settings['model'])
    throw wrong('session.model', 'Cannot update the model of a session.');
  refuseUnknown(change, known, 'session');
  checkModalities(change['output_modalities']);
  const audio = settings['audio'] as { input: WireObject; output: WireObject };
  return { ...settings, ...change, audio: updateAudio(audio, change['audio']) };
}

function updateAudio(audio: { input: WireObject; output: WireObject }, change: unknown): object {
  if (change === undefined) return audio;
  if (!isObject(change)) throw wrong('session.audio', 'Expected an object.');
  refuseUnknown(change, new Set(['input', 'output']), 'session.audio');
  const { input = {}, output = {} } = change;
  if (!isObject(input) || !isObject(output)) throw wrong('session.audio', 'Expected objects.');
  refuseUnknown(input, knownOfInput, 'session.audio.input');
  refuseUnknown(output, knownOfOutput, 'session.audio.output');
  const detection = input['turn_detection'];
  const full = isObject(detection) ? { ...serverVad, ...detection } : detection;
  const turnDetection = detection === undefined ? {} : { turn_detection: full };
  return { input: { ...audio.input, ...input, ...turnDetection }, output: { ...audio.output, ...output } };
}

export function checkModalities(modalities: unknown): void {
  if (modalities === undefined) return;
  const isOne = Array.isArray(modalities) && modalities.length === 1 && /^(?:text|audio)$/.test(String(modalities[0]));
  if (!isOne) throw wrong('session.output_modalities', "Supported combinations are: ['text'] and ['audio'].");
}

export function refuseUnknown(given: WireObject, names: ReadonlySet<string>, at: string): void {
  const unknown = Object.keys(given).find((name) => !names.has(name));
  if (unknown === undefined) return;
  const param = `${at}.${unknown}`;
  throw new Refusal({ status: 400, code: 'unknown_parameter', param, message: `Unknown parameter: '${param}'.` });
}

export function missing(param: string): Refusal {
  const message = `Missing required parameter: '${param}'.`;
  return new Refusal({ status: 400, code: 'missing_required_parameter', param, message });
}

export function wrong(param: string, message: string): Refusal {
  return new Refusal({ status: 400, code: 'invalid_value', param, message: `Invalid value: '${param}'. ${message}` });
}
