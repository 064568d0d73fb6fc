// Carries a plan out, change by change. Each change is whole; a run that was cut off is finished by the next.
import type { ConfigChange } from '#contract/config-plan.ts';
import { makeAccessToken } from '../../../server/src/access/access-token.ts';
import { callOperator } from '../connection.ts';
import { Progress } from '../progress.ts';
import { Refused } from '../refused.ts';
import type { Plan } from './make-plan.ts';
import { PATH_OF } from './read-current.ts';
import { readReference, readSecret } from './read-secret.ts';

type Row = Record<string, unknown>;

/** Put whole under their name. */
const PUT_KINDS: ReadonlySet<string> = new Set(['groups', 'flags', 'models', 'alert_rules']);

export interface MadeKey {
  token: string;
  key: string;
}

/** `onKey` gets each new key before its token is made: a run that is cut off then leaves no token whose key nobody has. */
export async function applyPlan(
  { config, current, changes, left }: Plan,
  { onKey }: { onKey(made: MadeKey): void },
): Promise<{ notes: string[] }> {
  const notes: string[] = [];
  const progress = changes.length > 20 ? new Progress('applying') : undefined;
  const accountIds = new Map(Object.entries(current.rows.accounts).map(([name, row]) => [name, String(row['id'])]));
  for (const [at, change] of changes.entries()) {
    const { kind, name, action } = change;
    const there = current.rows[kind][name];
    if (action === 'remove' || action === 'reset') {
      const note = await remove(change, there);
      if (note !== undefined) notes.push(note);
    } else {
      const fields = sent(change, { given: config.given[kind][name] ?? {}, accountIds });
      if (kind === 'tokens' && there === undefined && fields['key'] === undefined) {
        const { key } = makeAccessToken();
        fields['key'] = key;
        onKey({ token: name, key });
      }
      const made = await save(change, fields, there).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        const done = at === 0 ? 'Nothing is applied yet' : `${at} of ${changes.length} changes are applied`;
        throw new Refused(
          `${config.placeOf([kind, name])}: ${error.message}\n${done}; mend the file and apply it again.`,
        );
      });
      if (kind === 'accounts' && there === undefined) accountIds.set(name, String(made['id']));
      if (kind === 'alert_sinks' && typeof made['secret'] === 'string')
        notes.push(`the secret of the sink "${name}", shown only now: ${made['secret']}`);
    }
    progress?.show(((at + 1) * 100) / changes.length, `${kind} ${name}`);
  }
  progress?.end();
  await callOperator(`/config-files/${encodeURIComponent(config.file.name)}`, {
    method: 'PUT',
    body: { content: config.content, left, path: config.path },
  });
  return { notes };
}

/** What goes to the operator API: secrets as they are, accounts by id. */
function sent(
  { kind, action, fields }: ConfigChange,
  { given, accountIds }: { given: Row; accountIds: Map<string, string> },
): Row {
  const isPut = PUT_KINDS.has(kind);
  const names = action === 'create' || isPut ? Object.keys(given) : Object.keys(fields);
  const body: Row = Object.fromEntries(names.map((name) => [name, given[name]]));
  if (body['keys'] !== undefined) body['keys'] = (body['keys'] as string[]).map(readSecret);
  if (kind === 'channels' && body['headers'] !== undefined)
    body['headers'] = Object.fromEntries(
      Object.entries(body['headers'] as Record<string, string>).map(([name, value]) => [name, readSecret(value)]),
    );
  if (kind === 'alert_sinks') {
    if (typeof body['url'] === 'string') body['url'] = readReference(body['url']);
    if (typeof body['secret'] === 'string') body['secret'] = readSecret(body['secret']);
  }
  if (kind === 'flags' && body['accounts'] !== undefined)
    body['accounts'] = (body['accounts'] as string[]).map((name) => accountIds.get(name) ?? name);
  if (kind === 'tokens') {
    if (typeof body['account'] === 'string') body['account_id'] = accountIds.get(body['account']) ?? body['account'];
    delete body['account'];
    if (action === 'create' && typeof body['key'] === 'string') body['key'] = readSecret(body['key']);
    else delete body['key'];
  }
  return body;
}

async function save({ kind, name }: ConfigChange, fields: Row, there: Row | undefined): Promise<Row> {
  const headers: Record<string, string> = there === undefined ? {} : { 'if-match': `"${String(there['etag'])}"` };
  if (PUT_KINDS.has(kind))
    return callOperator(`${PATH_OF[kind]}/${encodeURIComponent(name)}`, {
      method: 'PUT',
      body: kind === 'alert_rules' ? ruleBody(there, fields) : { ...kept(kind, there), ...fields },
      headers,
    });
  if (there === undefined) return callOperator(PATH_OF[kind], { method: 'POST', body: { name, ...fields } });
  return callOperator(`${PATH_OF[kind]}/${String(there['id'])}`, { method: 'PATCH', body: fields, headers });
}

/** Thresholds that the file does not name stay, too. */
function ruleBody(there: Row | undefined, fields: Row): Row {
  const thresholds = { ...(there?.['thresholds'] as Row), ...(fields['thresholds'] as Row | undefined) };
  return { enabled: fields['enabled'] ?? there?.['enabled'], thresholds };
}

/** What is put is replaced whole: fields that the file does not name stay. */
function kept(kind: string, there: Row | undefined): Row {
  const { id: _id, name: _name, etag: _etag, sandbox: _sandbox, ...rest } = there ?? {};
  return kind === 'models' || there !== undefined ? rest : {};
}

/** Accounts keep their books, and rules have defaults: both say so. */
async function remove({ kind, name }: ConfigChange, there: Row | undefined): Promise<string | undefined> {
  const headers = { 'if-match': `"${String(there?.['etag'])}"` };
  if (kind === 'accounts') {
    await callOperator(`/accounts/${String(there?.['id'])}`, {
      method: 'PATCH',
      body: { status: 'disabled' },
      headers,
    });
    return `account "${name}" is disabled: its books stay.`;
  }
  if (kind === 'alert_rules') {
    await callOperator(`${PATH_OF[kind]}/${name}`, { method: 'PUT', body: {}, headers });
    return `alert rule "${name}" is as by default again.`;
  }
  const id = PUT_KINDS.has(kind) ? name : String(there?.['id']);
  await callOperator(`${PATH_OF[kind]}/${encodeURIComponent(id)}`, { method: 'DELETE', headers });
  return undefined;
}
