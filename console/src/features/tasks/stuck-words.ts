// Why a live task needs somebody, for people.
import type { Task } from '#contract/tasks.ts';

export const stuckWords: Record<NonNullable<Task['stuck']>, string> = {
  submit_unknown: 'Whether the provider took it is not known; the gateway looks for it and never sends it twice',
  not_answering: 'The provider does not answer questions about it',
  late: 'It has been running for more than an hour',
};
