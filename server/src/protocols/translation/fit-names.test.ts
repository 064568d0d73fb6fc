// Names within an upstream's limits, and back (contract-2 7).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Generation } from '../../neutral/generation.ts';
import { ANTHROPIC_NAMES, FittedNames, GEMINI_NAMES, type NameLimits, OPENAI_NAMES } from './fit-names.ts';

const LONG = 'x'.repeat(70);

function generationOf(tools: string[], ids: string[] = []): Generation {
  return {
    model: 'm',
    stream: false,
    messages: ids.flatMap((id, index): Generation['messages'] => [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', id, name: tools[0] ?? 'f', arguments: '{}', path: `messages[${index}]` }],
        path: '',
      },
      { role: 'tool', content: [{ type: 'tool-result', callId: id, content: [], isError: false, path: '' }], path: '' },
    ]),
    tools: tools.map((name) => ({ name, path: 'tools[0]' })),
    settings: { toolChoice: { type: 'tool', name: tools.at(-1) ?? 'f' } },
    showsUsage: false,
    unknown: [],
  };
}

test('what fits is sent as it is, by the very same object', () => {
  for (const limits of [OPENAI_NAMES, ANTHROPIC_NAMES, GEMINI_NAMES]) {
    const generation = generationOf(['get_weather', 'a-b'], ['call_1', 'toolu_01']);
    assert.equal(new FittedNames(generation, limits).generation, generation);
  }
  const long = generationOf(['y'.repeat(128)]);
  assert.equal(new FittedNames(long, ANTHROPIC_NAMES).generation, long);
  const dotted = generationOf(['mcp.server:tool']);
  assert.equal(new FittedNames(dotted, GEMINI_NAMES).generation, dotted);
});

const PATTERNS: [NameLimits, RegExp][] = [
  [OPENAI_NAMES, /^[a-zA-Z0-9_-]{1,64}$/],
  [ANTHROPIC_NAMES, /^[a-zA-Z0-9_-]{1,128}$/],
  [GEMINI_NAMES, /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/],
];

test('tool names that do not fit are made to, stay distinct, are the same everywhere and come back (contract-2 7)', () => {
  const names = [
    'mcp/server tool',
    'mcp/server/tool',
    `${LONG}${LONG}a`,
    `${LONG}${LONG}b`,
    '1st',
    'caf\u00e9',
    '\ud800',
    'mcp_server_tool',
  ];
  for (const [limits, pattern] of PATTERNS) {
    const fitted = new FittedNames(generationOf(names, ['call_1']), limits);
    const { tools, messages, settings } = fitted.generation;
    const written = tools.map(({ name }) => name);
    for (const name of written) assert.match(name, pattern);
    assert.equal(new Set(written).size, names.length, 'distinct');
    assert.equal(messages[0]?.content[0]?.type === 'tool-call' && messages[0].content[0].name, written[0]);
    assert.deepEqual(settings.toolChoice, { type: 'tool', name: written.at(-1) });
    const again = new FittedNames(generationOf(names, ['call_1']), limits).generation.tools.map(({ name }) => name);
    assert.deepEqual(again, written, 'the same words every time');
    const result = fitted.inResult({
      id: 'r',
      content: written.map((name) => ({ type: 'tool-call', id: 'c', name, arguments: '{}', path: '' })),
      finish: { reason: 'tool-calls' },
      usage: undefined,
    });
    assert.deepEqual(
      result.content.map((part) => part.type === 'tool-call' && part.name),
      names,
    );
    const parts = written.map((name) =>
      fitted.inPart({ type: 'block-start', index: 0, block: { type: 'tool-call', id: 'c', name } }),
    );
    assert.deepEqual(
      parts.map((part) => part.type === 'block-start' && part.block.type === 'tool-call' && part.block.name),
      names,
    );
  }
});

test('call ids have at most 64 characters of the alphabet, one of call and result, and come back (contract-2 7)', () => {
  const ids = [`fc_${LONG}`, 'functions.get_weather:0', 'functions.get_weather:1', 'call|x', 'call_ok'];
  for (const [limits] of PATTERNS) {
    const fitted = new FittedNames(generationOf(['f'], ids), limits);
    const parts = fitted.generation.messages.flatMap(({ content }) => content);
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));
    const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : []));
    assert.deepEqual(calls, results);
    for (const id of calls) assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/);
    assert.equal(new Set(calls).size, ids.length);
    assert.equal(calls.at(-1), 'call_ok');
    const back = calls.map((id) =>
      fitted.inPart({ type: 'block-start', index: 0, block: { type: 'tool-call', id, name: 'f' } }),
    );
    assert.deepEqual(
      back.map((part) => part.type === 'block-start' && part.block.type === 'tool-call' && part.block.id),
      ids,
    );
  }
});
