// Passwords of operators, kept as argon2id. What computes it is loaded when it is first needed: most processes never do, and
// it brings an allocator of its own.
import { randomLetters } from '../../shared/ids.ts';

/** argon2id with the library's parameters: 19 MiB, two passes (OWASP's first choice). */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return hash(password);
}

let nobody: Promise<string> | undefined;

/** The same work when there is no such operator, so that time does not tell which names exist. */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2');
  nobody ??= hashPassword(randomLetters(40));
  const right = await verify(passwordHash ?? (await nobody), password);
  return right && passwordHash !== undefined;
}
