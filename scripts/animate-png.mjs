// Makes one moving picture (APNG) of several pictures of the same size. Their pixels stay as they are, compressed as well as can
// be. A program that knows no animations shows the first one.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** `frames`: `{ png, milliseconds }`, all with one size and colour type. It repeats for good. */
export function animatePng(frames) {
  const read = frames.map(({ png }) => readChunks(png));
  const head = read[0].find(({ type }) => type === 'IHDR').data;
  for (const chunks of read)
    if (!chunks.find(({ type }) => type === 'IHDR').data.equals(head))
      throw new Error('the pictures differ in size or colours');
  const out = [SIGNATURE, chunk('IHDR', head), chunk('acTL', numbers(frames.length, 0))];
  let sequence = 0;
  for (const [index, chunks] of read.entries()) {
    out.push(chunk('fcTL', frameControl(sequence++, head, frames[index].milliseconds)));
    const pixels = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])));
    const data = deflateSync(inflateSync(pixels), { level: 9, memLevel: 9 });
    out.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(sequence++), data])));
  }
  return Buffer.concat([...out, chunk('IEND', Buffer.alloc(0))]);
}

export function readChunks(png) {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('this is no PNG');
  const chunks = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data, crc: png.readUInt32BE(at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function frameControl(sequence, head, milliseconds) {
  const control = Buffer.alloc(26); // at the left top, nothing blended, nothing disposed of
  control.writeUInt32BE(sequence, 0);
  head.copy(control, 4, 0, 8);
  control.writeUInt16BE(milliseconds, 20);
  control.writeUInt16BE(1000, 22);
  return control;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))]);
}

function numbers(...values) {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}
