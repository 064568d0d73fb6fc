// Embeddings, moderations and rerank in the OpenAPI document.
import { embeddingFields } from '../../../protocols/openai-embeddings/wire.ts';
import { moderationFields } from '../../../protocols/openai-moderations/read-request.ts';
import { rerankFields } from '../../../protocols/rerank/wire.ts';
import { bodyFrom } from '../from-fields.ts';
import {
  type Components,
  count,
  type Descriptions,
  either,
  flag,
  list,
  map,
  must,
  number,
  object,
  oneWord,
  ref,
  text,
  whole,
} from '../schema.ts';

const rerankBody = bodyFrom({
  fields: rerankFields,
  required: ['model', 'query', 'documents'],
  notes: {
    model: 'Name of a model of GET /v1/models',
    query: 'What the documents are compared with',
    documents: {
      about: 'Texts, or objects with a `text`',
      schema: list(either(undefined, text(), whole({ text: text() })), undefined, { minItems: 1 }),
    },
    top_n: { about: 'How many at most; all where it is absent', least: 1 },
    return_documents: 'Whether the answer repeats the documents',
  },
});

export const components: Components = {
  Ranking: object({
    id: text(),
    model: must(text()),
    results: must(
      list(
        object({
          index: must(count('Of the document in the request')),
          relevance_score: must(number()),
          document: whole({ text: text() }),
        }),
      ),
    ),
    usage: must(object({ prompt_tokens: count(), total_tokens: count(), search_units: must(count()) })),
    meta: whole({
      api_version: whole({ version: text() }),
      billed_units: whole({ search_units: count() }),
    }),
  }),
};

const rerank = (operationId: string): Descriptions[string] => ({
  operationId,
  body: rerankBody,
  example: {
    model: 'rerank-example',
    query: 'Where is Oslo?',
    documents: ['In Norway.', { text: 'In a box.' }],
    top_n: 1,
  },
  answer: ref('Ranking'),
  answerExample: {
    model: 'rerank-example',
    results: [{ index: 0, relevance_score: 0.98 }],
    usage: { search_units: 1 },
  },
});

export const descriptions: Descriptions = {
  'POST /v1/embeddings': {
    operationId: 'createEmbeddings',
    body: bodyFrom({
      fields: embeddingFields,
      required: ['model', 'input'],
      notes: {
        model: 'Name of a model of GET /v1/models',
        input: 'A text, texts, token ids or lists of them; not empty',
        encoding_format: 'float or base64',
        dimensions: { about: 'Length of the vectors', least: 1 },
        user: 'Who asks, for the provider',
      },
    }),
    example: { model: 'embedding-example', input: ['A text', 'Another'] },
    answer: object({
      object: oneWord('list'),
      model: text(),
      data: must(
        list(
          object({
            object: text(),
            index: must(count()),
            embedding: must(either('Numbers, or base64', list(number()), text())),
          }),
        ),
      ),
      usage: object({ prompt_tokens: count(), total_tokens: count() }),
    }),
    answerExample: {
      object: 'list',
      model: 'embedding-example',
      data: [{ object: 'embedding', index: 0, embedding: [0.1, -0.2] }],
      usage: { prompt_tokens: 2, total_tokens: 2 },
    },
  },
  'POST /v1/moderations': {
    operationId: 'createModeration',
    body: bodyFrom({
      fields: moderationFields,
      required: ['input'],
      notes: {
        model: 'Name of a model; the newest of the provider where it is absent',
        input: {
          about: 'A text, texts, or the parts of one message; not empty',
          schema: either(undefined, text(), list(text()), list(map())),
        },
      },
    }),
    example: { input: 'Is this all right?' },
    answer: object({
      id: text(),
      model: text(),
      results: must(
        list(
          object({
            flagged: must(flag()),
            categories: map(undefined, flag()),
            category_scores: map(undefined, number()),
          }),
        ),
      ),
    }),
    answerExample: {
      id: 'modr-1',
      model: 'omni-moderation-latest',
      results: [{ flagged: false, categories: { violence: false } }],
    },
  },
  'POST /v1/rerank': rerank('rerank'),
  'POST /v2/rerank': rerank('rerankV2'),
  'POST /rerank': rerank('rerankUnversioned'),
};
