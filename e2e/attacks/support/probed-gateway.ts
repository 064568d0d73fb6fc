// A gateway in a process of its own whose event loop is watched, with accounts that have money and accounts that have none.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { startSandbox } from '../../../server/src/sandbox/server.ts';
import { fillDataFolder } from '../../../server/src/testing/templates.ts';
import { callOperator, OPERATOR_KEY } from '../../support/gateway.ts';
import { startProcess } from '../../support/process.ts';
import { assertReconciled } from '../attacked-gateway.ts';

const PROBE = new URL('./loop-probe.ts', import.meta.url).href;

export interface ProbedGateway {
  address: string;
  pid: number;
  /** Of a token without money, of one with next to none, and of one with plenty. */
  broke: string;
  poor: string;
  rich: string;
  operator<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Makes a model with this price, served by a channel of this provider. */
  addModel(name: string, provider: string, price: object): Promise<void>;
  /** The longest stretch of processor time of the event loop during the work, in milliseconds. */
  longestSlice(work: () => Promise<unknown>): Promise<number>;
}

export async function startProbedGateway(settings: Record<string, string> = {}): Promise<ProbedGateway> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-probed-'));
  await fillDataFolder(dataFolder);
  const file = join(dataFolder, 'slices.txt');
  writeFileSync(file, '');
  const upstream = await startSandbox();
  const started = await startProcess({
    NODE_OPTIONS: `--import=${PROBE}`,
    LOOP_PROBE_FILE: file,
    TOLLGATE_DATA_DIR: dataFolder,
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    TOLLGATE_SECRET: 'a secret of the probed gateway',
    TOLLGATE_SANDBOX: 'off',
    LOG_LEVEL: 'warn',
    ...settings,
  });
  after(async () => {
    await started.stop();
    await upstream.stop();
    try {
      await assertReconciled({ dataFolder });
    } finally {
      rmSync(dataFolder, { recursive: true, force: true });
    }
  });
  const { address } = started;
  const operator = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    callOperator<T>(address, { method, path, body });
  const tokenWith = async (name: string, credit?: string): Promise<string> => {
    const account = await operator<{ id: string }>('POST', '/accounts', { name });
    if (credit !== undefined)
      await operator('POST', `/accounts/${account.id}/credits`, { amount: credit, note: 'test' });
    const { key } = await operator<{ key: string }>('POST', '/tokens', { name, account_id: account.id });
    return key;
  };
  return {
    address,
    pid: started.child.pid ?? 0,
    broke: await tokenWith('broke'),
    poor: await tokenWith('poor', '0.000000001'),
    rich: await tokenWith('rich', '1000000'),
    operator,
    async addModel(name, provider, price) {
      await operator('PUT', `/models/${name}`, { price });
      await operator('POST', '/channels', {
        name: `channel of ${name}`,
        provider,
        base_url: upstream.baseUrl(provider as 'openai'),
        keys: ['upstream-key-0001'],
        models: { [name]: name },
      });
    },
    async longestSlice(work) {
      await pause();
      writeFileSync(file, '');
      await work();
      await pause();
      return Math.max(0, ...readFileSync(file, 'utf8').trim().split('\n').map(Number));
    },
  };
}

/** What is left of the work before. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
