// Who is asking: the holder of an operator key, or an operator with a session. Runs before the body is read.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../../errors/gateway-error.ts';
import { unixSeconds } from '../../shared/clock.ts';
import { findSession } from '../../store/queries/sessions.ts';
import type { SessionsTable } from '../../store/tables.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { addressOf } from './address-of.ts';
import { KeyReader } from './key-reader.ts';
import { digest, operatorCookie } from './session-cookie.ts';

export interface OperatorIdentity {
  /** Stands in the audit log. */
  name: string;
  role: 'admin' | 'viewer';
  /** null when an operator key was used. */
  session: {
    id: string;
    operatorId: string;
    mustChangePassword: boolean;
    expiresAt: number;
    signedInBy: SessionsTable['signed_in_by'];
  } | null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `public`: nobody has signed in yet. `any-role`: also viewers may change this. */
    operatorAccess?: 'public' | 'any-role';
    /** Also for operators who have yet to change the password they were given. */
    openBeforePasswordChange?: boolean;
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Name under which the request carries its identity. */
export const OPERATOR_DECORATOR = 'operator';

export function operatorOf(request: FastifyRequest): OperatorIdentity {
  return request.getDecorator<OperatorIdentity>(OPERATOR_DECORATOR);
}

/** undefined where nobody has to sign in. */
export function findOperator(request: FastifyRequest): OperatorIdentity | undefined {
  return request.getDecorator<OperatorIdentity | null>(OPERATOR_DECORATOR) ?? undefined;
}

export function authenticator(dependencies: OperatorDependencies) {
  const reader = new KeyReader(dependencies);

  return async function authenticate(request: FastifyRequest): Promise<void> {
    const { operatorAccess: access, openBeforePasswordChange } = request.routeOptions.config;
    const unsafe = refuseOtherSites(request);
    if (access === 'public') return;

    const { authorization } = request.headers;
    const identity =
      authorization === undefined
        ? await fromSession(request, dependencies, unsafe)
        : await fromKey(reader, authorization, addressOf(request, dependencies));
    if (identity.session?.mustChangePassword === true && openBeforePasswordChange !== true)
      throw new GatewayError('password_change_required');
    if (unsafe && identity.role !== 'admin' && access !== 'any-role') throw new GatewayError('forbidden');
    request.setDecorator(OPERATOR_DECORATOR, identity);
  };
}

/** Refuses what comes from another site and may change something; answers whether it may. Browsers say where a request comes from; other clients do not. */
export function refuseOtherSites({ method, headers: { 'sec-fetch-site': site } }: FastifyRequest): boolean {
  if (SAFE_METHODS.has(method)) return false;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new GatewayError('csrf_token_invalid');
  return true;
}

/** A key for the metrics alone opens nothing here. */
async function fromKey(reader: KeyReader, authorization: string, address: string): Promise<OperatorIdentity> {
  const { name, role } = await reader.read(authorization, address);
  if (role === 'metrics')
    throw new GatewayError('forbidden', { message: 'This operator key may read /metrics alone.' });
  return { name, role, session: null };
}

async function fromSession(
  request: FastifyRequest,
  { store, clock }: OperatorDependencies,
  unsafe: boolean,
): Promise<OperatorIdentity> {
  const id = operatorCookie.read(request);
  if (id === undefined) {
    throw new GatewayError('missing_api_key', {
      message: 'Sign in, or send an operator key as "Authorization: Bearer <OPERATOR_KEY>".',
    });
  }
  const row = await findSession(store.reads, digest(id), unixSeconds(clock));
  if (row === undefined)
    throw new GatewayError('invalid_api_key', { message: 'The session has ended. Sign in again.' });
  if (unsafe && !isCsrfToken(request.headers['x-csrf-token'], row.csrf_hash))
    throw new GatewayError('csrf_token_invalid');
  return {
    name: row.name,
    role: row.role,
    session: {
      id,
      operatorId: row.operator_id,
      // A person who came without the password need not replace it.
      mustChangePassword: row.must_change_password === 1 && row.signed_in_by === 'password',
      expiresAt: row.expires_at,
      signedInBy: row.signed_in_by,
    },
  };
}

function isCsrfToken(given: string | string[] | undefined, csrfHash: string): boolean {
  return typeof given === 'string' && timingSafeEqual(Buffer.from(digest(given)), Buffer.from(csrfHash));
}
