// Gives a fresh new-api its first user, prices, channels to the upstream and a token, through its own API.
const rootUser = { username: 'bench', password: 'bench-password' };
const openaiType = 1;
const anthropicType = 14;
const quota = 1_000_000_000;

interface Answer {
  success: boolean;
  message?: string;
  data?: unknown;
}

interface Prepared {
  key: string;
  version: string;
}

export async function setUpNewApi(address: string, upstreamPort: number): Promise<Prepared> {
  let token: string | undefined;
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${address}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer;
    if (!answer.success) throw new Error(`${method} /api${path} answered: ${answer.message ?? response.status}`);
    return answer.data;
  };
  await call('POST', '/setup', { ...rootUser, confirmPassword: rootUser.password });
  token = readField(await call('POST', '/user/login', rootUser), 'access_token');
  // It refuses requests on a machine whose cores are busy, which those of a benchmark are.
  await call('PUT', '/option/', { key: 'performance_setting.monitor_enabled', value: 'false' });
  // So low that the first user's quota lasts for a run.
  const ratios = { 'bench-upstream': 0.01, 'bench-messages': 0.01 };
  await call('PUT', '/option/', { key: 'ModelRatio', value: JSON.stringify(ratios) });
  const base = `http://127.0.0.1:${upstreamPort}`;
  const common = { key: 'k', base_url: base, group: 'default', status: 1, auto_ban: 0 };
  const messages = { models: 'bench-messages', model_mapping: JSON.stringify({ 'bench-messages': 'bench-upstream' }) };
  for (const channel of [
    { ...common, name: 'bench', type: openaiType, models: 'bench-upstream' },
    { ...common, name: 'bench messages', type: anthropicType, ...messages },
  ])
    await call('POST', '/channel/', { mode: 'single', channel });
  await call('POST', '/token/', { name: 'bench', expired_time: -1, unlimited_quota: false, remain_quota: quota });
  const tokens = readItems(await call('GET', '/token/?p=1&size=10'));
  const [id] = tokens.map((item) => readField(item, 'id'));
  const key = readField(await call('POST', `/token/${id}/key`), 'key');
  const version = readField(await call('GET', '/status'), 'version');
  return { key: key.startsWith('sk-') ? key : `sk-${key}`, version };
}

function readField(data: unknown, field: string): string {
  const value = new Map<string, unknown>(Object.entries(data ?? {})).get(field);
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`an answer of new-api has no "${field}"`);
  return String(value);
}

function readItems(data: unknown): unknown[] {
  const items = typeof data === 'object' && data !== null && 'items' in data ? data.items : data;
  return Array.isArray(items) ? items : [];
}
