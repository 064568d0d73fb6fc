// Where an account hears of its finished videos.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Webhook, webhookPut } from '#contract/tasks.ts';
import { rich } from '../../i18n/rich.ts';
import { t } from '../../i18n/t.ts';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { FormFooter } from '../../components/form-footer.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Shown } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { errorAt } from '../../lib/check-form.ts';
import { useMayChange } from '../../lib/session.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { useRemoveWebhook, useSetWebhook, webhookQuery } from './webhook-api.ts';

export function WebhookCard({ accountId }: { accountId: string }) {
  const query = useQuery(webhookQuery(accountId));
  const exists = query.data !== undefined && query.data !== null;
  const mayChange = useMayChange();
  const [editing, setEditing] = useState(false);
  const [secret, setSecret] = useState<string>();
  const remove = useRemoveWebhook(accountId, query.data);
  const set = useSetWebhook(accountId, query.data);
  return (
    <Card
      title={t('Webhook')}
      description={t('Called for every video of this account that is done or has failed')}
      actions={
        mayChange &&
        !editing && (
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={() => setEditing(true)}>
              {exists ? t('Replace') : t('Add webhook')}
            </Button>
            {exists && (
              <ConfirmButton
                label={t('New secret')}
                title={t('Make a new secret')}
                question={t(
                  'The next delivery is signed with it: receivers that still check by the old one refuse it.',
                )}
                confirm={t('Make a new secret')}
                button={{ size: 'compact-sm' }}
                act={async () => setSecret((await set.mutateAsync({ rotate_secret: true })).secret ?? undefined)}
              />
            )}
            {exists && (
              <ConfirmButton
                label={t('Remove')}
                title={t('Remove this webhook')}
                question={t('Finished videos are not reported any more, and the secret is forgotten.')}
                confirm={t('Remove')}
                button={{ size: 'compact-sm' }}
                act={() => remove.mutateAsync()}
              />
            )}
          </Group>
        )
      }
    >
      {editing ? (
        <WebhookForm
          accountId={accountId}
          before={query.data}
          first={query.data?.url ?? ''}
          close={() => setEditing(false)}
          onMade={(made) => {
            setEditing(false);
            setSecret(made ?? undefined);
          }}
        />
      ) : (
        <Shown query={query}>{(webhook) => <WebhookFacts webhook={webhook} />}</Shown>
      )}
      <SecretOnce
        title={t('The secret of this webhook')}
        secret={secret}
        onClose={() => setSecret(undefined)}
        hint={
          <>
            {rich('Deliveries are signed with it as Standard Webhooks has it, in the header {name}.', {
              name: <span className="mono">webhook-signature</span>,
            })}
          </>
        }
      />
    </Card>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook | null }) {
  if (webhook === null) {
    return (
      <Text size="sm" c="dimmed">
        {t('None.')}
      </Text>
    );
  }
  return (
    <Facts
      facts={[
        [t('Address'), webhook.url ?? t('Only submits that name their own')],
        [t('Secret created'), <When key="made" at={webhook.created_at} exact />],
      ]}
    />
  );
}

interface WebhookFormProps {
  accountId: string;
  before: Webhook | null | undefined;
  first: string;
  close(): void;
  /** null when the secret stays as it is. */
  onMade(secret: string | null): void;
}

function WebhookForm({ accountId, before, first, close, onMade }: WebhookFormProps) {
  const [url, setUrl] = useState(first);
  const set = useSetWebhook(accountId, before);
  const { errors, busy, submit } = useFormSend(
    webhookPut,
    () => ({ url: url.trim() === '' ? null : url.trim() }),
    async (body) => onMade((await set.mutateAsync(body)).secret),
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('Address')}
          description={t(
            'Empty = only submits with a webhook_url of their own are reported. The secret stays; the first save makes it.',
          )}
          placeholder={t('e.g. {example}', { example: 'https://example.com/hook' })}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          error={errorAt(errors, 'url')}
        />
        <FormFooter
          errors={errors}
          fields={['url']}
          busy={busy}
          submit={t('Save and show the secret')}
          cancel={close}
        />
      </Stack>
    </form>
  );
}
