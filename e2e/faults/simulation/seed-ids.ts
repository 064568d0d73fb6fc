// Ids are random, and rows that are otherwise equal come in the order of their ids: so their letters come from the seed too.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { randomLetters } from '../../../server/src/shared/ids.ts';
import { makeRandom } from '../random.ts';

/** Returns how to put real chance back. */
export function seedIds(seed: number): () => void {
  const real = crypto.randomFillSync;
  let random = makeRandom(seed);
  const drawn = { fills: 0 };
  const fill = (buffer: Buffer): Buffer => {
    drawn.fills++;
    for (let index = 0; index < buffer.length; index++) buffer[index] = random.whole(0, 255);
    return buffer;
  };
  replace(fill as typeof real);
  while (drawn.fills === 0) randomLetters(1); // what was drawn before is used up first
  random = makeRandom(seed + 1);
  return () => replace(real);
}

function replace(randomFillSync: typeof crypto.randomFillSync): void {
  crypto.randomFillSync = randomFillSync;
  syncBuiltinESMExports();
}
