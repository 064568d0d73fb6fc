// Prices as the gateway computes with them: whole nano-units. The operator's decimal text is read here once.
export type TokenPart =
  | 'input'
  | 'output'
  | 'cached_input'
  | 'cache_write'
  | 'audio_input'
  | 'audio_output'
  | 'image_input'
  | 'image_output';

export interface TokensPrice {
  unit: 'tokens';
  /** Nano-units per million tokens; a part without a price of its own is charged as input or output. */
  perMillion: { input: bigint; output: bigint } & Partial<Record<TokenPart, bigint>>;
}

export interface RequestPrice {
  unit: 'request';
  amount: bigint;
}

/** Units whose endpoints are not served yet are kept as text and make a model unavailable for text endpoints. */
export interface OtherPrice {
  unit: 'image' | 'second' | 'video_tokens' | 'characters' | 'audio_second' | 'search';
}

export type Price = (TokensPrice | RequestPrice | OtherPrice) & {
  /** The operator's own text, stored with each hold. */
  text: string;
};
