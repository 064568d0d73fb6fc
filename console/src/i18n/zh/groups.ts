// Simplified Chinese of features/groups.
import type { Catalogue } from '../catalogue.ts';

export const groups: Catalogue = {
  'Accounts, tokens and channels meet in groups. The multiplier applies to every price.':
    '账户、令牌和渠道通过分组对应。倍率作用于所有价格。',
  'Create group': '创建分组',
  'No groups set up': '尚未设置分组',
  'Everything is in the group “default” at the prices as they stand.': '全部归入“default”分组，按原价计费。',
  Multiplier: '倍率',
  Description: '说明',
  Show: '显示',
  'Edit group': '编辑分组',
  'Price multiplier': '价格倍率',
  '1 = as the prices stand, 0.8 = a fifth off': '1 = 原价，0.8 = 八折',
};
