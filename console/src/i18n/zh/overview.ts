// Simplified Chinese of features/overview.
import type { Catalogue } from '../catalogue.ts';

export const overview: Catalogue = {
  'A removed channel': '已移除的渠道',
  '{name} reported usage that cannot be true, {count} times in a day': '{name} 一天内 {count} 次上报了不可能的用量',
  'As much of it was charged as can be true. Compare it with what the provider bills.':
    '已按可能的最大用量计费，请与供应商账单核对。',
  '{model} used what has no price: {named}': '{model} 使用了未定价的内容：{named}',
  'Nothing was charged for it in the last day. Add it to the price of the model, with 0 if it is meant to be free.':
    '最近一天未对此计费。请加入模型价格；若本就免费，填 0。',
  'No enabled channel carries {id}': '没有启用的渠道支持 {id}',
  'No enabled channel carries {id} and {count} more': '没有启用的渠道支持 {id} 等，另有 {count} 个',
  'Such models are not offered to anybody.': '这些模型不会对任何人提供。',
  'unknown model': '未知模型',
  'no account': '无账户',
  'no token': '无令牌',
  'no group': '无分组',
  '24 hours': '24 小时',
  'all others': '其他全部',
  'Needs attention': '需要关注',
  'Nothing. No channel is shut off, no key rejected, no balance low.':
    '一切正常：没有渠道被切断，没有密钥被拒绝，没有余额不足。',
  'Charged by {key}': '按{key}的计费金额',
  'Live traffic; calls with test tokens are left out.': '正式流量，不含测试令牌的调用。',
  'No requests in this range': '该时间段内没有请求',
  'The gateway is waiting for its first request': '网关正在等待第一个请求',
  'The first steps take you from a channel to an answered request.': '按“快速开始”从添加渠道到收到第一个回答。',
  'Answer times': '响应时间',
  Means: '平均值',
  'settled in this range': '该时间段内已结算',
  'all outcomes': '全部结果',
  '{count} of them output': '其中输出 {count}',
  'mean of answers': '成功请求的平均值',
  'mean, failures too': '平均值，含失败请求',
  'last day {times}': '最近一天 {times}',
};
