import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mayBeMedia } from './media-signature.ts';

const isTaken = (bytes: Buffer): Promise<boolean> =>
  mayBeMedia({ length: bytes.length, read: async (start, end) => bytes.subarray(start, end) });

describe('mayBeMedia', () => {
  for (const [name, bytes] of Object.entries({
    Ogg: Buffer.from('OggS\0\x02'),
    FLAC: Buffer.from('fLaC\0\0\0\x22'),
    'tagged MP3': Buffer.from('ID3\x04\0'),
    Matroska: Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x01]),
    MP4: Buffer.from('\0\0\0\x18ftypM4A '),
    'a fragment of MP4': Buffer.from('\0\0\0\x18moof'),
    'QuickTime without its first box': Buffer.from('\0\0\0\x08wide\0\0\0\0mdat'),
    'a wave of 64 bits': Buffer.from('RF64\xff\xff\xff\xffWAVE'),
    AAC: Buffer.from([0xff, 0xf1, 0x50, 0x80]),
    'MP3 behind rubbish': Buffer.concat([Buffer.alloc(4_000, 'x'), Buffer.from([0xff, 0xfb, 0x90, 0x00])]),
  }))
    test(`takes ${name}`, async () => assert.equal(await isTaken(bytes), true));

  for (const [name, bytes] of Object.entries({
    nothing: Buffer.alloc(0),
    text: Buffer.alloc(1_000_000, 'x'),
    zeros: Buffer.alloc(1_000_000),
    'a picture': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    'set bits without a frame': Buffer.from([0xff, 0xd8, 0xff]),
    'a frame far inside': Buffer.concat([Buffer.alloc(8_000, 'x'), Buffer.from([0xff, 0xfb, 0x90, 0x00])]),
  }))
    test(`refuses ${name}`, async () => assert.equal(await isTaken(bytes), false));
});
