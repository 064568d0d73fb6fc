"""The google-genai package: generate-content."""
import base64

from google import genai
from google.genai import errors, types
from pydantic import BaseModel

from checks import GENERATE, PNG, TOKEN, URL, check, expect, raises, version_of

version_of('google-genai')
client = genai.Client(api_key=TOKEN, http_options=types.HttpOptions(base_url=URL))
models = client.models


class City(BaseModel):
    city: str


def get_weather(city: str) -> str:
    """Weather of a city."""
    return f'rain in {city}'


@check('prompt')
def prompt():
    expect('You said: Hello' in models.generate_content(model=GENERATE, contents='Hello').text, 'no text')
    expect(models.count_tokens(model=GENERATE, contents='Hello').total_tokens > 0, 'no count')


@check('stream')
def stream():
    pieces = models.generate_content_stream(model=GENERATE, contents='Hello')
    expect('You said: Hello' in ''.join(piece.text or '' for piece in pieces), 'no text')


@check('tools')
def tools():
    config = types.GenerateContentConfig(tools=[get_weather])
    expect('rain' in models.generate_content(model=GENERATE, contents='get_weather now', config=config).text, 'no rain')


@check('schema')
def schema():
    config = types.GenerateContentConfig(response_mime_type='application/json', response_schema=City)
    expect(models.generate_content(model=GENERATE, contents='As JSON', config=config).parsed.city, 'no city')


@check('images')
def images():
    picture = types.Part.from_bytes(data=base64.b64decode(PNG), mime_type='image/png')
    expect(models.generate_content(model=GENERATE, contents=['What is this?', picture]).text, 'no answer')


@check('files')
def files():
    notes = types.Part.from_bytes(data=b'Buy milk', mime_type='text/plain')
    expect(models.generate_content(model=GENERATE, contents=['Hello', notes]).text, 'no answer')
    return 'files in the request work; client.files is not served: files are uploaded at /v1/files of OpenAI'


@check('errors')
def failures():
    error = raises(errors.ClientError, lambda: models.generate_content(model='nobody', contents='Hello'))
    expect(error.code == 404, error)
    wrong = genai.Client(api_key='sk-wrong', http_options=types.HttpOptions(base_url=URL))
    error = raises(errors.ClientError, lambda: wrong.models.generate_content(model=GENERATE, contents='Hello'))
    expect(error.code == 401, error)
