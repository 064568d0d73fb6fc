// `npm run reconcile`: ends with 1 when the books do not agree, with 2 when there is nothing to check.
import { checkBooks } from './check-books.ts';
import { redactText } from '../telemetry/redact.ts';
import { ConfigError } from './settings/config-error.ts';

try {
  const { outcome, text, problem } = await checkBooks(process.env);
  process.stdout.write(text);
  if (problem !== undefined) process.stderr.write(`${problem}\n`);
  process.exitCode = outcome === 'agree' ? 0 : outcome === 'disagree' ? 1 : 2;
} catch (error) {
  const { message, name, code } = error as NodeJS.ErrnoException;
  const reason = redactText(message || code || name);
  process.stderr.write(`${error instanceof ConfigError ? message : `The books cannot be read: ${reason}`}\n`);
  process.exitCode = 2;
}
