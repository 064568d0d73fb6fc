// `change-secret` seals all that is sealed with another master secret. The gateway must be stopped.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { printJson } from '../output.ts';
import { Refused } from '../refused.ts';

interface Options {
  to?: string;
  json?: boolean;
}

const LEAST_CHARACTERS = 16;

export function changeSecretCommand(): Command {
  return new Command('change-secret')
    .description('seal upstream keys and all else with another master secret; the gateway must be stopped')
    .option('--to <file>', 'file with the new secret; without it one is made, and put into the data folder')
    .action(async ({ to, json }: Options) => {
      const { changeSecret } = await import('../../../server/src/start/change-secret.ts');
      const { readConfig } = await import('../../../server/src/start/config.ts');
      const { ConfigError } = await import('../../../server/src/start/settings/config-error.ts');
      const { GatewayRuns } = await import('../../../server/src/start/require-stopped.ts');
      const { StoreMissing } = await import('../../../server/src/store/migrations/migrate.ts');
      try {
        const { databaseUrl, dataFolder, secret } = readConfig(process.env);
        if (secret !== undefined && to === undefined)
          throw new Refused(
            'TOLLGATE_SECRET is set: name a file with the new secret, --to <file>, and set it after that.',
          );
        const given = to === undefined ? undefined : readNew(to);
        const { values, file } = await changeSecret({ databaseUrl, dataFolder, secret }, given);
        if (json === true) return printJson({ values, file: file ?? null });
        const where = file === undefined ? 'Set TOLLGATE_SECRET to it before the next start' : `It is in ${file}`;
        process.stdout.write(
          `${values} values are sealed with the new secret. ${where}; backups need the secret of their time.\n`,
        );
        return undefined;
      } catch (error) {
        const isOurs = [ConfigError, GatewayRuns, StoreMissing].some((kind) => error instanceof kind);
        throw isOurs ? new Refused((error as Error).message) : error;
      }
    });
}

function readNew(file: string): string {
  let secret: string;
  try {
    secret = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Refused(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (secret.length < LEAST_CHARACTERS) throw new Refused(`${file} must hold at least ${LEAST_CHARACTERS} characters.`);
  return secret;
}
