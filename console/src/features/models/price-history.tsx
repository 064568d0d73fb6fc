// What a model cost before, and who changed it.
import { Modal } from '@mantine/core';
import { type PriceVersion, priceVersionList } from '#contract/price-import.ts';
import { t } from '../../i18n/t.ts';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { usePages } from '../../lib/lists.ts';
import { priceLabel } from './price-label.ts';

/** Imports and channels stand with their names. */
const origins: Readonly<Record<string, string>> = {
  change: t('changed //price'),
  remove: t('removed'),
};

const columns: Column<PriceVersion>[] = [
  { header: t('Since'), render: (row) => <When at={row.created_at} exact /> },
  { header: t('Price'), render: (row) => <span className="long">{priceLabel(row.price)}</span> },
  { header: t('By'), render: (row) => <span className="cut">{row.author}</span> },
  { header: t('How'), wide: true, render: (row) => <span className="cut">{origins[row.origin] ?? row.origin}</span> },
];

export function PriceHistory({ model, close }: { model: string | undefined; close(): void }) {
  return (
    <Modal
      opened={model !== undefined}
      onClose={close}
      title={t('Prices of {model}', { model: model ?? '' })}
      size="lg"
    >
      {model !== undefined && <PriceVersions model={model} />}
    </Modal>
  );
}

export function PriceVersions({ model }: { model: string }) {
  const pages = usePages({ path: '/prices/versions', schema: priceVersionList, filters: { model }, pageSize: 20 });
  return (
    <ListTable
      label={t('Price versions')}
      pages={pages}
      keyOf={(row) => row.id}
      columns={columns}
      empty={<EmptyState icon="coin" title={t('Never changed since prices are recorded')} />}
    />
  );
}
