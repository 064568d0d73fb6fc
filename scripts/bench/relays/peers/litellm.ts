// LiteLLM's proxy from PyPI, a peer in Python, where there is a Python to run it. One worker, a master key, no database.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findFreePort } from '../../processes/free-port.ts';
import { rootOf } from '../../processes/started.ts';
import { chatPath, loopback, messagesPath, type Target } from '../../wire/chat-request.ts';
import type { Relay, Surroundings } from '../relay.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import { fetchPeer } from './fetch-peer.ts';
import { peer, type StartedPeer } from './peer.ts';

const version = '1.106.0';
const key = 'sk-bench';
const timeoutMs = 300_000;

function writeConfig(upstreamPort: number): string {
  const base = `http://127.0.0.1:${upstreamPort}`;
  const entry = (name: string, model: string, address: string): object => ({
    model_name: name,
    litellm_params: { model, api_base: address, api_key: 'k' },
  });
  // JSON is YAML.
  return JSON.stringify({
    model_list: [
      entry('bench-chat', 'openai/bench-upstream', `${base}/v1`),
      entry('bench-messages', 'anthropic/bench-upstream', base),
    ],
    litellm_settings: {
      telemetry: false,
      num_retries: 0,
      request_timeout: 60,
      // Else it asks for a messages client in a third protocol, which the canned upstream does not speak.
      use_chat_completions_url_for_anthropic_messages: true,
    },
    // One odd answer must not take the only upstream out for seconds.
    router_settings: { disable_cooldowns: true, num_retries: 0 },
    general_settings: { master_key: key },
  });
}

function readVersion(program: string, env: Record<string, string>): string {
  const words = execFileSync(program, ['--version'], { encoding: 'utf8', timeout: timeoutMs, env, stdio: 'pipe' });
  return /\d+\.\d+\.\S+/.exec(words)?.[0] ?? 'of an unknown version';
}

async function start(program: string, { processes, upstreamPort }: Surroundings): Promise<StartedPeer> {
  const port = await findFreePort();
  const config = join(processes.folder, 'litellm.yaml');
  writeFileSync(config, writeConfig(upstreamPort));
  const words = ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'];
  const env = {
    PATH: `${dirname(program)}:${process.env['PATH'] ?? ''}`,
    HOME: processes.folder,
    LITELLM_LOCAL_MODEL_COST_MAP: 'True', // otherwise it asks the network at every start
    LITELLM_TELEMETRY: 'False',
    LITELLM_LOG: 'ERROR',
    DISABLE_ADMIN_UI: 'True',
    NO_PROXY: '127.0.0.1',
  };
  const child = processes.start({ name: 'LiteLLM', core: 'relay', program, args: words, env, isGuest: true });
  const url = `http://127.0.0.1:${port}/health/liveliness`;
  await waitUntilAnswering({ name: 'LiteLLM', url, child, processes, timeoutMs });
  const headers = { authorization: `Bearer ${key}` };
  const target: Target = { host: loopback, port, protocol: 'chat', path: chatPath, headers, model: 'bench-chat' };
  return {
    pids: rootOf(child),
    target,
    translated: {
      chat: { ...target, model: 'bench-messages' },
      messages: { ...target, protocol: 'messages', path: messagesPath },
    },
    version: readVersion(program, env),
    does: 'checks a master key, computes costs in memory; no database, keeps nothing; accounting off; one worker',
  };
}

const packaged = {
  name: 'LiteLLM',
  version,
  size: '750 MB from PyPI, some minutes',
  mostSeconds: 600,
  commands: (folder: string) => [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin/pip'), 'install', '-q', '--disable-pip-version-check', '--only-binary=:all:'].concat([
      '--retries',
      '1',
      '--timeout',
      '20',
      `litellm[proxy]==${version}`,
    ]),
  ],
};

/** `given` is the command `litellm` of an installation. */
export function litellm(mayFetch: boolean, given?: string): Relay {
  return peer({
    name: 'LiteLLM',
    given,
    find: async ({ say }) => {
      const folder = await fetchPeer(packaged, { mayFetch, say });
      return typeof folder === 'string' ? join(folder, 'bin/litellm') : folder;
    },
    start,
  });
}
