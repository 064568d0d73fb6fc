"""llama-index with its OpenAI-like model."""
from llama_index.core.llms import ChatMessage, ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel

import base64

from checks import CHAT, PNG, TOKEN, URL, check, expect, raises, version_of

version_of('llama-index-llms-openai-like')


def model_of(name=CHAT, key=TOKEN):
    return OpenAILike(
        model=name,
        api_base=f'{URL}/v1',
        api_key=key,
        is_chat_model=True,
        is_function_calling_model=True,
        max_retries=0,
        context_window=8000,
    )


model = model_of()


class City(BaseModel):
    """A city."""

    city: str


def get_weather(city: str) -> str:
    """Weather of a city."""
    return f'rain in {city}'


@check('prompt')
def prompt():
    expect('You said: Hello' in model.complete('Hello').text, 'no text')


@check('stream')
def stream():
    pieces = list(model.stream_chat([ChatMessage(role='user', content='Hello')]))
    expect('You said: Hello' in pieces[-1].message.content, 'no text')


@check('tools')
def tools():
    answer = model.predict_and_call([FunctionTool.from_defaults(get_weather)], 'get_weather now')
    expect('rain' in str(answer), answer)


@check('schema')
def schema():
    from llama_index.core.prompts import PromptTemplate

    expect(model.structured_predict(City, PromptTemplate('As JSON')).city, 'no city')


@check('images')
def images():
    blocks = [TextBlock(text='What is this?'), ImageBlock(image=base64.b64decode(PNG), image_mimetype='image/png')]
    expect(model.chat([ChatMessage(role='user', blocks=blocks)]).message.content, 'no answer')


@check('errors')
def errors():
    raises(Exception, lambda: model_of('nobody').complete('Hello'))
    raises(Exception, lambda: model_of(key='sk-wrong').complete('Hello'))
