// Why a live task needs somebody, for people.
import type { Task } from '#contract/tasks.ts';
import { t } from '../../i18n/t.ts';

export const stuckLabels: Record<NonNullable<Task['stuck']>, string> = {
  submit_unknown: t('Whether the provider took it is not known; the gateway looks for it and never sends it twice'),
  not_answering: t('The provider does not answer questions about it'),
  late: t('It has been running for more than an hour'),
};
