// Names of models at Bedrock: which of them are Claude, and which can be counted for.

/** `anthropic.claude-sonnet-4-5-20250929-v1:0`, also behind a region (`us.`) or at the end of an ARN. */
const CLAUDE = /(?:^|[./])anthropic\.claude/;
/** Inference profiles of a geography stand for the model behind it. */
const GEOGRAPHY = /^(?:us|us-gov|eu|apac|jp|au|ca|sa|global)\.(?=anthropic\.)/;

export function isClaude(model: string): boolean {
  return CLAUDE.test(model);
}

/** The name that CountTokens takes; undefined where it takes none: profiles of one's own do not tell their model. */
export function countedModel(model: string): string | undefined {
  return model.startsWith('arn:') ? undefined : model.replace(GEOGRAPHY, '');
}

export function modelPath(model: string, action: string): string {
  return `/model/${encodeURIComponent(model)}/${action}`;
}
