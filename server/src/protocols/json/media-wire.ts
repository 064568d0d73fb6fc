// What images and audio have in common on the wire: JSON bodies changed only where the gateway owns them, answers that are
// one JSON object, and streams whose errors are typed events.
export { writeJson } from './write-json.ts';

/** The last event of a stream that broke, typed as the stream's other events are. */
export function typedErrorEvent(error: { message: string; type: string; param: string | null; code: string }): Buffer {
  return Buffer.from(`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`);
}
