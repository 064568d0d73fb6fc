// Sinks of alerts as operators see them. Addresses of chats and secrets are sealed, and shown as hints.
import { type AlertSink, type AlertSinkCreate, type AlertSinkPatch, chatUrlHint } from '#contract/alerts.ts';
import { makeWebhookSecret } from '../../deliveries/webhook-signature.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { AddressRefused } from '../../providers/guarded/guarded-client.ts';
import { makeIdOfSecond } from '../../shared/ids.ts';
import {
  type AlertSinkRow,
  findSink,
  findSinkByName,
  insertSink,
  updateSink,
} from '../../store/queries/alert-sinks.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { withEtag } from '../etag.ts';
import { refuseTaken, required } from '../not-found.ts';
import { given } from './json-columns.ts';

export type SinkSurroundings = Pick<OperatorDependencies, 'secretBox' | 'guarded' | 'alerts'>;
type Kind = AlertSinkRow['kind'];

const STANDARD_SECRET = /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/;

export function writeSink({ secretBox }: Pick<SinkSurroundings, 'secretBox'>, row: AlertSinkRow): AlertSink {
  const url = row.url === null ? null : secretBox.open(row.url);
  return withEtag({
    id: row.id,
    name: row.name,
    ...writeSinkSettings(row),
    url: url === null || row.kind === 'webhook' ? url : chatUrlHint(url),
    created_at: row.created_at,
  });
}

/** Without what is sealed. */
export function writeSinkSettings({ kind, recipients, secret, rules, resolved, language, status }: AlertSinkRow) {
  return {
    kind,
    to: JSON.parse(recipients) as string[],
    has_secret: secret !== null,
    rules: rules === null ? null : (JSON.parse(rules) as AlertSink['rules']),
    resolved: resolved === 1,
    language,
    status,
  };
}

export async function requireSink(reads: Reads, id: string): Promise<AlertSinkRow> {
  return required(await findSink(reads, id), 'sink', id);
}

export async function createSink(
  surroundings: SinkSurroundings,
  transaction: Transaction,
  input: AlertSinkCreate,
  at: number,
): Promise<{ made: AlertSink; secret: string | null }> {
  const { name, kind, url, to, rules, resolved, language, status } = input;
  await refuseTakenName(transaction, name);
  checkTarget(surroundings, kind, { url, to });
  checkSecret(kind, input.secret);
  const secret = kind === 'webhook' ? (input.secret ?? makeWebhookSecret()) : input.secret;
  const { seal } = surroundings.secretBox;
  const row: AlertSinkRow = {
    id: makeIdOfSecond('snk', at),
    name,
    kind,
    url: url === null ? null : seal(url),
    recipients: JSON.stringify(to),
    secret: secret === null ? null : seal(secret),
    rules: rules === null ? null : JSON.stringify(rules),
    resolved: resolved ? 1 : 0,
    language,
    status,
    created_at: at,
  };
  await insertSink(transaction, row);
  return { made: writeSink(surroundings, row), secret: input.secret === null ? secret : null };
}

export async function changeSink(
  surroundings: SinkSurroundings,
  transaction: Transaction,
  id: string,
  patch: AlertSinkPatch,
): Promise<{ before: AlertSink; after: AlertSink; secret: string | null; isSecretChanged: boolean }> {
  const row = await requireSink(transaction, id);
  const { secretBox } = surroundings;
  if (patch.name !== undefined && patch.name !== row.name) await refuseTakenName(transaction, patch.name);
  if (patch.rotate_secret === true && row.kind !== 'webhook')
    throw invalidRequest('"rotate_secret" is for webhooks: other secrets are made by the chat.', 'rotate_secret');
  const target = {
    url: patch.url === undefined ? row.url && secretBox.open(row.url) : patch.url,
    to: patch.to ?? (JSON.parse(row.recipients) as string[]),
  };
  checkTarget(surroundings, row.kind, target);
  if (patch.secret !== undefined) checkSecret(row.kind, patch.secret);
  const made = patch.rotate_secret === true || (row.kind === 'webhook' && patch.secret === null);
  const secret = made ? makeWebhookSecret() : patch.secret;
  const changed: AlertSinkRow = {
    ...row,
    ...given(patch, 'name', 'language', 'status'),
    ...(patch.url !== undefined && { url: target.url === null ? null : secretBox.seal(target.url) }),
    ...(patch.to !== undefined && { recipients: JSON.stringify(patch.to) }),
    ...(secret !== undefined && { secret: secret === null ? null : secretBox.seal(secret) }),
    ...(patch.rules !== undefined && { rules: patch.rules === null ? null : JSON.stringify(patch.rules) }),
    ...(patch.resolved !== undefined && { resolved: patch.resolved ? 1 : 0 }),
  };
  await updateSink(transaction, changed);
  return {
    before: writeSink(surroundings, row),
    after: writeSink(surroundings, changed),
    secret: made ? (secret ?? null) : null,
    isSecretChanged: secret !== undefined,
  };
}

function checkTarget(
  { guarded, alerts }: SinkSurroundings,
  kind: Kind,
  { url, to }: { url: string | null; to: string[] },
): void {
  if (kind === 'mail') {
    if (to.length === 0) throw invalidRequest('"to" must name at least one e-mail address.', 'to');
    if (url !== null) throw invalidRequest('"url" is not for mail, which has "to".', 'url');
    if (!alerts.hasMail) throw invalidRequest('A sink of kind "mail" needs the setting TOLLGATE_SMTP_URL.', 'kind');
    return;
  }
  if (to.length > 0) throw invalidRequest(`"to" is for mail; ${kind} has "url".`, 'to');
  if (url === null) throw invalidRequest('"url" is required.', 'url');
  checkUrl(guarded, url);
}

/** Of what calls are sent to. */
export function checkUrl(guarded: SinkSurroundings['guarded'], url: string): void {
  try {
    guarded.check(url);
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    const message = `"url" cannot be called: ${error.message}. TOLLGATE_PRIVATE_HOSTS may name private hosts.`;
    throw invalidRequest(message, 'url');
  }
}

function checkSecret(kind: Kind, secret: string | null): void {
  if (secret === null) return;
  if (kind === 'mail' || kind === 'slack') throw invalidRequest(`"secret" is not for ${kind}.`, 'secret');
  if (kind === 'webhook' && !STANDARD_SECRET.test(secret))
    throw invalidRequest('"secret" must be whsec_ and base64, as standardwebhooks.com has it.', 'secret');
}

async function refuseTakenName(reads: Reads, name: string): Promise<void> {
  refuseTaken(await findSinkByName(reads, name), `There is a sink named "${name}" already.`);
}
