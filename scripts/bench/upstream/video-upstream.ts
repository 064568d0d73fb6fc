// A provider of videos whose tasks are done at times that the row chooses: it remembers when each was first set to be done.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface VideoTask {
  id: string;
  /** Date.now() from which on it is done; Infinity = not yet. */
  doneAt: number;
  /** When it was first set to be done. */
  seenAt: number | undefined;
}

export interface VideoUpstream {
  baseUrl: string;
  tasks: VideoTask[];
  polls(): number;
  stop(): void;
}

export async function startVideoUpstream(): Promise<VideoUpstream> {
  const tasks: VideoTask[] = [];
  const byId = new Map<string, VideoTask>();
  let polls = 0;
  const answer = (request: IncomingMessage): object => {
    if (request.method === 'POST') {
      const task: VideoTask = { id: `cgt-${tasks.length}`, doneAt: Infinity, seenAt: undefined };
      tasks.push(task);
      byId.set(task.id, task);
      return { id: task.id };
    }
    polls += 1;
    const task = byId.get(request.url?.split('/').at(-1) ?? '');
    if (task === undefined) return { items: [] };
    if (Date.now() < task.doneAt) return { id: task.id, status: 'running' };
    task.seenAt ??= Date.now();
    const content = { video_url: 'https://videos.example/a.mp4' };
    return { id: task.id, status: 'succeeded', content, usage: { total_tokens: 1000 } };
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(request)));
    });
  }).listen({ port: 0, host: '127.0.0.1', backlog: 2048 });
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`,
    tasks,
    polls: () => polls,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
