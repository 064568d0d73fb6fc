// Simplified Chinese of features/audit.
import type { Catalogue } from '../catalogue.ts';

export const audit: Catalogue = {
  Operator: '操作员',
  Action: '操作',
  Of: '对象',
  Change: '更改',
  'Detail of {action}': '{action} 的详情',
  Detail: '详情',
  'Every change by an operator, written together with the change itself. Nothing here is ever altered.':
    '操作员的每次更改都与更改本身一同写入，之后不会改动。',
  'No changes': '没有更改',
  'Nothing matches these filters.': '没有符合筛选条件的内容。',
  '(not signed in)': '（未登录）',
  '{count} codes': '{count} 个兑换码',
  'Redeemable code': '兑换码',
  'Configuration file': '配置文件',
  Member: '成员',
  'Operator key': '管理密钥',
  Session: '会话',
  'What changed': '更改内容',
  '{words} and {more} more': '{words} 等另外 {more} 项',
};
