"""litellm as a client: the gateway as an OpenAI-compatible, an Anthropic and a Gemini address."""
import json

import litellm
from pydantic import BaseModel

from checks import CHAT, MESSAGES, PICTURE, TOKEN, URL, WEATHER, check, expect, raises, version_of

version_of('litellm')
ASK = dict(model=f'openai/{CHAT}', api_base=f'{URL}/v1', api_key=TOKEN, num_retries=0)
HELLO = [{'role': 'user', 'content': 'Hello'}]
TOOL = {'type': 'function', 'function': {'name': 'get_weather', 'parameters': WEATHER}}


class City(BaseModel):
    city: str


@check('prompt')
def prompt():
    expect('You said: Hello' in litellm.completion(**ASK, messages=HELLO).choices[0].message.content, 'openai')
    own = litellm.completion(model=f'anthropic/{MESSAGES}', api_base=URL, api_key=TOKEN, messages=HELLO)
    expect('You said: Hello' in own.choices[0].message.content, 'anthropic')


@check('stream')
def stream():
    pieces = litellm.completion(**ASK, messages=HELLO, stream=True)
    expect('You said: Hello' in ''.join(piece.choices[0].delta.content or '' for piece in pieces), 'no text')


@check('tools')
def tools():
    messages = [{'role': 'user', 'content': 'get_weather now'}]
    said = litellm.completion(**ASK, messages=messages, tools=[TOOL]).choices[0].message
    call = said.tool_calls[0]
    expect(json.loads(call.function.arguments)['city'], call)
    messages += [said.model_dump(), {'role': 'tool', 'tool_call_id': call.id, 'content': 'rain'}]
    expect('rain' in litellm.completion(**ASK, messages=messages, tools=[TOOL]).choices[0].message.content, 'no rain')


@check('schema')
def schema():
    answer = litellm.completion(**ASK, messages=HELLO, response_format=City)
    expect(City.model_validate_json(answer.choices[0].message.content).city, answer)


@check('images')
def images():
    content = [{'type': 'text', 'text': 'What is this?'}, {'type': 'image_url', 'image_url': {'url': PICTURE}}]
    expect(litellm.completion(**ASK, messages=[{'role': 'user', 'content': content}]).choices, 'no answer')


@check('errors')
def errors():
    raises(litellm.NotFoundError, lambda: litellm.completion(**{**ASK, 'model': 'openai/nobody'}, messages=HELLO))
    raises(litellm.AuthenticationError, lambda: litellm.completion(**{**ASK, 'api_key': 'sk-wrong'}, messages=HELLO))
