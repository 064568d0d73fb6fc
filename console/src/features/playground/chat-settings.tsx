// How a conversation is asked for: instructions, temperature, length, tools.
import { Group, NumberInput, Stack, Switch, Text, Textarea } from '@mantine/core';
import { plural, t } from '../../i18n/t.ts';
import { type ChatSettings, hasTools } from './chat-call.ts';

interface ChatSettingsFormProps {
  settings: ChatSettings;
  change(part: Partial<ChatSettings>): void;
}

export function ChatSettingsForm({ settings, change }: ChatSettingsFormProps) {
  return (
    <Stack gap="sm">
      <Textarea
        label={t('Instructions (optional)')}
        autosize
        minRows={1}
        maxRows={8}
        value={settings.system}
        onChange={(event) => change({ system: event.currentTarget.value })}
      />
      <Group grow align="flex-start">
        <NumberInput
          label={t('Temperature')}
          placeholder={t('Model default')}
          min={0}
          max={2}
          step={0.1}
          decimalScale={2}
          value={settings.temperature}
          onChange={(temperature) => change({ temperature })}
        />
        <NumberInput
          label={t('Max output tokens')}
          placeholder={t('Model default')}
          min={1}
          allowDecimal={false}
          value={settings.maxTokens}
          onChange={(maxTokens) => change({ maxTokens })}
        />
      </Group>
      {hasTools(settings.extras) && (
        <Switch
          label={t('Tools off')}
          checked={settings.toolsOff}
          onChange={(event) => change({ toolsOff: event.currentTarget.checked })}
        />
      )}
      {settings.earlier.length > 0 && (
        <Text size="xs" c="dimmed">
          {plural(settings.earlier.length, '{count} earlier message goes along.', '{count} earlier messages go along.')}
        </Text>
      )}
    </Stack>
  );
}
