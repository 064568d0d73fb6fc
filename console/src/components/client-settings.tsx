// How a client is pointed at this gateway: the pages of docs/clients, loaded when one is chosen.
import { Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { language } from '../i18n/language.ts';
import { t } from '../i18n/t.ts';
import { Card } from './card.tsx';
import { CodeBlock } from './code-block.tsx';
import { Shown } from './states.tsx';
import { gatewayUrl } from '../lib/addresses.ts';
import { readClientPage } from '../lib/client-page.ts';

const pages = import.meta.glob<string>('../../../docs/clients/*.md', { query: '?raw', import: 'default' });
const names = Object.keys(pages).map((path) => path.slice(path.lastIndexOf('/') + 1, -'.md'.length));
const pathOf = (name: string): string => Object.keys(pages)[names.indexOf(name)] ?? '';
const FIRST = 'openai';

export function ClientSettings() {
  const [name, setName] = useState(FIRST);
  const page = useQuery({
    queryKey: ['client-page', name],
    queryFn: async () => readClientPage((await pages[pathOf(name)]?.()) ?? '', gatewayUrl, await loadSentences()),
    staleTime: Infinity,
  });
  return (
    <Card title={t('Use it in')}>
      <Stack gap="sm">
        <Select
          aria-label={t('Client')}
          data={names}
          value={name}
          onChange={(value) => setName(value ?? FIRST)}
          allowDeselect={false}
          searchable
        />
        <Shown query={page}>
          {({ title, parts }) => (
            <Stack gap="sm">
              {parts.map((part, index) =>
                part.kind === 'code' ? (
                  <CodeBlock
                    key={index}
                    text={part.text}
                    label={t('Settings of {title}, {number}', { title, number: index + 1 })}
                  />
                ) : (
                  <Text key={index} size="sm" style={{ whiteSpace: 'pre-line' }}>
                    {part.text}
                  </Text>
                ),
              )}
            </Stack>
          )}
        </Shown>
      </Stack>
    </Card>
  );
}

/** The pages are English. */
async function loadSentences(): Promise<Record<string, string>> {
  return language === 'zh' ? (await import('../i18n/zh/clients.ts')).clients : {};
}
