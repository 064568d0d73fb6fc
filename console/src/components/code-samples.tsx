// The call on this page, for taking away.
import { Tabs } from '@mantine/core';
import { t } from '../i18n/t.ts';
import { codeSamples, type SampleCall } from '../lib/code-samples.ts';
import { gatewayUrl } from '../lib/addresses.ts';
import { CodeBlock } from './code-block.tsx';

export function CodeSamples({ call }: { call: SampleCall }) {
  const samples = codeSamples(gatewayUrl, call);
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List mb="sm">
        {samples.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {samples.map(({ language, code }) => (
        <Tabs.Panel key={language} value={language}>
          <CodeBlock text={code} label={t('This call as {language}', { language })} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
