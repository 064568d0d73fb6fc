// Simplified Chinese of features/tokens.
import type { Catalogue } from '../catalogue.ts';

export const tokens: Catalogue = {
  Scopes: '权限范围',
  Spent: '已用',
  '{count} models': '{count} 个模型',
  '{count} addresses': '{count} 个地址',
  '{count} pages': '{count} 个网页',
  rate: '速率',
  expiry: '有效期',
  "The account's": '同账户',
  Addresses: 'IP 地址',
  'Web pages': '网页',
  'Spent in all': '累计已用',
  Options: '选项',
  'Held now': '当前预扣',
  'Share of the quota spent': '额度已用比例',
  '{resets}, with the first call': '{resets}，自首次调用起',
  'fits answers to the balance': '按余额调整输出长度',
  'strict translation': '严格转换',
  'keeps all bodies': '保存所有请求内容',
  'keeps bodies of failed requests': '保存失败请求的内容',
  'Who pays': '付费方',
  'Reaches real channels and is charged to the account.': '访问真实渠道，费用计入账户。',
  'Reaches only sandbox channels and never touches the balance.': '只访问沙箱渠道，不影响余额。',
  'What it may use': '可使用的范围',
  "The account's group": '账户的分组',
  'IPv4, IPv6 or CIDR; none = any address': 'IPv4、IPv6 或 CIDR；不填 = 任意地址',
  'Origins of pages that may use it; none = any page': '可使用它的网页来源；不填 = 任意网页',
  'How much, how fast, how long': '用多少、多快、多久',
  'Fit answers to the balance': '按余额调整输出长度',
  'Where the longest answer is not covered, text requests are sent with a lower limit instead of refused':
    '余额不足以支付最长输出时，降低文本请求的长度上限，而不是拒绝',
  'Strict translation': '严格转换',
  'Refuse a request rather than leave out what its provider has no place for':
    '供应商不支持某些内容时拒绝请求，而不是忽略它们',
  'Keep what is asked and answered': '保存请求和响应内容',
  'The first 64 KiB of each body, sealed, for some days; admins read them on the page of the request':
    '每个内容的前 64 KiB，加密保存数天；管理员可在请求页查看',
  'Of failed requests': '失败的请求',
  'Of all requests': '所有请求',
  'Rotate key': '更换密钥',
  'Give this token a new key': '为此令牌更换密钥',
  'Clients must be given the new key. The old one works on for the grace time, then ends.':
    '需要把新密钥交给客户端。旧密钥在宽限期内继续有效，之后失效。',
  'Grace time in minutes': '宽限期（分钟）',
  '0 = the old key ends at once': '0 = 旧密钥立即失效',
  'Disable this token': '停用此令牌',
  'Every call with {name} will be refused until it is enabled again.':
    '重新启用之前，使用 {name} 的所有调用都会被拒绝。',
  'The new key': '新密钥',
  'The keys that clients call with. Each belongs to an account and may do only what its scopes allow.':
    '客户端调用使用的密钥。每个令牌属于一个账户，只能在权限范围内使用。',
  'No tokens here': '没有符合条件的令牌',
  'A token lets a client call the models you offer.': '客户端凭令牌调用您提供的模型。',
  'Your new token': '新的令牌',
  'Every call with one of these tokens will be refused until it is enabled again.':
    '重新启用之前，使用这些令牌的所有调用都会被拒绝。',
  'Calls with these tokens are accepted again.': '使用这些令牌的调用将重新被接受。',
  'The keys of these tokens end for good. Their records stay for the ledger and the request log.':
    '这些令牌的密钥将永久失效。其记录仍保留在资金流水和请求日志中。',
};
