// What an authenticator shows at a time step. Only tests import this folder.
import { Secret, TOTP } from 'otpauth';

export function totpCode(secret: string, step: number): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: step * 30_000 });
}
