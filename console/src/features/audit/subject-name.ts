// The name by which people know what a change was made to.
import { alertRuleName, alertRules } from '#contract/alert-rules.ts';
import type { AuditEntry } from '#contract/audit.ts';
import { known, t } from '../../i18n/t.ts';
import type { Names } from '../../lib/names.ts';

type Subject = Pick<AuditEntry, 'resource' | 'resource_id' | 'detail'>;

export function subjectName({ resource, resource_id: id, detail }: Subject, names: Names): string {
  if (id === '') return typeof detail['address'] === 'string' ? detail['address'] : '—';
  if (resource === 'alert_rule') {
    const rule = alertRuleName.safeParse(id);
    return rule.success ? known(alertRules[rule.data].title) : id;
  }
  // Codes made together are one entry, under the id of the first.
  const { count } = detail;
  if (resource === 'code' && typeof count === 'number' && count > 1) return t('{count} codes', { count });
  return names.get(id) ?? id;
}
