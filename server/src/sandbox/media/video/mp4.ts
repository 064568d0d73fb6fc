// Puts pictures of H.264 into an MP4 file, its index before its data so that a player starts at once (ISO/IEC 14496-12 and -15).

export type Sample = { bytes: Buffer; ticks: number; isKey: boolean };

export type Film = {
  width: number;
  height: number;
  ticksPerSecond: number;
  sequence: Buffer;
  pictureParameters: Buffer;
  samples: readonly Sample[];
};

const boxHead = 8;
const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32);
const ftyp = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2avc1mp41', 'latin1'));

export function writeMp4(film: Film): Buffer {
  const data = Buffer.concat(film.samples.map(({ bytes }) => withLength(bytes)));
  // The index tells where the data begin, and its length does not hang on that number.
  const start = ftyp.length + writeIndex(film, 0).length + boxHead;
  return Buffer.concat([ftyp, writeIndex(film, start), box('mdat', data)]);
}

function writeIndex(film: Film, dataStart: number): Buffer {
  const { width, height, ticksPerSecond, samples } = film;
  const duration = samples.reduce((sum, { ticks }) => sum + ticks, 0);
  const [zero, none] = [u32(0), Buffer.alloc(0)];
  const times = [zero, zero, u32(ticksPerSecond), u32(duration)];
  const mvhd = full(
    'mvhd',
    0,
    ...times,
    u32(0x10000),
    u16(0x100),
    Buffer.alloc(10),
    ...matrix,
    Buffer.alloc(24),
    u32(2),
  );
  const position = [
    Buffer.alloc(8),
    u16(0),
    u16(0),
    u16(0),
    u16(0),
    ...matrix,
    u32(width * 0x10000),
    u32(height * 0x10000),
  ];
  const tkhd = full('tkhd', 3, zero, zero, u32(1), zero, u32(duration), ...position);
  const mdhd = full('mdhd', 0, ...times, u16(0x55c4), u16(0));
  const hdlr = full('hdlr', 0, zero, Buffer.from('vide'), Buffer.alloc(12), Buffer.from('sandbox\0'));
  const dinf = box('dinf', full('dref', 0, u32(1), full('url ', 1, none)));
  const minf = box('minf', full('vmhd', 1, Buffer.alloc(8)), dinf, writeSampleTable(film, dataStart));
  return box('moov', mvhd, box('trak', tkhd, box('mdia', mdhd, hdlr, minf)));
}

function writeSampleTable(film: Film, dataStart: number): Buffer {
  const { samples } = film;
  const keys = samples.flatMap(({ isKey }, index) => (isKey ? [u32(index + 1)] : []));
  return box(
    'stbl',
    full('stsd', 0, u32(1), writeSampleEntry(film)),
    full('stts', 0, u32(samples.length), ...samples.flatMap(({ ticks }) => [u32(1), u32(ticks)])),
    full('stss', 0, u32(keys.length), ...keys),
    full('stsc', 0, u32(1), u32(1), u32(samples.length), u32(1)),
    full('stsz', 0, u32(0), u32(samples.length), ...samples.map(({ bytes }) => u32(bytes.length + 4))),
    full('stco', 0, u32(1), u32(dataStart)),
  );
}

function writeSampleEntry({ width, height, sequence, pictureParameters }: Film): Buffer {
  const configuration = box(
    'avcC',
    Buffer.concat([Buffer.from([1]), sequence.subarray(1, 4), Buffer.from([0xff, 0xe1])]),
    u16(sequence.length),
    sequence,
    Buffer.from([1]),
    u16(pictureParameters.length),
    pictureParameters,
  );
  const size = [u16(width), u16(height), u32(0x480000), u32(0x480000), u32(0), u16(1)];
  const start = [Buffer.alloc(6), u16(1), Buffer.alloc(16)];
  return box('avc1', ...start, ...size, Buffer.alloc(32), u16(24), u16(0xffff), configuration);
}

function withLength(unit: Buffer): Buffer {
  return Buffer.concat([u32(unit.length), unit]);
}

function full(type: string, flags: number, ...content: Buffer[]): Buffer {
  return box(type, u32(flags), ...content);
}

function box(type: string, ...content: Buffer[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, boxHead);
  return Buffer.concat([u32(length), Buffer.from(type, 'latin1'), ...content], length);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
