// What can be done to several models at once.
import type { QueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { type Model, model as modelSchema } from '#contract/models.ts';
import type { BulkAction } from '../../components/bulk-bar.tsx';
import { t } from '../../i18n/t.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

export function modelBulk(client: QueryClient): BulkAction<Model>[] {
  const done = () => forget(client, '/models', '/prices/versions');
  const path = ({ id }: Model) => `/models/${encodeURIComponent(id)}`;
  const set = (enabled: boolean) => (model: Model) => {
    const { id: _, etag, sandbox: _sandbox, ...rest } = model;
    return callApi('PUT', path(model), { schema: modelSchema, body: { ...rest, enabled }, etag });
  };
  return [
    {
      label: t('Disable'),
      meaning: t('These models are no longer offered. Prices and history stay.'),
      color: 'red',
      applies: ({ enabled }) => enabled,
      act: set(false),
      done,
    },
    {
      label: t('Enable'),
      meaning: t('These models are offered again, where they have a price and a channel.'),
      applies: ({ enabled }) => !enabled,
      act: set(true),
      done,
    },
    {
      label: t('Remove'),
      meaning: t('These models leave the catalogue. What they cost before stays in the history.'),
      color: 'red',
      applies: ({ sandbox }) => !sandbox,
      act: (model) => callApi('DELETE', path(model), { schema: z.undefined(), etag: model.etag }),
      done,
    },
  ];
}
