// The directives of video tasks, as data: what a task comes to, how its polls go wrong, what its link does.
// They are read once, when the task is made, and hold for its whole life.

/** What a task comes to; `blocked` is a failure for reasons of content. */
export type TaskEnd = 'succeeded' | 'failed' | 'bare-failure' | 'blocked' | 'expired' | 'cancelled';

export type PollFault = {
  kind: 'limited' | 'error' | 'unauthorised' | 'missing' | 'garbage' | 'bad-gateway' | 'reset' | 'hang' | 'odd-state';
  /** How many polls it strikes, from the first; 0 for all. */
  polls: number;
};

export type LinkFault = { kind: 'fail'; status: number } | { kind: 'cut' | 'redirect' | 'ignore-range' };

export type VideoBehaviour = {
  taskMs?: number;
  taskPolls?: number;
  stuckIn?: 'queued' | 'running';
  taskEnd?: TaskEnd;
  /** What becomes of the answer to a submit that was accepted. */
  acceptedThen?: { kind: 'reset' | 'hang' } | { kind: 'fail'; status: number } | { kind: 'no-id' };
  inputBlocked?: boolean;
  /** The account of the key has no money left. */
  emptyAccount?: boolean;
  stateWords?: 'other';
  pollFault?: PollFault;
  omitUrl?: boolean;
  omitTotal?: boolean;
  usageAsText?: boolean;
  /** Length of each video given as input. */
  clipMs?: number;
  linkMs?: number;
  videoMs?: number;
  linkWaitMs?: number;
  linkFault?: LinkFault;
  callback?: 'twice' | 'forged';
};

type VideoScenario = {
  argument?: { name: string; fallback: number; least: number; most: number };
  behave(argument: number): VideoBehaviour;
};

const milliseconds = { name: 'MS', fallback: 1000, least: 0, most: 604_800_000 };
const status = { name: 'STATUS', fallback: 500, least: 400, most: 599 };
const polls = { name: 'N', fallback: 1, least: 0, most: 1_000_000 };

const ends = (taskEnd: TaskEnd): VideoScenario => ({ behave: () => ({ taskEnd }) });
const strikesPolls = (kind: PollFault['kind']): VideoScenario => ({
  argument: polls,
  behave: (count) => ({ pollFault: { kind, polls: count } }),
});

export const videoScenarios: Readonly<Record<string, VideoScenario>> = {
  'task-time': { argument: { ...milliseconds, fallback: 3000 }, behave: (taskMs) => ({ taskMs }) },
  'task-polls': { argument: { ...polls, fallback: 3, least: 1 }, behave: (taskPolls) => ({ taskPolls }) },
  'task-queued': { behave: () => ({ stuckIn: 'queued' }) },
  'task-running': { behave: () => ({ stuckIn: 'running' }) },
  'task-fails': ends('failed'),
  'task-fails-bare': ends('bare-failure'),
  'task-blocked': ends('blocked'),
  'task-expires': ends('expired'),
  'task-cancelled': ends('cancelled'),
  'task-words': { behave: () => ({ stateWords: 'other' }) },

  'lose-answer': { behave: () => ({ acceptedThen: { kind: 'reset' } }) },
  'accept-hang': { behave: () => ({ acceptedThen: { kind: 'hang' } }) },
  'accept-fail': { argument: status, behave: (code) => ({ acceptedThen: { kind: 'fail', status: code } }) },
  'no-id': { behave: () => ({ acceptedThen: { kind: 'no-id' } }) },
  'input-blocked': { behave: () => ({ inputBlocked: true }) },
  'no-balance': { behave: () => ({ emptyAccount: true }) },

  'poll-limited': strikesPolls('limited'),
  'poll-error': strikesPolls('error'),
  'poll-unauthorised': strikesPolls('unauthorised'),
  'poll-missing': strikesPolls('missing'),
  'poll-garbage': strikesPolls('garbage'),
  'poll-bad-gateway': strikesPolls('bad-gateway'),
  'poll-reset': strikesPolls('reset'),
  'poll-hang': strikesPolls('hang'),
  'poll-odd-state': strikesPolls('odd-state'),

  'no-url': { behave: () => ({ omitUrl: true }) },
  'no-total': { behave: () => ({ omitTotal: true }) },
  'usage-json': { behave: () => ({ usageAsText: true }) },
  clip: { argument: { ...milliseconds, fallback: 6620, least: 1, most: 3_600_000 }, behave: (clipMs) => ({ clipMs }) },

  'link-expires': { argument: milliseconds, behave: (linkMs) => ({ linkMs }) },
  'video-expires': { argument: milliseconds, behave: (videoMs) => ({ videoMs }) },
  'link-slow': { argument: milliseconds, behave: (linkWaitMs) => ({ linkWaitMs }) },
  'link-fail': { argument: status, behave: (code) => ({ linkFault: { kind: 'fail', status: code } }) },
  'link-cut': { behave: () => ({ linkFault: { kind: 'cut' } }) },
  'link-redirect': { behave: () => ({ linkFault: { kind: 'redirect' } }) },
  'link-no-range': { behave: () => ({ linkFault: { kind: 'ignore-range' } }) },

  'callback-twice': { behave: () => ({ callback: 'twice' }) },
  'callback-forged': { behave: () => ({ callback: 'forged' }) },
};
