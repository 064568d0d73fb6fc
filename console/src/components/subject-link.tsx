// A link to what an alert is about.
import type { ReactNode } from 'react';
import type { SubjectPage } from '../lib/subject-page.ts';
import { PageLink } from './page-link.tsx';

export function SubjectLink({ page, children }: { page: SubjectPage; children: ReactNode }) {
  if (page.to === '/models' || page.to === '/settings')
    return (
      <PageLink to={page.to} className="long">
        {children}
      </PageLink>
    );
  if (page.to === '/tasks')
    return (
      <PageLink to={page.to} search={{ stuck: 'true' }} className="long">
        {children}
      </PageLink>
    );
  return (
    <PageLink to={page.to} params={{ id: page.id }} className="long">
      {children}
    </PageLink>
  );
}
