// Judges a text by word lists: enough to see a flag go up, not a filter. Scores rise with the number of hits.

export const categories = [
  'harassment',
  'harassment/threatening',
  'sexual',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm/intent',
  'self-harm/instructions',
  'self-harm',
  'sexual/minors',
  'violence',
  'violence/graphic',
] as const;

export type Category = (typeof categories)[number];

/** The categories that the real service also applies to images. */
export const imageCategories: readonly Category[] = [
  'sexual',
  'self-harm/intent',
  'self-harm/instructions',
  'self-harm',
  'violence',
  'violence/graphic',
];

const patterns: Readonly<Partial<Record<Category, RegExp>>> = {
  harassment: /\b(idiot|stupid|loser|moron|worthless|shut up)\b/gi,
  'harassment/threatening': /\b(i will|i'll|going to) (hurt|find|kill|beat) (you|him|her|them)\b/gi,
  sexual: /\b(porn|explicit sex|nude)\b/gi,
  hate: /\b(i hate (all|those) \w+|subhuman|vermin)\b/gi,
  illicit: /\b(shoplift|counterfeit|launder money|steal a car|pick a lock)\b/gi,
  'illicit/violent': /\b(make|build) (a )?(bomb|weapon)\b/gi,
  'self-harm/intent': /\b(i want to (die|hurt myself)|end my life)\b/gi,
  'self-harm': /\b(suicide|hurt(ing)? myself|self-harm|end my life|i want to die)\b/gi,
  violence: /\b(kill|murder|stab|shoot|attack|beat (you|him|her|them)|bomb)\b/gi,
  'violence/graphic': /\b(gore|dismember\w*|blood everywhere)\b/gi,
};
const restingScore = 0.00001;

/** 0 to 1 for every category; from 0.5 on it counts as flagged. */
export function judgeText(text: string): Record<Category, number> {
  const entries = categories.map((category, index) => {
    const pattern = patterns[category];
    const hits = pattern === undefined ? 0 : (text.match(pattern)?.length ?? 0);
    return [category, hits === 0 ? restingScore * (index + 1) : 1 - 0.35 / 2 ** hits] as const;
  });
  return Object.fromEntries(entries) as Record<Category, number>;
}
