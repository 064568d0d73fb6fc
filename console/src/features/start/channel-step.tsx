// The first step: a channel of one's own, or the sandbox that is there.
import { Badge, Button, Group, Text } from '@mantine/core';
import type { Channel } from '#contract/channels.ts';
import { t } from '../../i18n/t.ts';
import { PageButton } from '../../components/page-link.tsx';
import { Notice } from '../../components/states.tsx';

export function ChannelStep({ channels, next }: { channels: Channel[]; next(): void }) {
  const enabled = channels.filter(({ status }) => status === 'enabled');
  const onlySandbox = enabled.length > 0 && enabled.every(({ sandbox }) => sandbox);
  return (
    <>
      <Text size="sm">
        {t(
          'A channel is an upstream that answers requests: a vendor, or a server of your own, with its address and keys.',
        )}
      </Text>
      {onlySandbox && (
        <Notice color="blue">
          {t(
            'The built-in sandbox is on. It answers like a real upstream and costs nothing, so you can keep it for trying out.',
          )}
        </Notice>
      )}
      {enabled.length === 0 && (
        <Notice color="yellow">{t('There is no enabled channel yet. Add one, then come back here.')}</Notice>
      )}
      <Group gap="xs">
        {enabled.map(({ id, name }) => (
          <Badge key={id} color="green" maw={240}>
            {name}
          </Badge>
        ))}
      </Group>
      <Group>
        <Button onClick={next} disabled={enabled.length === 0}>
          {onlySandbox ? t('Keep the sandbox and continue') : t('Continue')}
        </Button>
        <PageButton to="/channels/new" variant="default">
          {t('Add a channel')}
        </PageButton>
      </Group>
    </>
  );
}
