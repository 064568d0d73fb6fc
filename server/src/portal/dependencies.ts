// What the portal needs of the rest of the gateway.
import type { OperatorDependencies } from '../operator/dependencies.ts';

export type PortalDependencies = Pick<
  OperatorDependencies,
  | 'store'
  | 'clock'
  | 'currency'
  | 'secretBox'
  | 'secureCookies'
  | 'trustedProxies'
  | 'oidc'
  | 'onChange'
  | 'videoContent'
>;
