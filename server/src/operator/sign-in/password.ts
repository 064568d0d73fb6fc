// Passwords of operators, kept as argon2id.
import { hash, verify } from '@node-rs/argon2';
import { randomLetters } from '../../shared/ids.ts';

/** argon2id with the library's parameters: 19 MiB, two passes (OWASP's first choice). */
export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

let nobody: Promise<string> | undefined;

/** The same work when there is no such operator, so that time does not tell which names exist. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  nobody ??= hash(randomLetters(40));
  const right = await verify(passwordHash ?? (await nobody), password);
  return right && passwordHash !== undefined;
}
