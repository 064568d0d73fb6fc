"""The openai package: chat, responses, files."""
import io
import json

import openai
from pydantic import BaseModel

from checks import CHAT, PICTURE, TOKEN, URL, WEATHER, check, expect, raises, version_of

version_of('openai')
client = openai.OpenAI(api_key=TOKEN, base_url=f'{URL}/v1', max_retries=0)
TOOL = {'type': 'function', 'function': {'name': 'get_weather', 'parameters': WEATHER}}


class City(BaseModel):
    city: str


@check('prompt')
def prompt():
    chat = client.chat.completions.create(model=CHAT, messages=[{'role': 'user', 'content': 'Hello'}])
    expect('You said: Hello' in chat.choices[0].message.content, chat)
    expect('You said: Hello' in client.responses.create(model=CHAT, input='Hello').output_text, 'responses')


@check('stream')
def stream():
    chunks = client.chat.completions.create(
        model=CHAT, messages=[{'role': 'user', 'content': 'Hello'}], stream=True, stream_options={'include_usage': True}
    )
    pieces = list(chunks)
    text = ''.join(piece.choices[0].delta.content or '' for piece in pieces if piece.choices)
    expect('You said: Hello' in text and pieces[-1].usage.total_tokens > 0, text)
    with client.responses.stream(model=CHAT, input='Hello') as events:
        expect('You said: Hello' in events.get_final_response().output_text, 'responses')


@check('tools')
def tools():
    messages = [{'role': 'user', 'content': 'get_weather now'}]
    said = client.chat.completions.create(model=CHAT, messages=messages, tools=[TOOL]).choices[0].message
    call = said.tool_calls[0]
    expect(json.loads(call.function.arguments)['city'], call)
    messages += [said, {'role': 'tool', 'tool_call_id': call.id, 'content': 'rain'}]
    answer = client.chat.completions.create(model=CHAT, messages=messages, tools=[TOOL])
    expect('rain' in answer.choices[0].message.content, answer)


@check('schema')
def schema():
    parsed = client.chat.completions.parse(
        model=CHAT, messages=[{'role': 'user', 'content': 'As JSON'}], response_format=City
    )
    expect(parsed.choices[0].message.parsed.city, parsed)
    expect(client.responses.parse(model=CHAT, input='As JSON', text_format=City).output_parsed.city, 'responses')


@check('images')
def images():
    content = [{'type': 'text', 'text': 'What is this?'}, {'type': 'image_url', 'image_url': {'url': PICTURE}}]
    expect(client.chat.completions.create(model=CHAT, messages=[{'role': 'user', 'content': content}]).choices, 'none')
    made = client.images.generate(model='sandbox-image', prompt='a boat', size='256x256', response_format='b64_json')
    expect(made.data[0].b64_json, 'no picture')


@check('files')
def files():
    file = client.files.create(file=('notes.txt', io.BytesIO(b'Buy milk')), purpose='user_data')
    expect(client.files.content(file.id).read() == b'Buy milk', 'content')
    content = [{'type': 'input_text', 'text': 'Hello'}, {'type': 'input_file', 'file_id': file.id}]
    expect(client.responses.create(model=CHAT, input=[{'role': 'user', 'content': content}]).output_text, 'none')
    expect(client.files.delete(file.id).deleted, 'not deleted')


@check('errors')
def errors():
    ask = dict(messages=[{'role': 'user', 'content': 'Hello'}])
    error = raises(openai.NotFoundError, lambda: client.chat.completions.create(model='nobody', **ask))
    expect(error.code == 'model_not_found', error)
    raises(openai.BadRequestError, lambda: client.chat.completions.create(model=CHAT, messages=[]))
    wrong = openai.OpenAI(api_key='sk-wrong', base_url=f'{URL}/v1', max_retries=0)
    raises(openai.AuthenticationError, lambda: wrong.chat.completions.create(model=CHAT, **ask))
