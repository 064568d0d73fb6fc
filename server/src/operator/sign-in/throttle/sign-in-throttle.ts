// Slows down guessing. Failures are counted by name and by address apart, in the store (contract-2 10). Guesses at a name
// refuse it, but not at the addresses from which it has signed in before, which have a count of their own. An address with
// too many failures is refused when it is wrong again: a right password is never refused because other names were guessed.
import { GatewayError } from '../../../errors/gateway-error.ts';
import { wait } from '../../../shared/wait.ts';
import type { Store } from '../../../store/store.ts';
import type { OperatorDependencies } from '../../dependencies.ts';
import { digest } from '../session-cookie.ts';
import { auditGuess, type Guess } from './audit-guess.ts';
import { type Count, GuessCounts } from './guess-counts.ts';
import { networkOf } from './network-of.ts';

const PER_NAME = 10;
/** Higher, because operators may share a proxy's address. */
export const PER_ADDRESS = 30;
/** Wrong guesses of a throttled address take equally long, so that time does not tell which names exist. */
export const THROTTLED_MS = 250;
/** Fields whose refusal is that of a guess. */
const GUESSED_FIELDS: ReadonlySet<string | undefined> = new Set(['password', 'current_password', 'code']);

export interface SignInTry {
  name: string;
  /** Who has that name; undefined = nobody. */
  operator: { id: string; name: string } | undefined;
  address: string;
}

export interface Attempt {
  /** Too many have failed from there. Who is right is let in all the same. */
  isAddressOver: boolean;
  /** What is thrown in it about a wrong password or code is a failed sign-in, all else is not judged. */
  judge<T>(work: () => Promise<T>): Promise<T>;
  /** Writes the failure to the audit log and answers what is to be thrown. */
  refuse(error: Error, reason: string): Promise<Error>;
  succeed(): Promise<void>;
}

export class SignInThrottle {
  readonly #store: Store;
  readonly #counts: GuessCounts;
  readonly #kind: string;

  /** Each kind of sign-in counts its addresses apart. */
  constructor(
    dependencies: Pick<OperatorDependencies, 'store' | 'clock'>,
    kind: 'password' | 'oidc' | 'portal' | 'portal oidc',
  ) {
    this.#store = dependencies.store;
    this.#counts = new GuessCounts(dependencies);
    this.#kind = kind;
  }

  /** Counts as a failure until it succeeds, so that parallel guesses are counted too. Throws 429 for a guessed name. */
  async begin({ name, operator, address }: SignInTry): Promise<Attempt> {
    const startedAt = performance.now();
    const network = networkOf(address);
    const subjects = {
      address: `${this.#kind} address ${network}`,
      known: `known ${digest(name)} ${network}`,
      name: undefined as string | undefined,
    };
    const byAddress = await this.#counts.add(subjects.address);
    const isAddressOver = byAddress.failures > PER_ADDRESS;
    const guess: Omit<Guess, 'reason'> = { action: 'session.refuse', address, operator, byAddress };
    // Nobody signs in with a name that nobody has: from a throttled address such names would only fill the table.
    if (operator !== undefined || !isAddressOver) {
      const isKnown = operator !== undefined && (await this.#counts.find(subjects.known)) !== undefined;
      subjects.name = `name ${digest(name)}${isKnown ? ` ${network}` : ''}`;
      const byName = await this.#counts.add(subjects.name);
      if (byName.failures > PER_NAME) {
        await auditGuess(this.#store, this.#counts, { ...guess, reason: 'too many guesses at this name' });
        throw this.#tooMany(byName);
      }
    }
    const refuse = async (error: Error, reason: string): Promise<Error> => {
      await auditGuess(this.#store, this.#counts, { ...guess, reason });
      if (!isAddressOver) return error;
      await wait(Math.max(0, startedAt + THROTTLED_MS - performance.now()));
      return this.#tooMany(byAddress);
    };
    const succeed = (): Promise<void> => this.#counts.succeed(subjects);
    return { isAddressOver, refuse, succeed, judge: (work) => judge(work, { refuse, succeed }) };
  }

  /** For sign-ins without a name: the address alone decides. Throws 429. */
  async beginUnnamed(address: string): Promise<Attempt> {
    const subjects = { address: `${this.#kind} address ${networkOf(address)}`, name: undefined, known: undefined };
    const byAddress = await this.#counts.add(subjects.address);
    const refuse = async (error: Error, reason: string): Promise<Error> => {
      await auditGuess(this.#store, this.#counts, { action: 'session.refuse', address, byAddress, reason });
      return error;
    };
    if (byAddress.failures > PER_ADDRESS) throw await refuse(this.#tooMany(byAddress), 'too many guesses');
    const succeed = (): Promise<void> => this.#counts.succeed(subjects);
    return { isAddressOver: false, refuse, succeed, judge: (work) => judge(work, { refuse, succeed }) };
  }

  #tooMany({ endsAt }: Count): GatewayError {
    return tooManyGuesses(endsAt - this.#counts.now);
  }
}

export function tooManyGuesses(seconds: number): GatewayError {
  return new GatewayError('rate_limit_exceeded', {
    message: 'Too many failed sign-ins. Wait before trying again.',
    retryAfter: Math.max(1, seconds),
  });
}

async function judge<T>(work: () => Promise<T>, { refuse, succeed }: Pick<Attempt, 'refuse' | 'succeed'>): Promise<T> {
  let answer: T;
  try {
    answer = await work();
  } catch (error) {
    if (error instanceof GatewayError && isGuess(error)) throw await refuse(error, error.message);
    throw error;
  }
  await succeed();
  return answer;
}

function isGuess({ code, details }: GatewayError): boolean {
  return code === 'invalid_api_key' || (code === 'invalid_request' && GUESSED_FIELDS.has(details.param));
}
