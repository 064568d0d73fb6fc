// Simplified Chinese of app: frame, navigation, menus.
import type { Catalogue } from '../catalogue.ts';

export const app: Catalogue = {
  'Sign out everywhere': '退出所有设备',
  'Rows of tables': '表格行距',
  Compact: '紧凑',
  Comfortable: '宽松',
  Customers: '客户',
  Billing: '计费',
  Upstreams: '上游',
  Admin: '管理',
  'Audit log': '审计日志',
  'Find anything': '查找',
  'A page, a name or an id': '页面、名称或 ID',
  Results: '结果',
  'Nothing found. Try a part of a name, or a whole id.': '未找到。请尝试名称的一部分或完整 ID。',
  '↑ ↓ to choose, Enter to open, Esc to close; in lists: j k Enter x /':
    '↑ ↓ 选择，Enter 打开，Esc 关闭；列表中：j k Enter x /',
  Page: '页面',
  'Video task': '视频任务',
  Monitoring: '监控',
  Alerts: '告警',
  Playground: '操练场',
  Groups: '分组',
  Ledger: '资金流水',
  Codes: '兑换码',
  Channels: '渠道',
  Flags: '功能开关',
  Operators: '操作员',
};
