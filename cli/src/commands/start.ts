// `start` runs the gateway in a process of its own (bin/tollgate.mjs); here it only has its help.
import { Command } from 'commander';

export function startCommand(): Command {
  return new Command('start')
    .description('run the gateway; settings come from the environment (README)')
    .action(() => undefined);
}
