// Instead of password and second factor, for operators whose sign-in service takes care of both.
import { Text } from '@mantine/core';
import { Card } from '../../components/card.tsx';

export function SignedInElsewhere() {
  return (
    <Card title="Password and second factor">
      <Text size="sm" c="dimmed">
        You came in through your sign-in service, which keeps your password and asks for your second factor. Change both
        there.
      </Text>
    </Card>
  );
}
