// Tokens that the simulated clouds give out for a credential, and the one service account that they know. A token is
// forgotten by nobody until its time is over, or until all are declared expired.
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

export type TokenState = 'good' | 'expired' | 'unknown';

export type ServiceAccountFile = Record<string, string>;

export type TokenIssuer = {
  give(now: number): { token: string; seconds: number };
  judge(token: string, now: number): TokenState;
  expireAll(): void;
  /** Its file, as the vendor's console gives it. */
  serviceAccount(): ServiceAccountFile;
  /** undefined until somebody has asked for the file. */
  publicKey(): KeyObject | undefined;
};

const seconds = 3600;
const mostTokens = 10_000;
const email = 'sandbox@sandbox-project.iam.gserviceaccount.com';

export function createTokenIssuer(): TokenIssuer {
  const tokens = new Map<string, number>();
  let keys: { file: ServiceAccountFile; publicKey: KeyObject } | undefined;
  const openKeys = (): NonNullable<typeof keys> => (keys ??= makeKeys());
  return {
    give(now) {
      if (tokens.size >= mostTokens) tokens.clear();
      const token = `sandbox-token-${randomBytes(24).toString('base64url')}`;
      tokens.set(token, now + seconds * 1000);
      return { token, seconds };
    },
    judge(token, now) {
      const end = tokens.get(token);
      if (end === undefined) return 'unknown';
      return now < end ? 'good' : 'expired';
    },
    expireAll() {
      for (const token of tokens.keys()) tokens.set(token, 0);
    },
    serviceAccount: () => openKeys().file,
    publicKey: () => keys?.publicKey,
  };
}

/** Made when first asked for: it takes a while. */
function makeKeys(): { file: ServiceAccountFile; publicKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const file = {
    type: 'service_account',
    project_id: 'sandbox-project',
    private_key_id: 'sandboxkey0001',
    private_key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    client_email: email,
    token_uri: 'https://oauth2.googleapis.com/token',
  };
  return { file, publicKey };
}
