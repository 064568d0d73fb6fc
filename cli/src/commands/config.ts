// plan, apply and export: the configuration as a file (contract-2 11). What they work with is loaded by them: YAML alone costs
// as much as the rest of a short command.
import { Command } from 'commander';
import { ask } from '../ask.ts';
import type { MadeKey } from '../config/apply-plan.ts';
import { printJson } from '../output.ts';

interface Options {
  file: string;
  prune?: boolean;
  yes?: boolean;
  json?: boolean;
}

export function configCommands(): Command[] {
  return [plan(), apply(), exportCommand()];
}

function fileCommand(name: string, description: string): Command {
  return new Command(name)
    .description(`${description} (needs TOLLGATE_OPERATOR_KEY)`)
    .requiredOption('-f, --file <file>', 'configuration file, YAML or JSON')
    .option('--prune', 'remove what the file made and no longer names');
}

function plan(): Command {
  return fileCommand('plan', 'show what apply would change').action(async ({ file, prune, json }: Options) => {
    const { describePlan, makePlan } = await import('../config/make-plan.ts');
    const planned = await makePlan(file, { prune: prune === true });
    if (json === true) printJson({ changes: planned.changes, stays: planned.stays });
    else process.stdout.write(describePlan(planned));
  });
}

function apply(): Command {
  return fileCommand('apply', 'make the gateway as the file says')
    .option('--yes', 'do not ask')
    .action(async ({ file, prune, yes, json }: Options) => {
      const { applyPlan } = await import('../config/apply-plan.ts');
      const { describePlan, makePlan } = await import('../config/make-plan.ts');
      const planned = await makePlan(file, { prune: prune === true });
      if (json !== true) process.stdout.write(describePlan(planned));
      if (planned.changes.length > 0 && yes !== true) await ask('Apply these changes?');
      const keys: MadeKey[] = [];
      const show = ({ token, key }: MadeKey, stream: NodeJS.WritableStream = process.stdout): void =>
        void stream.write(`key of token ${token}, shown only now: ${key}\n`);
      const onKey = json === true ? (made: MadeKey) => void keys.push(made) : (made: MadeKey) => show(made);
      const { notes } = await applyPlan(planned, { onKey }).catch((error: unknown) => {
        for (const made of keys) show(made, process.stderr); // they would be lost with the answer
        throw error;
      });
      if (json === true) return printJson({ changes: planned.changes, stays: planned.stays, keys, notes });
      for (const note of notes) process.stdout.write(`${note}\n`);
      process.stdout.write(planned.changes.length === 0 ? 'Nothing to do.\n' : 'Done.\n');
      return undefined;
    });
}

function exportCommand(): Command {
  return new Command('export')
    .description('print the configuration as a file, without secrets (needs TOLLGATE_OPERATOR_KEY)')
    .option('--schema', 'print the JSON schema of the file instead, for editors')
    .action(async ({ json, schema }: { json?: boolean; schema?: boolean }) => {
      if (schema === true) return printJson(await schemaOfFile());
      const { exportConfig } = await import('../config/export-config.ts');
      const { stringify } = await import('yaml');
      const { file, leftOut } = await exportConfig();
      for (const sentence of leftOut) process.stderr.write(`${sentence}\n`);
      if (json === true) return printJson(file);
      process.stdout.write(stringify(file, { lineWidth: 0 }));
      return undefined;
    });
}

async function schemaOfFile(): Promise<unknown> {
  const { z } = await import('zod');
  const { configFile } = await import('#contract/config-file.ts');
  return z.toJSONSchema(configFile, { io: 'input', unrepresentable: 'any' });
}
