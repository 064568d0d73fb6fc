// Every price that a model ever had, who set it and when.
import type { Migration } from './migration.ts';

export const priceVersions: Migration = {
  name: '0034-price-versions',
  statements: ({ id, time, serial, appendOnly }) => [
    `create table price_versions (
      id ${serial}, model_id ${id} not null, price text, author text not null, origin text not null,
      created_at ${time} not null)`,
    `create index price_versions_by_model on price_versions (model_id, id)`,
    ...appendOnly('price_versions'),
  ],
};
