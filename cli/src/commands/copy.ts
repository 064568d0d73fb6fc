// backup, restore and move work on the data that the settings name (TOLLGATE_DATA_DIR, DATABASE_URL), without a gateway.
import { Command } from 'commander';
import type * as copyData from '../../../server/src/start/copy-data.ts';
import { printJson } from '../output.ts';
import { requireWritable } from '../output-file.ts';
import { Progress } from '../progress.ts';
import { Refused } from '../refused.ts';

interface Options {
  to?: string;
  force?: boolean;
  json?: boolean;
}

interface Outcome {
  tables: number;
  rows: number;
  files: number;
  books: Record<string, string>;
}

export function copyCommands(): Command[] {
  return [backup(), restore(), move()];
}

function backup(): Command {
  return new Command('backup')
    .description(
      'write all data to a file, consistent, beside a running gateway or not; the master secret is not inside',
    )
    .argument('<file>', 'file to write')
    .option('--force', 'replace the file')
    .action((file: string, options: Options) =>
      run(options, async ({ settings, name, copy, onProgress, onStage }) => {
        await requireWritable(file);
        const result = await copy.backUp(settings, file, {
          storeName: name,
          force: options.force === true,
          onProgress,
          onStage,
        });
        return { result, facts: { file, store: name }, after: `${SECRET_APART}Written to ${file}.\n` };
      }),
    );
}

function restore(): Command {
  return new Command('restore')
    .description('fill the store with what a backup holds; the gateway must be stopped')
    .argument('<file>', 'file that backup wrote')
    .option('--force', 'replace data that is there')
    .action((file: string, options: Options) =>
      run(options, async ({ settings, name, copy, onProgress, onStage }) => {
        const { head, ...result } = await copy.restore(settings, file, {
          force: options.force === true,
          onProgress,
          onStage,
        });
        const from = `Restored to ${name}; the backup is of ${head.made_at}, from ${head.store}.\n`;
        return { result, facts: { file, store: name, made_at: head.made_at }, after: `${SECRET_NEEDED}${from}` };
      }),
    );
}

function move(): Command {
  return new Command('move')
    .description('copy all data to another store, such as from SQLite to PostgreSQL; the gateway must be stopped')
    .requiredOption('--to <address>', 'postgres://..., or a folder for SQLite')
    .option('--force', 'replace data that is there')
    .action((options: Options) =>
      run(options, async ({ settings, name, copy, nameOf, onProgress, onStage }) => {
        const to = options.to ?? '';
        const isAddress = /^postgres(?:ql)?:\/\//.test(to);
        if (!isAddress && /^[a-z][a-z\d+.-]*:\/\//i.test(to))
          throw new Refused(`--to must be postgres://... or a folder, not ${to.split(':')[0]}://...`);
        const target = isAddress
          ? { databaseUrl: to, dataFolder: settings.dataFolder }
          : { databaseUrl: undefined, dataFolder: to };
        const result = await copy.move(settings, target, { force: options.force === true, onProgress, onStage });
        const next = isAddress
          ? 'Start the gateway with DATABASE_URL set to it; keep the data folder, which has the master secret and files.\n'
          : 'Start the gateway with TOLLGATE_DATA_DIR set to it, without DATABASE_URL; copy `secret`, `files` and `videos` there.\n';
        return {
          result,
          facts: { from: name, to: nameOf(target) },
          after: `Moved from ${name} to ${nameOf(target)}.\n${next}`,
        };
      }),
    );
}

const SECRET_APART =
  'The master secret is not inside: keep TOLLGATE_SECRET, or the file `secret` of the data folder, apart.\n';
const SECRET_NEEDED =
  'The master secret is not in a backup: start with the TOLLGATE_SECRET, or the file `secret`, that the data was made with.\n';

interface Tools {
  settings: { databaseUrl: string | undefined; dataFolder: string };
  /** Of the store, without user and password. */
  name: string;
  nameOf(settings: Tools['settings']): string;
  copy: typeof copyData;
  onProgress(done: number, all: number): void;
  onStage(words: string): void;
}

async function run(
  { json }: Options,
  work: (tools: Tools) => Promise<{ result: Outcome; facts: Record<string, string>; after: string }>,
): Promise<void> {
  const copy = await import('../../../server/src/start/copy-data.ts');
  const { nameOf, sumsOf } = await import('../../../server/src/start/check-books.ts');
  const { readConfig } = await import('../../../server/src/start/config.ts');
  const { ConfigError } = await import('../../../server/src/start/settings/config-error.ts');
  const { BackupBroken } = await import('../../../server/src/store/copy/backup-file.ts');
  const { StoreMissing } = await import('../../../server/src/store/migrations/migrate.ts');
  const { GatewayRuns } = await import('../../../server/src/start/require-stopped.ts');
  const progress = new Progress('rows');
  try {
    const { databaseUrl, dataFolder } = readConfig(process.env);
    const settings = { databaseUrl, dataFolder };
    const onProgress = (done: number, all: number): void =>
      progress.show(all === 0 ? 100 : (done * 100) / all, `${done} of ${all}`);
    const onStage = (words: string): void => progress.say(words);
    const name = nameOf(settings);
    const { result, facts, after } = await work({ settings, name, nameOf, copy, onProgress, onStage });
    progress.end();
    if (json === true) return printJson({ ...facts, ...result });
    process.stdout.write(
      `${result.rows} rows of ${result.tables} tables, ${result.files} files\n` +
        `sums: ${sumsOf(result.books)}; the books agree\n${after}`,
    );
    return undefined;
  } catch (error) {
    const isOurs = [copy.CopyRefused, GatewayRuns, ConfigError, BackupBroken, StoreMissing].some(
      (kind) => error instanceof kind,
    );
    throw isOurs ? new Refused((error as Error).message) : error;
  }
}
