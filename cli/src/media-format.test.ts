import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOfBytes, formatOfEnding } from './media-format.ts';

test('the ending of a file and its first bytes tell the format of a picture or sound', () => {
  const endings = ['a.PNG', 'a.jpg', 'a.jpeg', 'a.webp', 'a.mp3', 'a.ogg', 'a.bin', 'a'];
  assert.deepEqual(endings.map(formatOfEnding), ['png', 'jpeg', 'jpeg', 'webp', 'mp3', 'opus', undefined, undefined]);
  for (const [format, head] of [
    ['png', '\x89PNG\r\n'],
    ['jpeg', '\xff\xd8\xff\xe0'],
    ['webp', 'RIFF\x00\n\x00\x00WEBP'],
    ['wav', 'RIFF\x00\n\x00\x00WAVE'],
    ['mp3', 'ID3\x04'],
    ['mp3', '\xff\xfb\x90'],
    ['mp3', '\xff\xf3\x40'],
    ['aac', '\xff\xf1\x50'],
    ['flac', 'fLaC'],
    ['opus', 'OggS'],
    [undefined, '\x00\x01\x00\x02'],
  ] as const)
    assert.equal(formatOfBytes(Buffer.from(head, 'latin1')), format, head);
});
