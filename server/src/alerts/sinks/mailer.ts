// Sends mail through the SMTP server that the operator names. The library is loaded with the first mail.
import type { AttemptOutcome } from '../../deliveries/delivery-sender.ts';
import { plainText } from '../../shared/plain-text.ts';
import type { Message } from './message.ts';

export interface Mail extends Message {
  to: string[];
  /** The same for every attempt: mail readers show a message once. */
  id: string;
}

const TIMES = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const LONGEST_ERROR = 300;

interface SmtpError {
  code?: string;
  responseCode?: number;
  message?: string;
}

export class Mailer {
  readonly #url: URL | undefined;

  /** `smtp://user:password@host:port?from=alerts@example.com`, or `smtps:`. */
  constructor(url: string | undefined) {
    this.#url = url === undefined ? undefined : new URL(url);
  }

  get isConfigured(): boolean {
    return this.#url !== undefined;
  }

  async send({ to, id, subject, lines }: Mail): Promise<AttemptOutcome> {
    if (this.#url === undefined) return { status: null, error: 'TOLLGATE_SMTP_URL is not set' };
    const { createTransport } = await import('nodemailer');
    const url = new URL(this.#url);
    const from = url.searchParams.get('from') ?? `tollgate@${url.hostname}`;
    url.searchParams.delete('from');
    const transport = createTransport({ url: url.href, ...TIMES });
    try {
      const text = `${lines.join('\n')}\n`;
      const messageId = `<${id}@tollgate>`;
      await transport.sendMail({ from, to, subject, text, messageId, disableFileAccess: true, disableUrlAccess: true });
      return { status: 250, error: null };
    } catch (error) {
      const { code, responseCode, message } = error as SmtpError;
      return {
        status: responseCode ?? null,
        error: plainText(message ?? code ?? 'the mail was not taken', LONGEST_ERROR),
      };
    } finally {
      transport.close();
    }
  }
}
