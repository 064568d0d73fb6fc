// Past requests for pictures of charts: written into the log of a gateway on SQLite, which adds them to its sums itself.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { firstIdAt } from '../../../server/src/shared/ids.ts';
import type { TestGateway } from '../../support/gateway.ts';
import type { Filled } from './fill-gateway.ts';

const HOURS = 30 * 24;

export function addHistory({ dataFolder }: TestGateway, { account, token, channel }: Filled): void {
  const database = new DatabaseSync(join(dataFolder, 'tollgate.db'), { timeout: 10_000 });
  const insert = database.prepare(
    `insert into requests (id, account_id, token_id, group_name, endpoint, model, channel_id, status, error_code, attempts,
      first_byte_ms, total_ms, usage, usage_source, charge, mode, created_at)
     values (?, ?, ?, 'default', '/v1/chat/completions', ?, ?, ?, ?, '[]', ?, ?, ?, 'upstream', ?, 'live', ?)`,
  );
  const now = Math.floor(Date.now() / 1000);
  const chance = pseudoRandom(7);
  database.exec('begin immediate');
  for (let hour = HOURS; hour > 0; hour--) {
    const start = now - (hour + 1) * 3600;
    const ofDay = new Date(start * 1000).getUTCHours();
    const busy = 1 + Math.round(14 * Math.max(0, Math.sin(((ofDay - 5) / 24) * 2 * Math.PI)) + 4 * chance());
    for (let count = 0; count < busy; count++) {
      const at = start + Math.round(3599 * chance());
      const failed = chance() < 0.04;
      const model = chance() < 0.62 ? 'orion-large' : chance() < 0.7 ? 'orion-mini' : 'sandbox-image';
      const [input, output] = [Math.round(200 + 1800 * chance()), Math.round(50 + 700 * chance())];
      const nano = failed ? 0 : Math.round((model === 'orion-large' ? 25_000 : 2_000) * input + 60_000 * output);
      const first = Math.round(180 + 420 * chance());
      insert.run(
        `${firstIdAt('req', at * 1000)}${String(count).padStart(16, '0')}`,
        account.id,
        token.id,
        model,
        channel.id,
        failed ? 502 : 200,
        failed ? 'upstream_error' : null,
        failed ? null : first,
        first + Math.round(2200 * chance()),
        failed ? null : JSON.stringify({ input_tokens: input, output_tokens: output }),
        nano,
        at,
      );
    }
  }
  database.exec('commit');
  database.close();
}

/** The same pictures every time. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
