// Credentials in JSON of which the vendor makes tokens, at clouds that take a plain key as well: how either is sent.
import type { Clock } from '../../shared/clock.ts';
import type { Provider } from '../provider.ts';
import { bearer, keyHeader } from './api-key.ts';
import { fetchToken, type TokenCall } from './fetch-token.ts';
import { isJson, type ReadCredential } from './json-credential.ts';
import { MintedTokens } from './minted-tokens.ts';
import type { SigningSettings } from './sign.ts';

export interface TokenKind<Value> {
  read(credential: string): ReadCredential<Value>;
  /** Where the vendor gives its tokens out. */
  urlOf(value: Value): string;
  ask(value: Value, clock: Clock, credential: string): Omit<TokenCall, 'url'>;
}

/** `header` is where a plain key is sent. */
export function tokenOrKey<Value>(
  header: string,
  { read, urlOf, ask }: TokenKind<Value>,
): Required<Pick<Provider, 'sign' | 'forget' | 'checkCredential'>> {
  const signWithKey = keyHeader(header);
  const tokens = new MintedTokens();
  const addressOf = (value: Value, { options }: SigningSettings): string => options.tokenUrl ?? urlOf(value);
  return {
    sign(request, credential, clock, settings) {
      if (!isJson(credential)) return signWithKey(request, credential, clock, settings);
      const { value, id } = read(credential);
      const url = addressOf(value, settings);
      const token = tokens.get(`${url} ${id}`, clock, () =>
        fetchToken(settings, { url, ...ask(value, clock, credential) }),
      );
      const signed = (text: string) => bearer(request, text, clock, settings);
      return token instanceof Promise ? token.then(signed) : signed(token);
    },
    forget(credential, settings, { authorization = '' }) {
      if (!isJson(credential)) return false;
      const { id, value } = read(credential);
      tokens.forget(`${addressOf(value, settings)} ${id}`, authorization.replace(/^Bearer /, ''));
      return true;
    },
    checkCredential(credential) {
      if (!isJson(credential)) return undefined;
      try {
        read(credential);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message.replace(/^the credential cannot be used: /, '') : String(error);
      }
    },
  };
}
