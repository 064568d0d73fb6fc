// The list of migrations, oldest first.
import { initial } from './0001-initial.ts';
import { responses } from './0002-responses.ts';
import { backgroundCalls } from './0003-background-calls.ts';
import { tokenOptions } from './0004-token-options.ts';
import { videoTasks } from './0010-video-tasks.ts';
import { taskCare } from './0011-task-care.ts';
import { usageSums } from './0020-usage-sums.ts';
import { idempotency } from './0030-idempotency.ts';
import { accountRate } from './0031-account-rate.ts';
import { budgets } from './0032-budgets.ts';
import { checkpoints } from './0033-checkpoints.ts';
import { priceVersions } from './0034-price-versions.ts';
import { requestPartitions } from './0040-request-partitions.ts';
import { changeNotices } from './0041-change-notices.ts';
import { usageOfLaterCharges } from './0042-usage-of-later-charges.ts';
import { requestsByToken } from './0043-requests-by-token.ts';
import { operatorTotp } from './0050-operator-totp.ts';
import { sessionOrigin } from './0051-session-origin.ts';
import { listIndexes } from './0060-list-indexes.ts';
import { requestBodies } from './0061-request-bodies.ts';
import { requestOfKey } from './0062-request-of-key.ts';
import { ledgerInbox } from './0070-ledger-inbox.ts';
import { usagePartitions } from './0071-usage-partitions.ts';
import { channelKeyStates } from './0080-channel-key-states.ts';
import { channelMemory } from './0081-channel-memory.ts';
import { boundedRequests } from './0085-bounded-requests.ts';
import { passUnpriced } from './0088-pass-unpriced.ts';
import { unpricedRequests } from './0089-unpriced-requests.ts';
import { upstreamObjects } from './0090-upstream-objects.ts';
import { signInCounts } from './0094-sign-in-counts.ts';
import { operatorKeys } from './0095-operator-keys.ts';
import { deliveriesByAccount } from './0096-deliveries-by-account.ts';
import { tokenOrigins } from './0099-token-origins.ts';
import { taskHandles } from './0100-task-handles.ts';
import { refusalReasons } from './0101-refusal-reasons.ts';
import { keptResponses } from './0102-kept-responses.ts';
import { files } from './0105-files.ts';
import { batches } from './0106-batches.ts';
import { accountExternalId } from './0109-account-external-id.ts';
import { modelRetirement } from './0110-model-retirement.ts';
import { alerts } from './0111-alerts.ts';
import { members } from './0115-members.ts';
import { channelKeyStatus } from './0116-channel-key-status.ts';
import { channelKeyCalls } from './0117-channel-key-calls.ts';
import { usageByOutcome } from './0118-usage-by-outcome.ts';
import { gatewayRuns } from './0119-gateway-runs.ts';
import { sinkLanguage } from './0122-sink-language.ts';
import { requestChanges } from './0128-request-changes.ts';
import { exportCursors } from './0129-exports.ts';
import { memberIdentity } from './0130-member-identity.ts';
import { ledgerPartitions } from './0140-ledger-partitions.ts';
import { tokenLimitsSetBy } from './0141-token-limits-set-by.ts';
import { keptResponseSizes } from './0142-kept-response-sizes.ts';
import type { Migration } from './migration.ts';

export const migrations: Migration[] = [
  initial,
  responses,
  backgroundCalls,
  tokenOptions,
  videoTasks,
  taskCare,
  usageSums,
  idempotency,
  accountRate,
  budgets,
  checkpoints,
  priceVersions,
  requestPartitions,
  changeNotices,
  usageOfLaterCharges,
  requestsByToken,
  operatorTotp,
  sessionOrigin,
  listIndexes,
  requestBodies,
  requestOfKey,
  ledgerInbox,
  usagePartitions,
  channelKeyStates,
  channelMemory,
  boundedRequests,
  passUnpriced,
  unpricedRequests,
  upstreamObjects,
  signInCounts,
  operatorKeys,
  deliveriesByAccount,
  tokenOrigins,
  taskHandles,
  refusalReasons,
  keptResponses,
  files,
  batches,
  accountExternalId,
  modelRetirement,
  alerts,
  members,
  channelKeyStatus,
  channelKeyCalls,
  usageByOutcome,
  gatewayRuns,
  sinkLanguage,
  requestChanges,
  exportCursors,
  memberIdentity,
  ledgerPartitions,
  tokenLimitsSetBy,
  keptResponseSizes,
];
