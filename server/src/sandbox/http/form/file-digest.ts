// Takes a file in pieces and keeps only its length, its hash, its beginning and, for an MP3, its playing time.
import { createHash } from 'node:crypto';
import { createMp3Meter } from '../../media/mp3-meter.ts';
import type { FormFile } from './form.ts';

const headLimit = 64 * 1024;

export type FileDigest = {
  push(bytes: Buffer): void;
  finish(): Pick<FormFile, 'bytes' | 'sha256' | 'head' | 'mp3Seconds'>;
};

export function createFileDigest(): FileDigest {
  const hash = createHash('sha256');
  const meter = createMp3Meter();
  const head: Buffer[] = [];
  let headBytes = 0;
  let total = 0;
  return {
    push(bytes) {
      hash.update(bytes);
      meter.push(bytes);
      total += bytes.length;
      if (headBytes >= headLimit) return;
      // A copy: a piece of a network buffer would keep the whole of it alive.
      const piece = Buffer.from(bytes.subarray(0, headLimit - headBytes));
      head.push(piece);
      headBytes += piece.length;
    },
    finish: () => ({
      bytes: total,
      sha256: hash.digest('hex'),
      head: Buffer.concat(head),
      mp3Seconds: meter.seconds(),
    }),
  };
}
