// Time-based one-time passwords as RFC 6238 has them: SHA-1, six digits, steps of 30 seconds, which is what authenticators
// understand.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Clocks of telephones are not exact. */
const STEPS_AROUND = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function makeTotpSecret(): string {
  return writeBase32(randomBytes(SECRET_BYTES));
}

export function totpUri(secret: string, name: string): string {
  return `otpauth://totp/Tollgate:${encodeURIComponent(name)}?secret=${secret}&issuer=Tollgate`;
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', readBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f; // RFC 4226, section 5.3
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/** The time step whose code this is; undefined when it is wrong, too old, or was used before. */
export function findTotpStep(
  secret: string,
  code: string,
  { at, lastStep }: { at: number; lastStep: number },
): number | undefined {
  const now = Math.floor(at / STEP_SECONDS);
  for (let step = Math.max(lastStep + 1, now - STEPS_AROUND); step <= now + STEPS_AROUND; step++) {
    const right = Buffer.from(totpCode(secret, step));
    const given = Buffer.from(code);
    if (given.length === right.length && timingSafeEqual(given, right)) return step;
  }
  return undefined;
}

function writeBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
}

function readBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
