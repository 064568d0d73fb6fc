// Text to be copied: code, keys, ids.
import { ActionIcon, Box, CopyButton, Tooltip } from '@mantine/core';
import { t } from '../i18n/t.ts';
import { Icon } from './icon.tsx';

export function CopyIcon({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('Copied') : label}>
          <ActionIcon onClick={copy} aria-label={label} color={copied ? 'green' : 'gray'}>
            <Icon name={copied ? 'check' : 'copy'} size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <Box pos="relative">
      <pre className="code" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <Box pos="absolute" top={6} right={6}>
        <CopyIcon text={text} label={t('Copy: {label}', { label })} />
      </Box>
    </Box>
  );
}
