// Whom an upstream's refusal is about: the content of this request, the model, or our key. Read from the code, the type and
// the words of its body, by a table of rules that every provider declares. It decides what the status alone cannot: a 403
// about somebody else's file says nothing about the key that was sent with it.
import type { FailureClass } from '../errors/failure-class.ts';
import type { UpstreamComplaint } from '../protocols/protocol.ts';
import { classOfStatus, UpstreamError, type UpstreamErrorFacts } from './upstream-error.ts';
import type { VideoProvider } from './video-provider.ts';

export type RefusalAbout = 'request' | 'model' | 'key';

export interface Refusal {
  status: number;
  code?: string | undefined;
  type?: string | undefined;
  message?: string | undefined;
  /** The protocol itself knows that the key was refused. */
  isOfKey?: boolean | undefined;
}

/** Codes are compared in lower case, without anything but letters and digits. The first rule that fits decides. */
export interface RefusalRule {
  about: RefusalAbout;
  codes?: RegExp;
  /** Of a 403 only: elsewhere a message repeats what the caller wrote, or the status says enough. */
  words?: RegExp;
  /** Where these words decide, whatever the status: anchored, so that no caller can write them. */
  anyStatus?: true;
}

const OBJECT =
  '(?:files?|images?|videos?|audio|documents?|attachments?|uploads?|containers?|conversations?|vector stores?|threads?|assistants?|batch(?:es)?|cached contents?|prompts?|items?|objects?)';

/** For upstreams that declare none of their own, and behind those that do. */
export const commonRefusals: readonly RefusalRule[] = [
  {
    about: 'request',
    codes:
      /content(?:policy|filter|moderation|blocked|violation)|moderation|flagged|safety|sensitive|datainspection|policyviolation|usagepolicy|prohibitedcontent|promptblocked|inputblocked|copyright|^file|file(?:not|access|permission|forbidden)|object(?:access|permission|forbidden)/,
  },
  { about: 'model', codes: /model(?:not|access|permission|unavailable)|unpurchased|unsupportedmodel/ },
  {
    about: 'key',
    codes:
      /apikey|authenticat|unauthorized|account(?:deactivated|disabled|suspended|overdue|blocked|problem)|organi[sz]ation(?:deactivated|disabled|suspended|restricted)|billing|insufficient(?:quota|balance|credit|fund)|exceededcurrentquota|arrear|overdue|creditbalance|payment|key(?:expired|disabled|revoked)|missingscope|consumer(?:suspended|invalid)|servicedisabled|unsupportedcountry/,
  },
  {
    about: 'request',
    words:
      /\bmoderation\b|\bflagged\b|\bcontent[ _-](?:policy|policies|filter)|\busage polic|\bsafety (?:system|polic|filter|reason)|\b(?:inappropriate|sensitive|prohibited|harmful) (?:content|information|material)|\bviolat/i,
  },
  {
    about: 'request',
    words: new RegExp(
      `\\b${OBJECT}\\b[^.]{0,80}\\b(?:permission|access|belongs?|own(?:s|ed|er)?|another|forbidden|denied)\\b|\\b(?:permission|access|allowed|forbidden|denied|authori[sz]ed|own)\\b[^.]{0,60}\\b${OBJECT}\\b|\\b(?:file|asst|vs|conv|resp|cntr|thread|batch)[-_][a-z0-9]{6,}`,
      'i',
    ),
  },
  {
    about: 'model',
    words:
      /\b(?:access|permission|allowed|enabled)\b[^.]{0,60}\bmodel\b|\bmodel\b[^.]{0,80}\b(?:access|permission|allowed|enabled)\b/i,
  },
  {
    about: 'key',
    words:
      /\bapi[ -]?key\b|\byour key\b|\bcredentials?\b|\borgani[sz]ation\b|\baccount\b|\bbilling\b|\bcredits?\b|\bbalance\b|\bquota\b|\bscopes?\b|\bip address\b|\bcountry\b|\bsubscription\b|\bproject\b/i,
  },
];

const LONGEST_WORDS = 1_000;

function aboutOf(refusal: Refusal, rules: readonly RefusalRule[] = commonRefusals): RefusalAbout | undefined {
  if (refusal.isOfKey === true) return 'key';
  const code = plain(refusal.code);
  const type = plain(refusal.type);
  const byCode = (name: string): RefusalRule | undefined =>
    name === '' ? undefined : rules.find(({ codes }) => codes?.test(name) === true);
  const found = byCode(code) ?? (refusal.status === 403 ? byCode(type) : undefined);
  if (found !== undefined) return found.about;
  const message = refusal.message?.slice(0, LONGEST_WORDS) ?? '';
  return rules.find(
    ({ words, anyStatus }) => words?.test(message) === true && (anyStatus === true || refusal.status === 403),
  )?.about;
}

/** The class of an answer that is no success, and whom it is about where that is known. */
export function judgeRefusal(
  refusal: Refusal,
  rules?: readonly RefusalRule[],
): { errorClass: FailureClass; about: RefusalAbout | undefined } {
  const byStatus = classOfStatus(refusal.status) ?? 'malformed';
  if (byStatus !== 'unauthorised' && byStatus !== 'refused' && byStatus !== 'limited')
    return { errorClass: byStatus, about: undefined };
  const about = aboutOf(refusal, rules);
  if (about === 'key') return { errorClass: 'unauthorised', about };
  // A request that pays too little is no matter of its content, whatever the words.
  if (about === 'request' && byStatus === 'unauthorised' && refusal.status !== 402)
    return { errorClass: 'refused', about };
  return { errorClass: byStatus, about };
}

/** What an answer that is no success says, as an error. */
export function refusalError(
  text: string,
  { status, ...complaint }: UpstreamComplaint & { status: number },
  { rules, retryAfter }: { rules: readonly RefusalRule[] | undefined; retryAfter?: number | undefined },
): UpstreamError {
  const { message, code, param } = complaint;
  const { errorClass, about } = judgeRefusal({ ...complaint, status }, rules);
  const facts: UpstreamErrorFacts = {
    status,
    ...(about !== undefined && { about }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(message !== undefined && { upstreamMessage: message }),
    ...(code !== undefined && { upstreamCode: code }),
    ...(param !== undefined && { upstreamParam: param }),
  };
  return new UpstreamError(errorClass, text, facts);
}

export interface AnsweredTask {
  status: number;
  /** Whom a refusal is about, as the provider declares it. */
  refusals?: readonly RefusalRule[] | undefined;
}

/**
 * A refusal inside an answer of success about a video, as the error it would have been with the status that its code stands
 * for; undefined when the body is none.
 */
export function refusalIn(
  video: Pick<VideoProvider, 'readRefusal' | 'readComplaint'>,
  body: Buffer,
  { status, refusals: rules }: AnsweredTask,
): UpstreamError | undefined {
  const meant = video.readRefusal(body, status);
  if (meant === undefined || classOfStatus(meant) === undefined) return undefined;
  const complaint = { ...video.readComplaint(body), status: meant };
  return refusalError(`the upstream refused with status ${status}`, complaint, { rules });
}

function plain(name: string | undefined): string {
  return (name ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
}
