// What was asked and answered, where the token has it kept. Shown as plain text, whatever it holds.
import { Code, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type RequestBodies, requestBodies } from '#contract/requests.ts';
import { Card } from '../../components/card.tsx';
import { Shown } from '../../components/states.tsx';
import { callApi } from '../../lib/api-client.ts';
import { formatCount } from '../../lib/format-money.ts';

const MOST_SHOWN = 64 * 1024;

const bodiesQuery = (id: string) =>
  queryOptions({
    queryKey: ['/requests', 'bodies', id],
    queryFn: ({ signal }) =>
      callApi('GET', `/requests/${encodeURIComponent(id)}/bodies`, { schema: requestBodies, signal }),
  });

export function Bodies({ requestId }: { requestId: string }) {
  return (
    <Card title="What was said" description="Kept because the token is set so; the first 64 KiB of each body">
      <Shown query={useQuery(bodiesQuery(requestId))}>
        {({ request, answer }) => (
          <Stack>
            <Body label="Asked" body={request} />
            <Body label="Answered" body={answer} />
          </Stack>
        )}
      </Shown>
    </Card>
  );
}

function Body({ label, body }: { label: string; body: RequestBodies['request'] }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {label}
        {body !== null && (
          <Text span size="sm" c="dimmed">
            {` ${body.content_type ?? ''} ${formatCount(body.bytes)} bytes${body.bytes > MOST_SHOWN ? ', the beginning of which is shown' : ''}`}
          </Text>
        )}
      </Text>
      {body === null ? (
        <Text size="sm" c="dimmed">
          Nothing
        </Text>
      ) : (
        <Code
          block
          className="long"
          mah={360}
          style={{ overflow: 'auto' }}
          tabIndex={0}
          aria-label={label}
          role="region"
        >
          {body.text ?? 'No text.'}
        </Code>
      )}
    </Stack>
  );
}
