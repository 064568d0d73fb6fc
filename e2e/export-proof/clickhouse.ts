// A ClickHouse server of the proof's own: started, killed and asked.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { waitUntil } from '../support/wait.ts';

const LOGIN = { user: 'tollgate', password: 'a password, with commas' };
const DATABASE = 'analytics';
/** On a machine that is busy with other work as well. */
const START_MS = 60_000;
/** A server that has just started may take a connection and leave it without an answer: it is asked again then. */
const ASK_MS = 5_000;

export class ClickHouse {
  readonly #program: string;
  readonly #folder: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  private constructor(program: string, folder: string, port: number) {
    this.#program = program;
    this.#folder = folder;
    this.#port = port;
  }

  static async make(program: string, folder: string): Promise<ClickHouse> {
    const [http, tcp] = [await freePort(), await freePort()];
    mkdirSync(join(folder, 'data'), { recursive: true });
    writeFileSync(join(folder, 'config.xml'), configOf(folder, { http, tcp }));
    writeFileSync(join(folder, 'users.xml'), USERS);
    const server = new ClickHouse(program, folder, http);
    await server.start();
    await server.ask(`CREATE DATABASE IF NOT EXISTS ${DATABASE}`, 'default');
    return server;
  }

  /** As TOLLGATE_EXPORT names it. */
  get address(): string {
    const { user, password } = LOGIN;
    return `clickhouse://${user}:${encodeURIComponent(password)}@127.0.0.1:${this.#port}/${DATABASE}`;
  }

  async start(): Promise<void> {
    await this.kill();
    const log = join(this.#folder, 'output.log');
    const child = spawn(this.#program, [`--config-file=${join(this.#folder, 'config.xml')}`], {
      stdio: ['ignore', 'ignore', 'ignore'],
      env: { ...process.env },
    });
    this.#child = child;
    const isUp = async (): Promise<boolean> => {
      if (child.exitCode !== null) throw new Error(`ClickHouse ended with ${child.exitCode}; see ${log}`);
      const answer = await fetch(`http://127.0.0.1:${this.#port}/`, { signal: AbortSignal.timeout(ASK_MS) }).catch(
        () => undefined,
      );
      return answer?.ok === true;
    };
    await waitUntil(isUp, 'ClickHouse does not answer', START_MS);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }

  /** Once more where the connection was one to the server before it was killed. */
  async ask(statement: string, database = DATABASE): Promise<string> {
    return this.#ask(statement, database).catch((error: unknown) => {
      if (error instanceof TypeError) return this.#ask(statement, database);
      throw error;
    });
  }

  /** For the end of this program, whatever ends it. */
  endNow(): void {
    this.#child?.kill('SIGKILL');
  }

  async #ask(statement: string, database: string): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}/?database=${database}`, {
      method: 'POST',
      headers: { 'x-clickhouse-user': LOGIN.user, 'x-clickhouse-key': LOGIN.password },
      body: statement,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text.trim();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function configOf(folder: string, { http, tcp }: { http: number; tcp: number }): string {
  return `<yandex>
  <logger><level>warning</level><log>${folder}/server.log</log><errorlog>${folder}/error.log</errorlog></logger>
  <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><listen_host>127.0.0.1</listen_host>
  <max_connections>64</max_connections><path>${folder}/data/</path><tmp_path>${folder}/data/tmp/</tmp_path>
  <users_config>${folder}/users.xml</users_config><default_profile>default</default_profile>
  <default_database>default</default_database><mark_cache_size>52428800</mark_cache_size><timezone>UTC</timezone>
</yandex>`;
}

const USERS = `<yandex>
  <profiles><default><max_memory_usage>500000000</max_memory_usage><max_threads>1</max_threads></default></profiles>
  <users><tollgate><password>${LOGIN.password}</password><networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile><quota>default</quota></tollgate>
    <default><password></password><networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile><quota>default</quota></default></users>
  <quotas><default/></quotas>
</yandex>`;
