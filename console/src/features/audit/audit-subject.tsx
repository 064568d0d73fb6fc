// What a change was made to, by its name, with the way to its page.
import type { AuditEntry } from '#contract/audit.ts';
import { PageLink } from '../../components/page-link.tsx';
import type { Names } from '../../lib/names.ts';
import { subjectName } from './subject-name.ts';

const pages: Record<string, '/accounts/$id' | '/tokens/$id' | '/channels/$id' | '/models/$id' | '/requests/$id'> = {
  account: '/accounts/$id',
  webhook: '/accounts/$id',
  token: '/tokens/$id',
  channel: '/channels/$id',
  model: '/models/$id',
  request: '/requests/$id',
};
const lists: Record<
  string,
  '/groups' | '/flags' | '/operators' | '/models' | '/codes' | '/alerts' | '/accounts' | '/settings'
> = {
  group: '/groups',
  flag: '/flags',
  operator: '/operators',
  operator_key: '/operators',
  session: '/operators',
  price: '/models',
  code: '/codes',
  member: '/accounts',
  alert_rule: '/alerts',
  alert_sink: '/alerts',
  config_file: '/settings',
};

export function AuditSubject({ entry, names }: { entry: AuditEntry; names: Names }) {
  const { resource, resource_id: id, account_id: accountId } = entry;
  const name = subjectName(entry, names);
  // A guess at a name that nobody has is of nothing.
  if (id === '') return <span className="cut">{name}</span>;
  // Members are on the page of their account, also where they signed in.
  const page = accountId === null ? pages[resource] : '/accounts/$id';
  if (page !== undefined)
    return (
      <PageLink to={page} params={{ id: accountId ?? id }} className="cut" title={id}>
        {name}
      </PageLink>
    );
  const list = lists[resource];
  if (list !== undefined)
    return (
      <PageLink to={list} className="cut" title={id}>
        {name}
      </PageLink>
    );
  return <span className="cut">{name}</span>;
}
