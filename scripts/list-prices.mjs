// `npm run list-prices`: makes server/src/catalogue/list-prices.json, the public list prices that an operator can import, from
// the development package @pydantic/genai-prices (MIT). Run after updating that package; nothing of it runs in the gateway.
import { readFileSync, writeFileSync } from 'node:fs';
import { findProvider } from '@pydantic/genai-prices';

const TARGET = new URL('../server/src/catalogue/list-prices.json', import.meta.url);
/** Those who sell their own models; resellers price the same names differently. */
const PROVIDERS = 'openai anthropic google mistral deepseek cohere x-ai moonshotai minimax zai perplexity'.split(' ');
const FIELDS = {
  input: 'input_mtok',
  output: 'output_mtok',
  cached_input: 'cache_read_mtok',
  cache_write: 'cache_write_mtok',
  audio_input: 'input_audio_mtok',
  audio_output: 'output_audio_mtok',
  image_input: 'input_image_mtok',
  image_output: 'output_image_mtok',
};

const { version } = JSON.parse(
  readFileSync(new URL('../node_modules/@pydantic/genai-prices/package.json', import.meta.url), 'utf8'),
);
const rows = new Map();
for (const provider of PROVIDERS)
  for (const model of findProvider({ providerId: provider })?.models ?? []) {
    const row = rowOf(provider, model);
    if (row !== undefined && !rows.has(row.model)) rows.set(row.model, row);
  }
const lines = [...rows.values()]
  .sort((a, b) => (a.model < b.model ? -1 : 1))
  .map((row) => `    ${JSON.stringify(row)}`);
writeFileSync(
  TARGET,
  `{\n  "source": "@pydantic/genai-prices ${version} (MIT)",\n  "prices": [\n${lines.join(',\n')}\n  ]\n}\n`,
);
console.log(`${lines.length} prices`);

/** Only what is sold by input and output tokens; undefined for the rest. */
function rowOf(provider, { id, prices, deprecated }) {
  const current = Array.isArray(prices) ? currentOf(prices) : prices;
  if (current === undefined || deprecated === true) return undefined;
  const price = ratesOf(current, (value) => value.base);
  if (price.input === undefined) return undefined;
  const tools = toolsOf(current);
  const above = aboveOf(current);
  return {
    model: id,
    provider,
    price: {
      unit: 'tokens',
      ...price,
      ...(above.length > 0 && { above }),
      ...(tools !== undefined && { tools }),
    },
  };
}

/** `valueOf` reads one that depends on the length of the prompt. */
function ratesOf(current, valueOf) {
  const rates = {};
  for (const [name, field] of Object.entries(FIELDS)) {
    const value = current[field];
    if (value !== undefined) rates[name] = decimal(typeof value === 'number' ? value : valueOf(value));
    else if (name === 'output') rates[name] = '0'; // vectors are no output
  }
  return rates;
}

/** A call of more input tokens than `start` has the rates of that tier, all of it. */
function aboveOf(current) {
  const starts = new Set(Object.values(current).flatMap((value) => (value.tiers ?? []).map(({ start }) => start)));
  return [...starts]
    .sort((a, b) => a - b)
    .map((start) => ({
      input_tokens: start,
      ...ratesOf(current, ({ base, tiers }) => tiers.findLast((tier) => tier.start <= start)?.price ?? base),
    }));
}

/** Per thousand there, per use here. */
function toolsOf({ web_searches_kcount: searches, storage_searches_kcount: fileSearches }) {
  const tools = {
    ...(typeof searches === 'number' && { web_search: decimal(searches / 1000) }),
    ...(typeof fileSearches === 'number' && { file_search: decimal(fileSearches / 1000) }),
  };
  return Object.keys(tools).length === 0 ? undefined : tools;
}

/** The last one that has begun and is not bound to a time of day. */
function currentOf(prices) {
  const today = new Date().toISOString().slice(0, 10);
  return prices.findLast(
    ({ constraint }) =>
      constraint === undefined || (constraint.type === 'start_date' && constraint.start_date.slice(0, 10) <= today),
  )?.prices;
}

function decimal(number) {
  return number.toFixed(9).replace(/\.?0+$/, '');
}
