// Simplified Chinese of features/accounts.
import type { Catalogue } from '../catalogue.ts';

export const accounts: Catalogue = {
  'Over all its tokens': '所有令牌合计',
  Budget: '预算',
  'The most that live calls may cost': '正式调用最多可花费的金额',
  'Budget resets': '预算重置',
  'Create account': '创建账户',
  'View tokens': '查看令牌',
  'View videos': '查看视频任务',
  'Share of the budget spent': '预算已用比例',
  'Ledger of this account': '该账户的资金流水',
  'No money has moved yet': '还没有资金变动',
  'All with filters': '查看全部并筛选',
  'Disable this account': '停用此账户',
  'Every call with a token of {name} will be refused until it is enabled again.':
    '重新启用之前，使用 {name} 令牌的所有调用都会被拒绝。',
  'Edit account': '编辑账户',
  'Who pays. The balance is what is free: money held for running requests is already taken off.':
    '付费方。余额为可用金额，进行中请求的预扣金额已经扣除。',
  'No accounts here': '没有符合条件的账户',
  'Add credit': '充值',
  'The balance is now {balance_after}.': '当前余额为 {balance_after}。',
  'With a minus sign it is taken off': '填写负数表示扣减',
  'Stands in the ledger for good': '会永久保留在资金流水中',
  'Sees everything of the account and manages all its tokens.': '可查看账户的全部内容，并管理所有令牌。',
  'Sees everything of the account and manages the tokens that they made.':
    '可查看账户的全部内容，并管理自己创建的令牌。',
  'Sees everything of the account and changes nothing.': '可查看账户的全部内容，不能修改。',
  'The name that they sign in with; no mail is sent': '对方登录时使用的名称；系统不会发送邮件',
  Cap: '上限',
  'The most that all tokens they make may spend': '该成员创建的所有令牌合计最多可花费的金额',
  'No cap': '无上限',
  'Cap resets': '上限重置',
  Invite: '邀请',
  Members: '成员',
  'They sign in to the {link}, where they see this account and nothing else.': '成员登录{link}后只能看到本账户的内容。',
  portal: '用户门户',
  'Invite member': '邀请成员',
  'No members yet': '还没有成员',
  'Share of the cap of {email} spent': '{email} 的上限已用比例',
  'The invite': '邀请链接',
  Link: '链接',
  'This link is shown only now. Anybody who has it can join the account: send it to that person alone.':
    '此链接只显示这一次。任何拿到链接的人都能加入账户，请只发给本人。',
  'It is good for seven days and for one use: the person chooses a password with it.':
    '链接七天内有效，仅可使用一次：对方通过它设置密码。',
  'Change {email}': '修改 {email}',
  'New invite': '重新邀请',
  'New invite for {email}': '重新邀请 {email}',
  'Their password and their binding to a sign-in service end: they choose again with the link that you get.':
    '对方的密码及与统一登录服务的绑定将失效，需通过新链接重新设置。',
  'Signs in with {name}': '使用 {name} 登录',
  'The invite they have ends; you get a new link.': '原邀请失效，您将得到新的链接。',
  'Make a new invite': '生成新邀请',
  'Remove {email}': '移除 {email}',
  'They are out of the portal at once, and the tokens that they made end. A new invite brings them back, but not their tokens.':
    '对方会立即退出门户，其创建的令牌随之失效。重新邀请可恢复访问，但令牌不会恢复。',
  'Called for every video of this account that is done or has failed': '该账户的视频完成或失败时调用',
  Replace: '更换',
  'Add webhook': '添加 Webhook',
  'New secret': '新密钥',
  'The next delivery is signed with it: receivers that still check by the old one refuse it.':
    '下一次投递即用新密钥签名，仍用旧密钥校验的接收方会拒绝。',
  'Remove this webhook': '移除此 Webhook',
  'Finished videos are not reported any more, and the secret is forgotten.': '视频完成后不再通知，密钥会被删除。',
  'Deliveries are signed with it as Standard Webhooks has it, in the header {name}.':
    '投递按 Standard Webhooks 规范用此密钥签名，签名位于请求头 {name}。',
  'None.': '未设置。',
  'Only submits that name their own': '仅通知自带地址的提交',
  'Secret created': '密钥创建时间',
  'Empty = only submits with a webhook_url of their own are reported. The secret stays; the first save makes it.':
    '留空 = 仅通知自带 webhook_url 的提交。密钥保持不变，首次保存时生成。',
  'Save and show the secret': '保存并显示密钥',
  'Every call with a token of these accounts will be refused until they are enabled again.':
    '重新启用之前，使用这些账户令牌的所有调用都会被拒绝。',
  'Calls with tokens of these accounts are accepted again.': '使用这些账户令牌的调用将重新被接受。',
};
