// Gateways that somebody else started, as given on the command line. Only plain HTTP: the benchmark speaks over bare
// sockets, and TLS would be measured instead of the gateway.

export interface Address {
  name: string;
  host: string;
  port: number;
  /** '' or '/prefix', in front of /v1. */
  prefix: string;
  key: string | undefined;
  model: string;
  /** What it does for each request, in words: authentication, accounting, log. */
  does: string | undefined;
  /** Its processes, its database's among them; none where they were not given. */
  pids: readonly number[];
}

const defaultModel = 'bench-upstream';

function readAddress(
  text: string,
  known: { [field in 'key' | 'model' | 'does' | 'pid']: string | undefined },
): Address {
  const [, name, given = text] = /^([^=:/]+)=(.+)$/.exec(text) ?? [];
  const url = URL.parse(given);
  if (url === null || url.protocol !== 'http:') {
    throw new Error(`--address takes http://HOST:PORT or NAME=http://HOST:PORT, not "${text}"`);
  }
  return {
    name: name ?? url.host,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 80 : Number(url.port),
    prefix: url.pathname.replace(/\/+$/, '').replace(/\/v1$/, ''),
    key: known.key,
    model: known.model ?? defaultModel,
    does: known.does,
    pids: readPids(known.pid),
  };
}

function readPids(text: string | undefined): number[] {
  const words = (text ?? '').split(',').map((word) => word.trim());
  const wrong = words.find((word) => !/^[1-9]\d*$/.test(word));
  if (text === undefined || text === '') return [];
  if (wrong !== undefined) throw new Error(`--pid takes process ids such as 4711 or 4711,4712, not "${text}"`);
  return words.map(Number);
}

export function readAddresses(given: {
  address: readonly string[];
  key: readonly string[];
  model: readonly string[];
  does: readonly string[];
  pid: readonly string[];
}): Address[] {
  const { address, key, model, does, pid } = given;
  if (key.length > address.length) throw new Error('--key: there are more keys than addresses');
  if (model.length > address.length) throw new Error('--model: there are more models than addresses');
  if (does.length > address.length) throw new Error('--does: there are more texts than addresses');
  if (pid.length > address.length) throw new Error('--pid: there are more process ids than addresses');
  return address.map((text, index) =>
    readAddress(text, { key: key[index], model: model[index], does: does[index], pid: pid[index] }),
  );
}
