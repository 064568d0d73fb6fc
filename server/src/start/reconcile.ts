// `npm run reconcile`: ends with 1 when the books do not agree, with 2 when there is nothing to check.
import { checkBooks } from './check-books.ts';
import { ConfigError } from './config.ts';

try {
  const { outcome, text, problem } = await checkBooks(process.env);
  process.stdout.write(text);
  if (problem !== undefined) process.stderr.write(`${problem}\n`);
  process.exitCode = outcome === 'agree' ? 0 : outcome === 'disagree' ? 1 : 2;
} catch (error) {
  const { message, stack } = error as Error;
  process.stderr.write(`${error instanceof ConfigError ? message : stack}\n`);
  process.exitCode = 2;
}
