// `start` runs the gateway in a process of its own (bin/tollgate.mjs); here it only has its help.
import { Command } from 'commander';

export function startCommand(): Command {
  return new Command('start')
    .description('run the gateway; settings come from the environment (docs/settings.md)')
    .option('--take-over', 'in the place of a gateway that runs with the same data folder and PORT, without a gap')
    .action(() => undefined);
}
