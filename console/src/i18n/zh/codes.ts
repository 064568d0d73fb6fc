// Simplified Chinese of features/codes.
import type { Catalogue } from '../catalogue.ts';

export const codes: Catalogue = {
  'Amount of each': '每个面额',
  'How many': '数量',
  'For operators, such as the campaign': '供内部查看，例如活动名称',
  'Create codes': '创建兑换码',
  'Members redeem them in the portal: the amount is added to the balance of their account, once.':
    '成员在门户中兑换，金额计入其账户余额，每码限用一次。',
  'No codes here': '没有符合条件的兑换码',
  Redeemed: '已兑换',
  'Not redeemed': '未兑换',
  'Your new codes': '新的兑换码',
  'These codes are shown only now. The gateway keeps digests of them alone.':
    '这些兑换码只显示这一次，网关只保存其摘要。',
  'Redeemed by': '兑换者',
  'Remove the code {hint}': '移除兑换码 {hint}',
  'Nobody can redeem these codes any more.': '移除后，这些兑换码无法再兑换。',
  'Nobody can redeem it any more.': '移除后无法再兑换。',
};
