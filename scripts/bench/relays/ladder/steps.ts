// The ladder: what a Tollgate costs with parts of its work left out, so that the cost of each part shows. The parts are
// taken out from outside, around the product's own code; the gateway that people run has no such switch.
import { fileURLToPath } from 'node:url';
import type { Relay } from '../relay.ts';
import { startTollgate } from '../start-tollgate.ts';

/** In the order in which parts are added; the next one after the last is Tollgate itself. */
export const steps = ['bare', '+auth', '+money'] as const;
export type Step = (typeof steps)[number];

export const stepWords: Record<Step, string> = {
  bare: 'reads, prices, routes and relays; no token check, no hold or settle, no request log, access log or metrics',
  '+auth': 'bare and the token check',
  '+money': '+auth, hold and settle, durable as always; no request log, access log or metrics',
};

export function ladderStep(step: Step): Relay {
  const serverFile = fileURLToPath(new URL('main.ts', import.meta.url));
  const command = { name: step, role: 'step', serverFile, args: [serverFile, step], does: stepWords[step] } as const;
  return { name: step, start: async (around) => (await startTollgate(command, around)).relay };
}
