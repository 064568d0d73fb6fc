// Simplified Chinese of features/tasks.
import type { Catalogue } from '../catalogue.ts';

export const tasks: Catalogue = {
  'Whether the provider took it is not known; the gateway looks for it and never sends it twice':
    '不确定供应商是否已接收；网关正在查询，不会重复发送',
  'The provider does not answer questions about it': '供应商不响应该任务的查询',
  'It has been running for more than an hour': '已运行超过一小时',
  Tries: '次数',
  'Last answer': '最近响应',
  'Next try': '下次重试',
  Started: '开始时间',
  'Webhook deliveries': 'Webhook 投递',
  'A signed event is sent when the task ends, and sent again until the receiver accepts it':
    '任务结束时发送带签名的通知，未送达会重试',
  'No webhook was called': '未调用 Webhook',
  'Either the task is not finished, or its account and its submit named no webhook.':
    '任务尚未结束，或账户和提交都没有设置 Webhook。',
  'Account, channel': '账户、渠道',
  'holds {amount}': '预扣 {amount}',
  stuck: '卡住',
  'None took it': '未被接收',
  'Id at the provider': '供应商任务 ID',
  'Internal state': '内部状态',
  'Copy kept here': '本地保存副本',
  Yes: '是',
  No: '否',
  'Given up': '放弃时间',
  'State history': '状态历史',
  '(after {time})': '（{time} 后）',
  'View submit request': '查看提交请求',
  'View ledger entries': '查看资金流水',
  'Not made yet': '尚未生成',
  'No video was made': '未生成视频',
  'What it cost': '费用',
  'Arithmetic of the charge': '费用计算',
  'Held at the submit': '提交时预扣',
  'Charged when it is done; the rest of the hold is given back.': '完成时计费，预扣的剩余部分退回。',
  'Newest first. A task holds its price when it is submitted, and is charged when it is done.':
    '按时间倒序。任务提交时预扣费用，完成时计费。',
  'No video tasks': '没有视频任务',
  'Nothing matches these filters yet.': '没有符合筛选条件的任务。',
  Running: '运行中',
  'running only': '仅运行中',
  Trouble: '异常',
  'stuck only': '仅卡住的',
};
