// The first step of a sign-in: where the browser goes, and what must be known again when it comes back.
import type { Issuer } from './issuer/issuer.ts';
import { type StartedSignIn, STARTED_SECONDS } from './started-sign-in.ts';

interface SignInRequest {
  redirectUri: string;
  to: string;
  replaces: string | null;
  at: number;
}

export async function beginSignIn(
  issuer: Issuer,
  { redirectUri, to, replaces, at }: SignInRequest,
): Promise<{ address: string; started: StartedSignIn }> {
  const { address, ...flow } = await issuer.start(redirectUri);
  return { address, started: { ...flow, redirectUri, to, replaces, expiresAt: at + STARTED_SECONDS } };
}
