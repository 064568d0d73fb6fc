// Event streams as Amazon frames them: length, headers, payload, and a checksum for the prelude and one for the whole.
// https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html#streaming-event-stream
import { crc32 } from 'node:zlib';
import type { Framing } from '../http/framing.ts';

const textType = 7;
const overhead = 16;

function writeHeader(name: string, value: string): Buffer {
  const length = Buffer.alloc(3);
  length.writeUInt8(textType, 0);
  length.writeUInt16BE(Buffer.byteLength(value), 1);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), length, Buffer.from(value)]);
}

function writeFrame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => writeHeader(name, value)));
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(head.length + body.length + overhead, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const whole = Buffer.concat([prelude, head, body]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(whole), 0);
  return Buffer.concat([whole, checksum]);
}

/** `wrap` makes the name and the payload of an event; an exception is one whose name ends so. */
export function frameAsEventStream(wrap: (piece: { event?: string; data: string }) => [string, string]): Framing {
  return {
    contentType: 'application/vnd.amazon.eventstream',
    frame(piece) {
      if (piece.event?.endsWith('Exception') === true) return writeException(piece.event, piece.data);
      const [name, payload] = wrap(piece);
      const headers = { ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' };
      return writeFrame(headers, payload);
    },
    writeEnd: () => '',
    damage(bytes) {
      const damaged = Buffer.from(bytes);
      const at = damaged.length - 6;
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      return damaged;
    },
  };
}

function writeException(name: string, payload: string): Buffer {
  const headers = { ':exception-type': name, ':content-type': 'application/json', ':message-type': 'exception' };
  return writeFrame(headers, payload);
}
