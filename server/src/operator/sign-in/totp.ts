// Time-based one-time passwords (RFC 6238) by the otpauth library: SHA-1, six digits, steps of 30 seconds, which is what
// authenticators understand. What is ours is that every code is good for one use.
import { Secret, TOTP } from 'otpauth';

const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
const CODE = /^[0-9]{6}$/;
/** Clocks of telephones are not exact. */
const STEPS_AROUND = 1;

export function makeTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

export function totpUri(secret: string, name: string): string {
  return passwordsOf(secret, name).toString();
}

/** The time step whose code this is; undefined when it is wrong, too old, or was used before. */
export function findTotpStep(
  secret: string,
  code: string,
  { at, lastStep }: { at: number; lastStep: number },
): number | undefined {
  if (!CODE.test(code)) return undefined; // the library throws at six characters of more than six bytes
  const around = passwordsOf(secret).validate({ token: code, timestamp: at * 1000, window: STEPS_AROUND });
  if (around === null) return undefined;
  const step = Math.floor(at / STEP_SECONDS) + around;
  return step > lastStep ? step : undefined;
}

function passwordsOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Tollgate',
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
  });
}
