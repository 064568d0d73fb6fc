// What was asked and answered, where the token has it kept. Shown as plain text, whatever it holds; JSON with its lines in order.
import { Code, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RequestBodies } from '#contract/requests.ts';
import { Card } from '../../components/card.tsx';
import { CopyIcon } from '../../components/code-block.tsx';
import { Shown } from '../../components/states.tsx';
import { t } from '../../i18n/t.ts';
import { formatCount } from '../../lib/format-money.ts';
import { bodiesQuery } from './api.ts';
import { prettyOf } from './pretty.ts';

const MOST_SHOWN = 64 * 1024;

export function Bodies({ requestId }: { requestId: string }) {
  return (
    <Card title={t('What was said')} description={t('Kept because the token is set so; the first 64 KiB of each body')}>
      <Shown query={useQuery(bodiesQuery(requestId))}>
        {({ request, answer }) => (
          <Stack>
            <Body label={t('Asked')} body={request} />
            <Body label={t('Answered')} body={answer} />
          </Stack>
        )}
      </Shown>
    </Card>
  );
}

function Body({ label, body }: { label: string; body: RequestBodies['request'] }) {
  const [form, setForm] = useState('pretty');
  const pretty = prettyOf(body?.text ?? '');
  const text = form === 'pretty' && pretty !== undefined ? pretty : (body?.text ?? t('No text.'));
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {label}
          {body !== null && (
            <Text span size="sm" c="dimmed">
              {` ${body.content_type ?? ''} ${t('{count} bytes', { count: formatCount(body.bytes) })}`}
              {body.bytes > MOST_SHOWN && `, ${t('the beginning of which is shown')}`}
            </Text>
          )}
        </Text>
        {body !== null && (
          <Group gap={4}>
            {pretty !== undefined && (
              <SegmentedControl
                size="xs"
                aria-label={t('Form of {label}', { label })}
                data={[
                  { value: 'pretty', label: t('Readable') },
                  { value: 'sent', label: t('As sent') },
                ]}
                value={form}
                onChange={setForm}
              />
            )}
            <CopyIcon text={text} label={t('Copy: {label}', { label })} />
          </Group>
        )}
      </Group>
      {body === null ? (
        <Text size="sm" c="dimmed">
          {t('Nothing')}
        </Text>
      ) : (
        <Code
          block
          className="long"
          mah={360}
          style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}
          tabIndex={0}
          aria-label={label}
          role="region"
        >
          {text}
        </Code>
      )}
    </Stack>
  );
}
