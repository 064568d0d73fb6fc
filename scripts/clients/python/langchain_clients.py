"""langchain-openai, langchain-anthropic and langchain-google-genai."""
import sys

from langchain_core.tools import tool
from pydantic import BaseModel

from checks import CHAT, GENERATE, MESSAGES, PICTURE, TOKEN, URL, check, expect, raises, version_of

kind = sys.argv[1]
version_of(kind)


class City(BaseModel):
    """A city."""

    city: str


@tool
def get_weather(city: str) -> str:
    """Weather of a city."""
    return f'rain in {city}'


def model_of(name, key=TOKEN):
    if kind == 'langchain-openai':
        from langchain_openai import ChatOpenAI

        return ChatOpenAI(model=name or CHAT, api_key=key, base_url=f'{URL}/v1', max_retries=0)
    if kind == 'langchain-anthropic':
        from langchain_anthropic import ChatAnthropic

        return ChatAnthropic(model=name or MESSAGES, api_key=key, base_url=URL, max_retries=0, max_tokens=500)
    from langchain_google_genai import ChatGoogleGenerativeAI

    return ChatGoogleGenerativeAI(model=name or GENERATE, google_api_key=key, base_url=URL, max_retries=0)


model = model_of(None)


def text_of(message):
    content = message.content
    return content if isinstance(content, str) else ''.join(
        part if isinstance(part, str) else part.get('text', '') for part in content
    )


@check('prompt')
def prompt():
    expect('You said: Hello' in text_of(model.invoke('Hello')), 'no text')


@check('stream')
def stream():
    expect('You said: Hello' in ''.join(text_of(piece) for piece in model.stream('Hello')), 'no text')


@check('tools')
def tools():
    bound = model.bind_tools([get_weather])
    messages = [('user', 'get_weather now')]
    said = bound.invoke(messages)
    result = get_weather.invoke(said.tool_calls[0])
    expect('rain' in text_of(bound.invoke([*messages, said, result])), 'no rain')


@check('schema')
def schema():
    expect(model.with_structured_output(City).invoke('As JSON').city, 'no city')


@check('images')
def images():
    content = [{'type': 'text', 'text': 'What is this?'}, {'type': 'image_url', 'image_url': {'url': PICTURE}}]
    expect(text_of(model.invoke([{'role': 'user', 'content': content}])), 'no answer')


@check('errors')
def errors():
    raises(Exception, lambda: model_of('nobody').invoke('Hello'))
    raises(Exception, lambda: model_of(None, 'sk-wrong').invoke('Hello'))
