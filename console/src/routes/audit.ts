// /audit: the audit log.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: textSearch('operator', 'action', 'resource', 'from', 'to'),
  component: lazyRouteComponent(() => import('../features/audit/audit-screen.tsx'), 'AuditScreen'),
});
