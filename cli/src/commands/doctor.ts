// `doctor`: looks at settings, store, writes, clock, Redis, sinks of the export, port and channels, and
// says what to do about what is wrong.
import { Command } from 'commander';
import type { Finding } from '../doctor/checks.ts';
import { printJson } from '../output.ts';
import { Refused } from '../refused.ts';

const MARKS = { ok: 'ok  ', warning: 'warn', failure: 'FAIL' } as const;

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check settings, store, writes, clock, Redis, export, port and channels')
    .action(async (options: { json?: boolean }) => {
      const { checks } = await import('../doctor/checks.ts'); // much of the server, which other commands do without
      const findings: Finding[] = [];
      for (const check of checks) {
        const found = await check();
        findings.push(...found);
        if (options.json !== true) for (const one of found) process.stdout.write(describe(one));
      }
      if (options.json === true) printJson({ findings });
      const failed = findings.filter(({ state }) => state === 'failure').length;
      if (failed > 0) throw new Refused(`${failed} of ${findings.length} checks failed.`);
    });
}

function describe({ check, state, detail, advice }: Finding): string {
  return `${MARKS[state]}  ${check.padEnd(9)} ${detail}\n${advice === undefined ? '' : `      ${' '.repeat(9)} -> ${advice}\n`}`;
}
