"""openai-agents, over responses and over chat."""
import asyncio

from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI
from pydantic import BaseModel

from checks import CHAT, PICTURE, TOKEN, URL, check, expect, raises, version_of

version_of('openai-agents')
set_tracing_disabled(True)


def client_of():
    return AsyncOpenAI(api_key=TOKEN, base_url=f'{URL}/v1', max_retries=0)


def models():
    """With a client of its own for each event loop."""
    client = client_of()
    return [OpenAIResponsesModel(CHAT, client), OpenAIChatCompletionsModel(CHAT, client)]



class City(BaseModel):
    city: str


@function_tool
def get_weather(city: str) -> str:
    """Weather of a city."""
    return f'rain in {city}'


def agent(model, **more):
    return Agent(name='one', model=model, **more)


@check('prompt')
def prompt():
    for model in models():
        expect('You said: Hello' in Runner.run_sync(agent(model), 'Hello').final_output, type(model).__name__)


@check('stream')
def stream():
    async def run():
        for model in models():
            result = Runner.run_streamed(agent(model), 'Hello')
            events = [event async for event in result.stream_events()]
            expect(len(events) > 3 and 'You said: Hello' in result.final_output, type(model).__name__)

    asyncio.run(run())


@check('tools')
def tools():
    for model in models():
        result = Runner.run_sync(agent(model, tools=[get_weather]), 'get_weather now')
        expect('rain' in result.final_output, type(model).__name__)


@check('schema')
def schema():
    for model in models():
        expect(Runner.run_sync(agent(model, output_type=City), 'As JSON').final_output.city, type(model).__name__)


@check('images')
def images():
    content = [{'type': 'input_text', 'text': 'What is this?'}, {'type': 'input_image', 'image_url': PICTURE}]
    for model in models():
        expect(Runner.run_sync(agent(model), [{'role': 'user', 'content': content}]).final_output, 'no answer')


@check('errors')
def errors():
    raises(Exception, lambda: Runner.run_sync(agent(OpenAIResponsesModel('nobody', client_of())), 'Hello'))
