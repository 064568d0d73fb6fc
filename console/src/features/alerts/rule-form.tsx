// One rule: on or off, and its thresholds.
import { NumberInput, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { alertRules } from '#contract/alert-rules.ts';
import { type AlertRule, alertRulePut } from '#contract/alerts.ts';
import { known, t } from '../../i18n/t.ts';
import { FormFooter } from '../../components/form-footer.tsx';
import { errorAt } from '../../lib/check-form.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { useSetRule } from './api.ts';

export function RuleForm({ rule, close }: { rule: AlertRule; close(): void }) {
  const thresholdsOfRule = Object.entries(alertRules[rule.rule].thresholds);
  const [enabled, setEnabled] = useState(rule.enabled);
  const [thresholds, setThresholds] = useState<Record<string, number | string>>(rule.thresholds);
  const save = useSetRule(rule);
  const { errors, busy, submit } = useFormSend(
    alertRulePut,
    () => ({
      enabled,
      thresholds: Object.fromEntries(
        Object.entries(thresholds)
          .filter(([, value]) => value !== '')
          .map(([name, value]) => [name, Number(value)]),
      ),
    }),
    async (body) => {
      await save.mutateAsync(body);
      close();
      notifications.show({ message: t('Saved'), color: 'green' });
    },
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          {known(rule.description)}
        </Text>
        <Switch
          label={t('Enabled')}
          description={t('A rule that is off resolves its open alerts')}
          checked={enabled}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
        {thresholdsOfRule.map(([name, { label, unit, value, least, most, isWhole }]) => (
          <NumberInput
            key={name}
            label={unit === '' ? known(label) : `${known(label)} (${known(unit)})`}
            description={t('From {least} to {most}; default {value}', { least, most, value })}
            allowDecimal={!isWhole}
            allowNegative={false}
            hideControls
            value={thresholds[name] ?? ''}
            onChange={(given) => setThresholds({ ...thresholds, [name]: given })}
            error={errorAt(errors, `thresholds.${name}`)}
          />
        ))}
        <FormFooter
          errors={errors}
          fields={thresholdsOfRule.map(([name]) => `thresholds.${name}`)}
          busy={busy}
          submit={t('Save')}
          cancel={close}
        />
      </Stack>
    </form>
  );
}
