// Posts a task to its callback address at each change of state, as the real service does; but only to this machine itself, since
// a sandbox must not be a way to reach others.
import { BlockList, isIP } from 'node:net';
import type { Call } from '../protocol.ts';
import type { VideoStudio } from '../video/studio.ts';
import { planTask, type VideoTask } from '../video/task.ts';
import { writeTask } from './write-task.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

const answerLimitMs = 5000;
const triesAtEnd = 3;

export function sendCallbacks(call: Call, studio: VideoStudio, task: VideoTask, address: unknown): void {
  if (typeof address !== 'string' || !URL.canParse(address) || !mayCall(new URL(address), studio)) return;
  const { exchange, now } = call;
  const { startsAt, endsAt } = planTask(task);
  const times = task.behaviour.callback === 'twice' ? 2 : 1;
  const tell = (at: number, tries: number): void => {
    // By the plan's time, not the clock's: a timer may come a moment early.
    const body = JSON.stringify(writeTask(task, { exchange, studio, now: at }));
    for (let time = 0; time < times; time += 1) void post(address, body, { task, studio, tries });
  };
  studio.later(0, () => tell(now, 1));
  if (task.behaviour.callback === 'forged')
    studio.later(0, () => void post(address, forge(task), { task, studio, tries: 1 }));
  const ends = [
    { at: startsAt, tries: 1 },
    { at: endsAt, tries: triesAtEnd },
  ];
  for (const { at, tries } of ends) {
    // The service says nothing of tasks that were cancelled.
    studio.later(at - now, () => {
      if (task.cancelledAt === undefined && task.behaviour.taskEnd !== 'cancelled') tell(at, tries);
    });
  }
}

function mayCall(url: URL, { callbackHosts }: VideoStudio): boolean {
  const isNamed = callbackHosts?.some((host) => host === url.host || host === url.hostname) ?? true;
  return isNamed && isThisMachine(url);
}

function isThisMachine({ hostname, protocol }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return host === 'localhost' || (isIP(host) > 0 && loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'));
}

/** What anybody could send: the address bears no signature. */
function forge({ id, model }: VideoTask): string {
  const content = { video_url: 'http://169.254.169.254/forged.mp4' };
  return JSON.stringify({ id, model, status: 'succeeded', content, usage: { completion_tokens: 1, total_tokens: 1 } });
}

type Delivery = { task: VideoTask; studio: VideoStudio; tries: number };

async function post(address: string, body: string, { task, studio, tries }: Delivery): Promise<void> {
  for (let attempt = 0; attempt < tries && !studio.stopped.aborted; attempt += 1) {
    task.callbacks += 1;
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([studio.stopped, AbortSignal.timeout(answerLimitMs)]),
      });
      await response.body?.cancel();
      if (response.ok) return;
    } catch {
      // Not reached: the next attempt, if there is one.
    }
  }
}
