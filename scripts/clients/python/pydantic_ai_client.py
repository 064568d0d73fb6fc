"""pydantic-ai with its three model classes."""
import base64

from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

from checks import CHAT, GENERATE, MESSAGES, PNG, TOKEN, URL, check, expect, raises, version_of

version_of('pydantic-ai-slim')
openai = OpenAIProvider(base_url=f'{URL}/v1', api_key=TOKEN)
chat = OpenAIChatModel(CHAT, provider=openai)


class City(BaseModel):
    city: str


@check('prompt')
def prompt():
    for model in (
        chat,
        OpenAIResponsesModel(CHAT, provider=openai),
        AnthropicModel(MESSAGES, provider=AnthropicProvider(api_key=TOKEN, base_url=URL)),
        GoogleModel(GENERATE, provider=GoogleProvider(api_key=TOKEN, base_url=URL)),
    ):
        expect('You said: Hello' in Agent(model).run_sync('Hello').output, type(model).__name__)


@check('stream')
def stream():
    with Agent(chat).run_stream_sync('Hello') as run:
        expect('You said: Hello' in ''.join(run.stream_text(delta=True)), 'no text')


@check('tools')
def tools():
    agent = Agent(chat)

    @agent.tool_plain
    def get_weather(city: str) -> str:
        """Weather of a city."""
        return f'rain in {city}'

    expect('rain' in agent.run_sync('get_weather now').output, 'no rain')


@check('schema')
def schema():
    expect(Agent(chat, output_type=City).run_sync('As JSON').output.city, 'no city')


@check('images')
def images():
    picture = BinaryContent(base64.b64decode(PNG), media_type='image/png')
    expect(Agent(chat).run_sync(['What is this?', picture]).output, 'no answer')


@check('errors')
def errors():
    raises(Exception, lambda: Agent(OpenAIChatModel('nobody', provider=openai)).run_sync('Hello'))
