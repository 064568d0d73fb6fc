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
}

const defaultModel = 'bench-upstream';

function readAddress(text: string, known: { key: string | undefined; model: string | undefined }): Address {
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
  };
}

export function readAddresses(given: {
  address: readonly string[];
  key: readonly string[];
  model: readonly string[];
}): Address[] {
  const { address, key, model } = given;
  if (key.length > address.length) throw new Error('--key: there are more keys than addresses');
  if (model.length > address.length) throw new Error('--model: there are more models than addresses');
  return address.map((text, index) => readAddress(text, { key: key[index], model: model[index] }));
}
