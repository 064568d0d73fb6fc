// Encrypts secrets at rest (AES-256-GCM). Here because the operator API, which writes upstream keys, routing, which reads
// them, and access, which keeps answers, need it and none may import another.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface SecretBox {
  seal(plain: string): string;
  /** Throws when the text was sealed with another master secret or changed since. */
  open(sealed: string): string;
  /** The same for bytes. */
  sealBytes(plain: Uint8Array): Buffer;
  openBytes(sealed: Uint8Array): Buffer;
}

const VERSION = 'v1';

export function makeSecretBox(masterSecret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', masterSecret, '', 'tollgate secret box', 32));
  const sealBytes = (plain: Uint8Array): Buffer => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const body = [cipher.update(plain), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...body]);
  };
  const openBytes = (sealed: Uint8Array): Buffer => {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
    decipher.setAuthTag(sealed.subarray(12, 28));
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
  };
  return {
    sealBytes,
    openBytes,
    seal: (plain) => `${VERSION}.${sealBytes(Buffer.from(plain, 'utf8')).toString('base64url')}`,
    open(sealed) {
      const [version, text = ''] = sealed.split('.');
      if (version !== VERSION) throw new Error('sealed secret of an unknown version');
      return openBytes(Buffer.from(text, 'base64url')).toString('utf8');
    },
  };
}
