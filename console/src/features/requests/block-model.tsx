// Takes a model away from the token of a request.
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { t } from '../../i18n/t.ts';
import { allModels } from '../../lib/choices.ts';
import { tokenQuery, useAllowModels } from './api.ts';
import { covers, withoutModel } from './without-model.ts';

/** Nothing where the token may not use the model anyway, or where it would be left without any. */
export function BlockModel({ tokenId, model }: { tokenId: string; model: string }) {
  const { data: token } = useQuery(tokenQuery(tokenId));
  const { data: models } = useQuery(allModels);
  const allow = useAllowModels();
  if (token === undefined || models === undefined) return null;
  if (token.models !== null && !token.models.some((pattern) => covers(pattern, model))) return null;
  const left = withoutModel(
    token.models,
    models.map(({ id }) => id),
    model,
  );
  if (left.models.length === 0 || left.models.length > 1000) return null;
  return (
    <ConfirmButton
      label={t('Block this model')}
      title={t('Block {model} for {token}', { model, token: token.name })}
      question={
        <Stack gap="xs">
          <Text size="sm">
            {t('Requests of the token {token} for {model} are refused from now on.', { token: token.name, model })}
          </Text>
          {left.expanded.length > 0 && (
            <Text size="sm">
              {t('It may then use {count} models by name; models that you add later are not among them.', {
                count: left.models.length,
              })}
            </Text>
          )}
        </Stack>
      }
      confirm={t('Block')}
      act={async () => {
        await allow.mutateAsync({ id: token.id, etag: token.etag, models: left.models });
        notifications.show({
          color: 'green',
          message: t('{token} may not use {model} any more.', { token: token.name, model }),
        });
      }}
    />
  );
}
