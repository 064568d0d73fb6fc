// Says that a change did not work, where no dialog or form is open to say it.
import { notifications } from '@mantine/notifications';
import { sentenceOf } from './api-error.ts';
import { t } from '../i18n/t.ts';

export function notifyFailure(error: unknown): void {
  notifications.show({ color: 'red', title: t('That did not work'), message: sentenceOf(error) });
}
