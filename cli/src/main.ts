// The command line: `tollgate <command>`. Exit code 0: done, 1: refused, 2: used wrongly (contract-2 11).
import { CommanderError } from 'commander';
import { makeProgram } from './program.ts';
import { Refused } from './refused.ts';

/** The gateway's own address is looked after where it is called: what is left is the database. */
const DATABASE_AWAY = /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|28P01|28000|3D000)$/;

// A reader that has seen enough (`| head`) ends the printing, not the work.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

try {
  await makeProgram(process.argv.slice(2)).parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    const { message, stack } = error as Error;
    process.stderr.write(`tollgate: ${isForPeople(error) ? message + adviceOn(error) : (stack ?? message)}\n`);
    process.exitCode = 1;
  }
}

function adviceOn(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string' || !DATABASE_AWAY.test(code)) return '';
  return '. See that the database runs, and that its address, user and password are right.';
}

/** By its name: the store is loaded by the commands that use it. What a disk, a network or a database says has a code. */
function isForPeople(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: unknown };
  return error instanceof Refused || name === 'StoreNewer' || name === 'ConfigError' || typeof code === 'string';
}
