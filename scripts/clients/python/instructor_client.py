"""instructor over the openai and the anthropic package."""
import anthropic
import instructor
import openai
from pydantic import BaseModel

from checks import CHAT, MESSAGES, TOKEN, URL, check, expect, raises, version_of

version_of('instructor')
openai_client = openai.OpenAI(api_key=TOKEN, base_url=f'{URL}/v1', max_retries=0)
HELLO = [{'role': 'user', 'content': 'As JSON'}]


class City(BaseModel):
    city: str


@check('schema')
def schema():
    for mode in (instructor.Mode.TOOLS, instructor.Mode.JSON_SCHEMA):
        client = instructor.from_openai(openai_client, mode=mode)
        expect(client.chat.completions.create(model=CHAT, messages=HELLO, response_model=City).city, mode)
    own = instructor.from_anthropic(anthropic.Anthropic(api_key=TOKEN, base_url=URL, max_retries=0))
    expect(own.messages.create(model=MESSAGES, max_tokens=500, messages=HELLO, response_model=City).city, 'anthropic')


@check('stream')
def stream():
    client = instructor.from_openai(openai_client)
    parts = list(client.chat.completions.create_partial(model=CHAT, messages=HELLO, response_model=City))
    expect(parts[-1].city, 'no city')


@check('errors')
def errors():
    client = instructor.from_openai(openai_client)
    ask = dict(model='nobody', messages=HELLO, response_model=City, max_retries=0)
    raises(Exception, lambda: client.chat.completions.create(**ask))
