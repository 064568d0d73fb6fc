// Changes the password of the operator who is signed in.
import { passwordChange } from '#contract/session.ts';
import { useChangePassword } from '../lib/session.ts';
import { PasswordForm } from './password-form.tsx';

export function OperatorPasswordForm(props: { submit: string; onDone(): void }) {
  const change = useChangePassword();
  return <PasswordForm {...props} schema={passwordChange} least={10} change={change.mutateAsync} />;
}
