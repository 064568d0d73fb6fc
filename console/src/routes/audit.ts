// /audit: the audit log.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: textSearch('operator', 'action', 'resource', 'from', 'to'),
  component: lazyPage(() => import('../features/audit/audit-screen.tsx'), 'AuditScreen'),
});
