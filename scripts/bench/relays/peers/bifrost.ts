// Bifrost, a peer in Go, from a program that the operator has. One virtual key with a budget, its request log in SQLite.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../processes/free-port.ts';
import { rootOf } from '../../processes/started.ts';
import { chatPath, loopback, type Target } from '../../wire/chat-request.ts';
import type { Relay, Surroundings } from '../relay.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import { notGiven, peer, type StartedPeer } from './peer.ts';

const key = 'sk-bf-bench';
const timeoutMs = 60_000;

export function writeConfig(folder: string, upstreamPort: number): string {
  const base = `http://127.0.0.1:${upstreamPort}`;
  const provider = {
    keys: [{ name: 'bench', value: 'k', models: ['*'], weight: 1 }],
    network_config: { base_url: base, allow_private_network: true, max_retries: 0 },
    concurrency_and_buffer_size: { concurrency: 2000, buffer_size: 10_000 },
  };
  const providers = ['openai', 'anthropic'];
  return JSON.stringify({
    client: { enable_logging: true, enforce_auth_on_inference: true, initial_pool_size: 1000 },
    // Prices from files: it does not start where it cannot get those of its maker.
    framework: {
      pricing: {
        pricing_url: `file://${join(folder, 'prices.json')}`,
        model_parameters_url: `file://${join(folder, 'empty.json')}`,
        mcp_library_url: `file://${join(folder, 'empty.json')}`,
      },
    },
    config_store: { enabled: true, type: 'sqlite', config: { path: join(folder, 'config.db') } },
    logs_store: { enabled: true, type: 'sqlite', config: { path: join(folder, 'logs.db') } },
    providers: Object.fromEntries(providers.map((name) => [name, provider])),
    governance: {
      budgets: [{ id: 'bench', max_limit: 1_000_000, reset_duration: '1M', virtual_key_id: 'bench' }],
      virtual_keys: [
        {
          id: 'bench',
          name: 'bench',
          value: key,
          is_active: true,
          provider_configs: providers.map((name) => ({
            provider: name,
            weight: 1,
            allowed_models: ['*'],
            key_ids: ['*'],
          })),
        },
      ],
    },
  });
}

/** Per token, in dollars. */
function writePrices(): string {
  const price = { mode: 'chat', input_cost_per_token: 0.000_002_5, output_cost_per_token: 0.000_01 };
  const entry = (provider: string) => [`${provider}/bench-upstream`, { ...price, provider }] as const;
  return JSON.stringify(Object.fromEntries(['openai', 'anthropic'].map(entry)));
}

async function start(program: string, { processes, upstreamPort }: Surroundings): Promise<StartedPeer> {
  const port = await findFreePort();
  const folder = join(processes.folder, 'bifrost');
  mkdirSync(folder);
  writeFileSync(join(folder, 'config.json'), writeConfig(folder, upstreamPort));
  writeFileSync(join(folder, 'prices.json'), writePrices());
  writeFileSync(join(folder, 'empty.json'), '{}');
  const words = ['-app-dir', folder, '-host', '127.0.0.1', '-port', String(port), '-log-level', 'error'];
  const env = { PATH: process.env['PATH'] ?? '', HOME: processes.folder };
  const child = processes.start({ name: 'Bifrost', core: 'relay', program, args: words, env, isGuest: true });
  const address = `http://127.0.0.1:${port}`;
  await waitUntilAnswering({ name: 'Bifrost', url: `${address}/health`, child, processes, timeoutMs });
  const asked = await fetch(`${address}/api/version`);
  const headers = { 'x-bf-vk': key };
  const target: Target = {
    host: loopback,
    port,
    protocol: 'chat',
    path: chatPath,
    headers,
    model: 'openai/bench-upstream',
  };
  return {
    pids: rootOf(child),
    target,
    translated: { chat: { ...target, model: 'anthropic/bench-upstream' } },
    version: readVersion(await asked.text()),
    does: 'checks a virtual key; accounting on, but a budget in memory that is written now and then; request log to SQLite in batches',
  };
}

function readVersion(text: string): string {
  return /\d+\.\d+\.\d[\w.-]*/.exec(text)?.[0] ?? 'of an unknown version';
}

export function bifrost(given: string | undefined): Relay {
  return peer({ name: 'Bifrost', given, find: notGiven('Bifrost'), start });
}
