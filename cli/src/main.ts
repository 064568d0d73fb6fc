// The command line: `tollgate <command>`. Exit code 0: done, 1: refused, 2: used wrongly (contract-2 11).
import { CommanderError } from 'commander';
import { makeProgram } from './program.ts';
import { Refused } from './refused.ts';

try {
  await makeProgram().parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    const { message, stack } = error as Error;
    process.stderr.write(`tollgate: ${error instanceof Refused ? message : (stack ?? message)}\n`);
    process.exitCode = 1;
  }
}
