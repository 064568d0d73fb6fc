"""The anthropic package: messages."""
import anthropic

from checks import MESSAGES, PNG, TOKEN, URL, WEATHER, check, expect, raises, version_of

version_of('anthropic')
client = anthropic.Anthropic(api_key=TOKEN, base_url=URL, max_retries=0)
ASK = dict(model=MESSAGES, max_tokens=500)
TOOL = {'name': 'get_weather', 'input_schema': WEATHER}
HELLO = [{'role': 'user', 'content': 'Hello'}]


@check('prompt')
def prompt():
    expect('You said: Hello' in client.messages.create(**ASK, messages=HELLO).content[0].text, 'no text')
    expect(client.messages.count_tokens(model=MESSAGES, messages=HELLO).input_tokens > 0, 'no count')


@check('stream')
def stream():
    with client.messages.stream(**ASK, messages=HELLO) as events:
        expect('You said: Hello' in events.get_final_text(), 'no text')


@check('tools')
def tools():
    messages = [{'role': 'user', 'content': 'get_weather now'}]
    said = client.messages.create(**ASK, messages=messages, tools=[TOOL])
    call = next(block for block in said.content if block.type == 'tool_use')
    result = {'type': 'tool_result', 'tool_use_id': call.id, 'content': 'rain'}
    messages += [{'role': 'assistant', 'content': said.content}, {'role': 'user', 'content': [result]}]
    expect('rain' in client.messages.create(**ASK, messages=messages, tools=[TOOL]).content[0].text, 'no rain')


@check('schema')
def schema():
    form = {'format': {'type': 'json_schema', 'schema': {**WEATHER, 'additionalProperties': False}}}
    expect('city' in client.messages.create(**ASK, messages=HELLO, output_config=form).content[0].text, 'no city')


@check('images')
def images():
    source = {'type': 'base64', 'media_type': 'image/png', 'data': PNG}
    content = [{'type': 'text', 'text': 'What is this?'}, {'type': 'image', 'source': source}]
    expect(client.messages.create(**ASK, messages=[{'role': 'user', 'content': content}]).content, 'no answer')


@check('files')
def files():
    source = {'type': 'text', 'media_type': 'text/plain', 'data': 'Buy milk'}
    content = [{'type': 'text', 'text': 'Hello'}, {'type': 'document', 'source': source}]
    expect(client.messages.create(**ASK, messages=[{'role': 'user', 'content': content}]).content, 'no answer')
    return 'documents in the request work; beta.files is not served: files are uploaded at /v1/files of OpenAI'


@check('errors')
def errors():
    ask = dict(max_tokens=10, messages=HELLO)
    raises(anthropic.NotFoundError, lambda: client.messages.create(model='nobody', **ask))
    raises(anthropic.BadRequestError, lambda: client.messages.create(model=MESSAGES, max_tokens=10, messages=[]))
    wrong = anthropic.Anthropic(api_key='sk-wrong', base_url=URL, max_retries=0)
    raises(anthropic.AuthenticationError, lambda: wrong.messages.create(model=MESSAGES, **ask))
