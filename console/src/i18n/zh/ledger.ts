// Simplified Chinese of features/ledger.
import type { Catalogue } from '../catalogue.ts';

export const ledger: Catalogue = {
  'Append-only. A hold reserves money, a settle states the true charge, a release gives back the rest.':
    '只增不改。冻结预留金额，结算确定实际费用，释放退回剩余部分。',
  Rows: '行',
  'By request': '按请求',
  'Every entry': '每条记录',
  'Ledger by request': '按请求的资金流水',
  'No entries': '没有记录',
  'No movement of money fits these filters.': '没有符合筛选条件的资金变动。',
};
