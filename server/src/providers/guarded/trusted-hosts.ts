// Hosts on private addresses that an operator has named: `host` for every port, or `host:port`.
export interface HostAndPort {
  host: string;
  port: number;
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

/** The name in brackets' clothes off, as `TOLLGATE_PRIVATE_HOSTS` writes it. */
export function hostAndPort(url: URL): HostAndPort {
  const port = url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
  return { host: bare(url.hostname), port };
}

export class TrustedHosts {
  readonly #entries: { host: string; port: number | undefined }[];

  constructor(entries: readonly string[]) {
    this.#entries = entries.map((entry) => {
      const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
      return { host: bare(bracketed ?? plain ?? entry), port: port === undefined ? undefined : Number(port) };
    });
  }

  has({ host, port }: HostAndPort): boolean {
    return this.#entries.some((entry) => entry.host === host && (entry.port === undefined || entry.port === port));
  }
}

function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
