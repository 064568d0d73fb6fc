// Realtime sessions: events over a WebSocket, of which the relay reads what decides about money and model.
export { type AudioFormat, msOfBase64, PCM, readFormat, tokensHeard, tokensSaid } from './audio-length.ts';
export { errorEvent } from './error-event.ts';
export { readClientEvent, readServerEvent, type RealtimeEvent, textField, textLength } from './read-event.ts';
export { FIRST_SETTINGS, readSettings, type SessionSettings, speaksAloud } from './session-settings.ts';
export {
  type CachedMedia,
  readResponseUsage,
  readTranscriptUsage,
  type ResponseUsage,
  type TranscriptUsage,
} from './usage.ts';
