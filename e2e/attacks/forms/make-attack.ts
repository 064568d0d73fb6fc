// Makes one mutated form from a number: a cheap form that the caller has paid for, a dear one hidden in it, and a few tricks.
// The same number makes the same form.
import { makeRandom, type Random } from '../../faults/random.ts';
import {
  contentTypeTricks,
  dispositionTricks,
  headerTricks,
  nameTricks,
  ODD_BYTES,
  valueTricks,
} from './attack-words.ts';
import { bodyOf, partOf, type PartWords, type WireForm, type WirePart } from './wire-form.ts';

export interface AttackKind {
  path: string;
  /** The cheap form, and what the dear one has instead or besides. */
  cheap: PartWords[];
  dear: PartWords[];
}

export const DEAR_MODEL = 'dear';

export function makeAttack(seed: number, kind: AttackKind): WireForm {
  const random = makeRandom(seed);
  const cheap = kind.cheap.map(partOf);
  const dear = kind.dear.map(partOf);
  const tricks = random.chance(0.3) ? 2 : random.whole(0, 1);
  for (let done = 0; done < tricks; done++) mutateParts(random, cheap);
  const hidden = random.chance(0.5);
  const contentType = random.chance(hidden ? 0.5 : 0.1) ? pick(random, contentTypeTricks) : 'boundary=BB';
  const body = hidden ? hide(random, { cheap, dear }) : endOddly(random, bodyOf('BB', cheap));
  const types = [`multipart/form-data; ${random.chance(0.05) ? insertByte(random, contentType) : contentType}`];
  if (random.chance(0.03)) types.push('multipart/form-data; boundary=CC');
  const isOdd = random.chance(0.05);
  return { contentTypes: types.map(sendable), body: isOdd ? insertIntoHead(random, body) : body };
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.whole(0, from.length - 1)] as T;
}

type Mutation = (random: Random, parts: WirePart[]) => void;

const mutations: readonly Mutation[] = [
  (random, parts) => {
    const value = pick(random, valueTricks);
    const name = Buffer.from(pick(random, nameTricks)).toString('latin1');
    const part = partOf({ name, value: Buffer.from(value, 'latin1') });
    if (random.chance(0.2)) part.headers.push(pick(random, headerTricks));
    parts.splice(random.whole(0, parts.length), 0, part);
  },
  (random, parts) => {
    const part = pick(random, parts);
    part.headers[0] += pick(random, dispositionTricks);
  },
  (random, parts) => {
    const part = pick(random, parts);
    part.headers.splice(random.whole(0, part.headers.length), 0, pick(random, headerTricks));
  },
  (random, parts) => {
    const part = pick(random, parts);
    const trick = Buffer.from(pick(random, valueTricks), 'latin1');
    part.value = Buffer.concat(random.chance(0.5) ? [part.value, trick] : [trick, part.value]);
  },
  (random, parts) => {
    parts.splice(random.whole(0, parts.length), 0, { ...pick(random, parts) });
  },
  (random, parts) => {
    parts.splice(random.whole(0, parts.length - 1), 1);
  },
];

function mutateParts(random: Random, parts: WirePart[]): void {
  if (parts.length > 0) pick(random, mutations)(random, parts);
}

/** Puts the dear form before, behind or into the cheap one, or the other way round. */
function hide(random: Random, { cheap, dear }: { cheap: WirePart[]; dear: WirePart[] }): Buffer {
  const [inner, outer] = [bodyOf('CC', dear), bodyOf('BB', cheap)];
  const within = partOf({ name: 'image[]', value: inner, filename: 'a.png', type: 'image/png' });
  switch (random.whole(0, 5)) {
    case 0:
      return Buffer.concat([inner, outer]);
    case 1:
      return Buffer.concat([outer, inner]);
    case 2:
      return bodyOf('BB', [...cheap, within]);
    case 3:
      return bodyOf('BB', [within, ...cheap]);
    case 4:
      return bodyOf('CC', [partOf({ name: 'x', value: Buffer.concat([Buffer.from('\r\n'), outer]) }), ...dear]);
    default:
      return Buffer.concat([bodyOf('CC', dear, ''), Buffer.from('\r\n'), outer, Buffer.from('\r\n--CC--\r\n')]);
  }
}

function endOddly(random: Random, body: Buffer): Buffer {
  switch (random.whole(0, 11)) {
    case 0:
      return Buffer.concat([Buffer.from('A preamble.\r\n'), body]);
    case 1:
      return Buffer.concat([body, Buffer.from('An epilogue.\r\n')]);
    case 2:
      return body.subarray(0, -4);
    case 3:
      return Buffer.from(body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
    case 4:
      return Buffer.concat([body, bodyOf('BB', [partOf({ name: 'n', value: '10' })])]);
    case 5:
      return Buffer.from(body.toString('latin1').replace('--BB\r\n', '--BB \r\n'), 'latin1');
    default:
      return body;
  }
}

function insertByte(random: Random, text: string): string {
  const at = random.whole(0, text.length);
  const odd = ODD_BYTES[random.whole(0, ODD_BYTES.length - 1)] ?? '';
  return text.slice(0, at) + odd + text.slice(random.chance(0.5) ? at : at + 1);
}

/** Somewhere in the first bytes, where boundaries and headers stand. */
function insertIntoHead(random: Random, body: Buffer): Buffer {
  const end = Math.min(400, body.length);
  const head = insertByte(random, body.toString('latin1', 0, end));
  return Buffer.concat([Buffer.from(head, 'latin1'), body.subarray(end)]);
}

/** What a client cannot put into a head without ending it. */
function sendable(contentType: string): string {
  return contentType.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
}
