// Where to look for what an alert is about.
import type { Alert } from '#contract/alerts.ts';

export type SubjectPage =
  | { to: '/channels/$id' | '/accounts/$id'; id: string }
  | { to: '/models' }
  | { to: '/tasks' }
  | { to: '/settings' };

/** The page of what an alert is about. */
export function subjectPage({ subject_kind, subject }: Pick<Alert, 'subject_kind' | 'subject'>): SubjectPage {
  switch (subject_kind) {
    case 'channel':
      return { to: '/channels/$id', id: subject.split('/')[0] ?? '' }; // a key is named behind its channel
    case 'account':
      return { to: '/accounts/$id', id: subject };
    case 'model':
      return { to: '/models' };
    case 'tasks':
      return { to: '/tasks' };
    case 'store':
      return { to: '/settings' };
  }
}
