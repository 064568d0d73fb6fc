// Gain: a new process gets the listening socket of an old one, so that an upgrade refuses and resets no connection. Removable
// alone: without it an upgrade on one machine has a gap. Messages over a unix socket of which one may carry a handle; Node has
// that for its own children only, so this uses the classes behind it (docs/decisions/2026-11-18-hand-over-of-the-port.md).
import type { Server, Socket } from 'node:net';

/** A handle of Node: what stands behind a server or socket. */
export interface NodeHandle {
  readonly fd: number;
  listen?(backlog: number): number;
  getsockname?(out: { port?: number }): number;
  close(): void;
}

interface PrivatePipe extends NodeHandle {
  open(fd: number): number;
  connect(request: object, path: string): number;
  readStart(): number;
  writeUtf8String(request: object, text: string, handle?: NodeHandle): number;
  onread: (piece: ArrayBuffer | undefined) => void;
  pendingHandle?: NodeHandle | null;
}

interface Bindings {
  pipe_wrap: {
    Pipe: new (type: number) => PrivatePipe;
    PipeConnectWrap: new () => { oncomplete(status: number): void };
    constants: { IPC: number };
  };
  stream_wrap: { WriteWrap: new () => { oncomplete(status: number): void } };
}

const MOST_UNREAD = 64 * 1024;

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- the only way to name what Node has and does not declare
  namespace NodeJS {
    interface Process {
      binding<Name extends keyof Bindings>(name: Name): Bindings[Name];
    }
  }
}

/** Of a server that listens. */
export function handleOf(server: Server): NodeHandle | undefined {
  return (server as unknown as { _handle?: NodeHandle | null })._handle ?? undefined;
}

export function portOf(handle: NodeHandle | undefined): number {
  const name: { port?: number } = {};
  handle?.getsockname?.(name);
  return name.port ?? 0;
}

export class HandlePipe {
  readonly #pipe: PrivatePipe;
  #unread = '';
  #handle: NodeHandle | undefined;
  #isOver = false;
  /** The handle that came with this message or before it. */
  onMessage: (message: unknown, handle: NodeHandle | undefined) => void = () => {};
  onEnd: () => void = () => {};

  private constructor(pipe: PrivatePipe) {
    this.#pipe = pipe;
    pipe.onread = (piece) => this.#read(piece);
  }

  /** Rejects when nobody listens there. */
  static connect(path: string): Promise<HandlePipe> {
    const { Pipe, PipeConnectWrap, constants } = process.binding('pipe_wrap');
    const pipe = new Pipe(constants.IPC);
    return new Promise((resolve, reject) => {
      const request = new PipeConnectWrap();
      request.oncomplete = (status) => {
        if (status === 0) return resolve(new HandlePipe(pipe));
        pipe.close();
        return reject(new Error(`nobody answers at ${path} (${status})`));
      };
      const failed = pipe.connect(request, path);
      if (failed !== 0 && failed !== undefined) request.oncomplete(failed);
    });
  }

  /** Of a socket that was accepted with `pauseOnConnect`: it is not to be used any more. */
  static accept(socket: Socket): HandlePipe {
    const { Pipe, constants } = process.binding('pipe_wrap');
    const pipe = new Pipe(constants.IPC);
    pipe.open((socket as unknown as { _handle: NodeHandle })._handle.fd);
    return new HandlePipe(pipe);
  }

  /** To be called once, when `onMessage` and `onEnd` are set. */
  read(): void {
    this.#pipe.readStart();
  }

  /** A message is small enough to be taken at once; an end of the other side is reported by onEnd. */
  send(message: object, handle?: NodeHandle): void {
    if (this.#isOver) return;
    const { WriteWrap } = process.binding('stream_wrap');
    const request = new WriteWrap();
    request.oncomplete = () => {};
    this.#pipe.writeUtf8String(request, `${JSON.stringify(message)}\n`, handle);
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#pipe.close();
  }

  #read(piece: ArrayBuffer | undefined): void {
    if (this.#isOver) return;
    this.#handle = this.#pipe.pendingHandle ?? this.#handle;
    this.#pipe.pendingHandle = null;
    if (piece === undefined || this.#unread.length > MOST_UNREAD) return this.#end();
    this.#unread += Buffer.from(piece).toString();
    const lines = this.#unread.split('\n');
    this.#unread = lines.pop() ?? '';
    for (const line of lines) {
      const message = parse(line);
      if (message === undefined) return this.#end();
      this.onMessage(message, this.#handle);
    }
  }

  #end(): void {
    this.close();
    this.onEnd();
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
