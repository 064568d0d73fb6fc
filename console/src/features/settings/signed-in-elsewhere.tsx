// Instead of password and second factor, for operators whose sign-in service takes care of both.
import { Text } from '@mantine/core';
import { t } from '../../i18n/t.ts';
import { Card } from '../../components/card.tsx';

export function SignedInElsewhere() {
  return (
    <Card title={t('Password and second factor')}>
      <Text size="sm" c="dimmed">
        {t(
          'You came in through your sign-in service, which keeps your password and asks for your second factor. Change both there.',
        )}
      </Text>
    </Card>
  );
}
