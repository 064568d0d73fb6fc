import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationOf, providerName, serverOf } from './gen-ai-attributes.ts';

test('every endpoint that asks a model has an operation of the conventions, or one of its own where they have none', () => {
  for (const [endpoint, name, outputType] of [
    ['/v1/chat/completions', 'chat'],
    ['/v1/responses', 'chat'],
    ['/v1/messages', 'chat'],
    ['/v1/completions', 'text_completion'],
    ['/v1beta/models/*:streamGenerateContent', 'generate_content'],
    ['/v1beta/models/*:batchEmbedContents', 'embeddings'],
    ['/v1/embeddings', 'embeddings'],
    ['/v1/images/edits', 'generate_content', 'image'],
    ['/v1/audio/speech', 'generate_content', 'speech'],
    ['/v1/audio/transcriptions', 'transcription', 'text'],
    ['/v1/video/generations', 'generate_content', 'video'],
    ['/v1/videos', 'generate_content', 'video'],
    ['/v2/rerank', 'rerank'],
  ] as const)
    assert.deepEqual(operationOf(endpoint), { name, outputType }, endpoint);
  for (const endpoint of ['/v1/messages/count_tokens', '/v1beta/models/*:countTokens', '/v1/responses/{id}'])
    assert.equal(operationOf(endpoint), undefined, endpoint);
});

test('providers have the names of the conventions, vendors of the compatible protocol by their host', () => {
  for (const [provider, baseUrl, name] of [
    ['openai', 'https://api.openai.com/v1', 'openai'],
    ['openai', 'https://api.deepseek.com/v1', 'deepseek'],
    ['openai', 'https://notdeepseek.com/v1', 'openai'],
    ['anthropic', 'https://api.anthropic.com', 'anthropic'],
    ['gemini', 'https://generativelanguage.googleapis.com', 'gcp.gemini'],
    ['vertex', 'https://aiplatform.googleapis.com', 'gcp.vertex_ai'],
    ['azure', 'https://x.openai.azure.com', 'azure.ai.openai'],
    ['bedrock', 'https://bedrock-runtime.us-east-1.amazonaws.com', 'aws.bedrock'],
    ['kling', 'https://api-singapore.klingai.com', 'kling'],
  ] as const)
    assert.equal(providerName({ provider, baseUrl }), name, baseUrl);
});

test('an address has its port, also where it is not written', () => {
  assert.deepEqual(serverOf('https://a.example/v1'), { 'server.address': 'a.example', 'server.port': 443 });
  assert.deepEqual(serverOf('http://127.0.0.1:8090'), { 'server.address': '127.0.0.1', 'server.port': 8090 });
  assert.equal(serverOf(''), undefined);
});
