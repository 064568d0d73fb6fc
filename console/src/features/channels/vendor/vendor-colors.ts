// Colours and letters of the tiles that stand for vendors. A vendor that is not named here gets a colour of its own by its name.
const colors: readonly [begins: string, color: string][] = [
  ['OpenAI', '#0d0d0d'],
  ['Anthropic', '#d97757'],
  ['Google AI', '#1a73e8'],
  ['Google Gemini', '#1a73e8'],
  ['Google Vertex', '#34a853'],
  ['Azure', '#0067b8'],
  ['Amazon', '#ff9900'],
  ['DeepSeek', '#4d6bfe'],
  ['Mistral', '#fa520f'],
  ['Groq', '#f55036'],
  ['xAI', '#26272b'],
  ['OpenRouter', '#6467f2'],
  ['Together', '#0f6fff'],
  ['Fireworks', '#6720ff'],
  ['Moonshot', '#16191e'],
  ['Z.ai', '#2d2d2d'],
  ['Zhipu', '#3859ff'],
  ['MiniMax', '#f23f5d'],
  ['Qwen', '#615ced'],
  ['Alibaba', '#ff6a00'],
  ['Doubao', '#325ab4'],
  ['Volcengine', '#325ab4'],
  ['BytePlus', '#325ab4'],
  ['SiliconFlow', '#6e29f6'],
  ['Tencent', '#0053e0'],
  ['Baidu', '#2932e1'],
  ['NVIDIA', '#76b900'],
  ['Cerebras', '#f15a29'],
  ['Perplexity', '#20808d'],
  ['Cohere', '#39594d'],
  ['Hugging Face', '#ffd21e'],
  ['GitHub', '#24292f'],
  ['Cloudflare', '#f38020'],
  ['Databricks', '#ff3621'],
  ['Snowflake', '#29b5e8'],
  ['IBM', '#0f62fe'],
  ['Vercel', '#000000'],
  ['Ollama', '#3f3f46'],
  ['Kling', '#0a7d5f'],
  ['Runway', '#1f1f1f'],
  ['Luma', '#7a3cff'],
  ['Vidu', '#0e8df0'],
  ['Jina', '#eb6161'],
  ['Tollgate', '#5648f0'],
];

export function colorOf(name: string): string {
  const known = colors.find(([begins]) => name.startsWith(begins))?.[1];
  return known ?? made(name);
}

/** The same for a name every time; dark enough for white letters. */
function made(name: string): string {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 3600;
  return fromHue(sum % 360);
}

function fromHue(hue: number): string {
  const channel = (shift: number): string => {
    const k = (shift + hue / 30) % 12;
    const value = 0.36 - 0.2 * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

/** Would dark letters be read better on it? */
export function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.3;
}

/** One or two: initials of two words, else the capitals, else the first letter. */
export function letters(name: string): string {
  const words = name.split(/[\s,.()/-]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [first = '?', second] = words;
  const capitals = first.replaceAll(/[^\p{Lu}]/gu, '');
  if (capitals.length > 1) return capitals.slice(0, 2);
  return (second === undefined ? first.slice(0, 1) : first.slice(0, 1) + second.slice(0, 1)).toUpperCase();
}
